import Core
import Cryptography

/// The fixed 68 bytes at the start of a frame.
struct FrameHeader {
    static let byteCount = 68
    static let kind: UInt8 = 0x46  // F
    static let version: UInt8 = 2

    private static let inclusiveFlag: UInt8 = 1

    var isCompressed = false
    var eventCount: UInt32 = 0
    var first = Position.zero
    var recordedAt = Instant(milliseconds: 0)
    var clock = JournalClock.beginning
    /// Bytes of the body when inflated.
    var bodyBytes: UInt32 = 0
    /// Who appended it, where several programs take turns: never less than in the frame before.
    var term: UInt32 = 0
    /// Of what is sealed in it.
    var salt = SealingSalt.zero
    /// The checksum of the frame before this one.
    var previous = Checksum.zero

    func write(to bytes: inout [UInt8]) {
        bytes.append(Self.kind)
        bytes.append(Self.version)
        bytes.append(isCompressed ? 1 : 0)
        bytes.append(clock.inclusive ? Self.inclusiveFlag : 0)
        bytes.appendFixed(eventCount)
        bytes.appendFixed(first.number)
        bytes.appendFixed(recordedAt.milliseconds)
        bytes.appendFixed(clock.instant.milliseconds)
        bytes.appendFixed(bodyBytes)
        bytes.appendFixed(term)
        bytes.appendSalt(salt)
        bytes.appendChecksum(previous)
    }

    init() {}

    /// Reads the header of a stored frame; `stored` is the whole value.
    init(_ stored: Span<UInt8>) throws(Malformed) {
        guard stored.count >= Self.byteCount + Checksum.byteCount else {
            throw Malformed("a frame cut short")
        }
        guard stored[0] == Self.kind else { throw Malformed("a record of unknown kind") }
        guard stored[1] == Self.version else { throw Malformed("a frame of unknown version") }
        guard stored[2] <= 1 else { throw Malformed("a frame of unknown codec") }
        guard stored[3] <= 1 else { throw Malformed("a frame with unknown flags") }
        isCompressed = stored[2] == 1
        var offset = 4
        eventCount = UInt32(truncatingIfNeeded: try stored.fixed(4, &offset))
        first = Position(try stored.fixed(8, &offset))
        recordedAt = Instant(milliseconds: Int64(bitPattern: try stored.fixed(8, &offset)))
        clock = JournalClock(
            instant: Instant(milliseconds: Int64(bitPattern: try stored.fixed(8, &offset))),
            inclusive: stored[3] & Self.inclusiveFlag != 0)
        bodyBytes = UInt32(truncatingIfNeeded: try stored.fixed(4, &offset))
        term = UInt32(truncatingIfNeeded: try stored.fixed(4, &offset))
        salt = try stored.salt(&offset)
        previous = try stored.checksum(&offset)
        guard bodyBytes <= Limits.frameBytes, eventCount <= Limits.frameEvents,
            first.number >= 1, first.number < Limits.positions
        else { throw Malformed("a frame beyond its limits") }
        let body = stored.count - Self.byteCount - Checksum.byteCount
        guard isCompressed || body == Int(bodyBytes) else {
            throw Malformed("a body of another length than stated")
        }
    }
}

extension SealingSalt {
    /// A fresh one.
    static func random() -> SealingSalt {
        SealingSalt(
            high: UInt32(truncatingIfNeeded: RandomBytes.number()), low: RandomBytes.number())
    }
}

extension [UInt8] {
    mutating func appendSalt(_ salt: SealingSalt) {
        let bytes = salt.bytes
        for index in bytes.indices { append(bytes[index]) }
    }
}

extension Span<UInt8> {
    func salt(_ offset: inout Int) throws(Malformed) -> SealingSalt {
        let high = UInt32(truncatingIfNeeded: try fixed(4, &offset))
        return SealingSalt(high: high, low: try fixed(8, &offset))
    }
}
