import Core

/// The fixed bytes at the start of a sealed block.
struct BlockHeader {
    static let byteCount = 68
    static let kind: UInt8 = 0x42  // B
    static let version: UInt8 = 2

    var eventCount: UInt32 = 0
    var first = Position.zero
    var frameCount: UInt32 = 0
    var commandCount: UInt32 = 0
    var chunkCount: UInt32 = 0
    /// The dictionary that its chunks are compressed with, or 0.
    var dictionary: UInt32 = 0
    /// Bytes of the directory behind the header, its hash included.
    var directoryBytes: UInt32 = 0
    /// The checksum of the frame before the block's first one.
    var previous = Checksum.zero
    /// The checksum of the block's last frame.
    var chain = Checksum.zero

    /// The position after the block's last event.
    var end: UInt64 { first.number + UInt64(eventCount) }

    func write(to bytes: inout [UInt8]) {
        bytes.append(Self.kind)
        bytes.append(Self.version)
        bytes.appendFixed(UInt16(0))
        bytes.appendFixed(eventCount)
        bytes.appendFixed(first.number)
        bytes.appendFixed(frameCount)
        bytes.appendFixed(commandCount)
        bytes.appendFixed(chunkCount)
        bytes.appendFixed(directoryBytes)
        bytes.appendChecksum(previous)
        bytes.appendChecksum(chain)
        bytes.appendFixed(dictionary)
    }

    init() {}

    init(_ stored: Span<UInt8>) throws(Malformed) {
        guard stored.count >= Self.byteCount + Checksum.byteCount else {
            throw Malformed("a block cut short")
        }
        guard stored[0] == Self.kind, stored[1] == Self.version, stored[2] == 0, stored[3] == 0
        else { throw Malformed("a block of unknown version") }
        var offset = 4
        eventCount = UInt32(truncatingIfNeeded: try stored.fixed(4, &offset))
        first = Position(try stored.fixed(8, &offset))
        frameCount = UInt32(truncatingIfNeeded: try stored.fixed(4, &offset))
        commandCount = UInt32(truncatingIfNeeded: try stored.fixed(4, &offset))
        chunkCount = UInt32(truncatingIfNeeded: try stored.fixed(4, &offset))
        directoryBytes = UInt32(truncatingIfNeeded: try stored.fixed(4, &offset))
        previous = try stored.checksum(&offset)
        chain = try stored.checksum(&offset)
        dictionary = UInt32(truncatingIfNeeded: try stored.fixed(4, &offset))
        let rest = stored.count - Self.byteCount - Checksum.byteCount
        guard first.number >= 1, first.number < Limits.positions,
            eventCount <= Limits.blockEvents, commandCount <= Limits.blockCommands,
            directoryBytes >= 8, directoryBytes <= rest,
            // Each takes a byte at least.
            Int(chunkCount) <= rest, frameCount >= 1, Int(frameCount) <= rest
        else { throw Malformed("a block beyond its limits") }
    }
}

/// A commit as its block remembers it.
struct SealedFrame {
    /// Its first event, or the next one to come, counted from the block's first.
    var firstEvent = 0
    var eventCount = 0
    var firstCommand = 0
    var commandCount = 0
    var recordedAt: Int64 = 0
    var clock = JournalClock.beginning
    var term: UInt32 = 0
    /// Zero where nothing is sealed in it.
    var salt = SealingSalt.zero
    /// Among the slots that the block's frames name.
    var slots = 0..<0
    /// The first 8 bytes of the frame's checksum.
    var mark: UInt64 = 0

    /// Says of one of its events what the frame says of all.
    @inline(__always)
    func fillPlace(of record: inout EventRecord) {
        record.recordedAt = Instant(milliseconds: recordedAt)
        record.term = term
        record.salt = salt
    }
}
