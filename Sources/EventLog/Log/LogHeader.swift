import Glibc

/// What `journal.wal` says of itself: whether it is in use, and the state of `journal.mdb` that its records follow.
///
/// Two slots are written in turn, so that a torn write leaves the other one; the greater sequence number counts.
struct LogHeader: Equatable {
    static let slotBytes = 512
    /// Each in a block of its own: writing one cannot tear the other.
    static let slotOffsets = [0, 4096]
    /// Where the second slot ends.
    static let slotsEnd = slotOffsets[1] + slotBytes
    /// Where the records begin.
    static let recordsOffset = 8192
    private static let magic: [UInt8] = [0x53, 0x4A, 0x57, 0x41, 0x4C, 0x00, 0x00, 0x01]
    private static let seed: UInt64 = 11

    var sequence: UInt64
    /// Commits follow that `journal.mdb` has not flushed; otherwise all of it is on the disk.
    var isInUse: Bool
    /// A flush of `journal.mdb` failed: what it should have written may never come. Recovery writes it anew.
    var hasFailed = false
    /// Of whoever uses it; a record of another epoch is an old one.
    var epoch: UInt64
    /// The journal's, 16 bytes.
    var identity: [UInt8]
    /// Bytes of the area of records.
    var areaBytes: UInt64
    /// Where the first record after the flushed state stands.
    var start: UInt64
    /// The meta page of the state that is flushed; empty while it is not in use.
    var meta: MetaPages.Copy?
    /// Who uses it; 0 at rest.
    var process: UInt32 = 0

    func bytes() -> [UInt8] {
        var bytes = Self.magic
        bytes.appendFixed(sequence)
        bytes.append(hasFailed ? 2 : isInUse ? 1 : 0)
        bytes.appendFixed(epoch)
        bytes += identity
        bytes.appendFixed(areaBytes)
        bytes.appendFixed(start)
        bytes.appendFixed(UInt32(meta?.pageBytes ?? 0))
        bytes += meta?.bytes ?? [UInt8](repeating: 0, count: MetaPages.usedBytes)
        bytes.appendFixed(process)
        bytes += [UInt8](repeating: 0, count: Self.slotBytes - 8 - bytes.count)
        bytes.appendFixed(XXH64.hash(bytes.span, seed: Self.seed))
        return bytes
    }

    init(
        sequence: UInt64, isInUse: Bool, epoch: UInt64, identity: [UInt8], areaBytes: UInt64,
        start: UInt64, meta: MetaPages.Copy?, process: UInt32 = 0
    ) {
        self.sequence = sequence
        self.isInUse = isInUse
        self.epoch = epoch
        self.identity = identity
        self.areaBytes = areaBytes
        self.start = start
        self.meta = meta
        self.process = process
    }

    /// Reads a slot.
    init(_ slot: Span<UInt8>) throws(Malformed) {
        guard slot.count == Self.slotBytes else { throw Malformed("cut short") }
        var offset = Self.slotBytes - 8
        let content = slot.extracting(0..<offset)
        guard try slot.fixed(8, &offset) == XXH64.hash(content, seed: Self.seed) else {
            throw Malformed("a header with a wrong hash")
        }
        for index in Self.magic.indices where slot[index] != Self.magic[index] {
            throw Malformed("a header of unknown version")
        }
        offset = Self.magic.count
        sequence = try content.fixed(8, &offset)
        let use = try content.fixed(1, &offset)
        isInUse = use != 0
        hasFailed = use == 2
        epoch = try content.fixed(8, &offset)
        identity = content.copy(try content.skip(16, &offset))
        areaBytes = try content.fixed(8, &offset)
        start = try content.fixed(8, &offset)
        let pageBytes = Int(try content.fixed(4, &offset))
        let meta = content.copy(try content.skip(MetaPages.usedBytes, &offset))
        self.meta = isInUse ? MetaPages.Copy(pageBytes: pageBytes, bytes: meta) : nil
        process = UInt32(try content.fixed(4, &offset))
        let least = UInt64(Self.recordsOffset)
        guard areaBytes <= 1 << 32, start >= least, start <= least + areaBytes else {
            throw Malformed("a header beyond its limits")
        }
    }

    /// The header that counts; nil if the file has none.
    static func read(_ descriptor: CInt, _ path: String) throws(JournalError) -> LogHeader? {
        newest(in: try FileSystem.read(slotsEnd, from: descriptor, at: 0, path))
    }

    /// The header that counts in the beginning of a log; nil if it has none.
    static func newest(in beginning: [UInt8]) -> LogHeader? {
        var newest: LogHeader?
        for offset in slotOffsets {
            let slot = Array(beginning.dropFirst(offset).prefix(slotBytes))
            guard let header = try? LogHeader(slot.span) else { continue }
            if newest.map({ $0.sequence < header.sequence }) ?? true { newest = header }
        }
        return newest
    }

    /// A log without records, at rest: a header in both slots, zeros for the records.
    static func emptyLog(_ identity: [UInt8], areaBytes: Int) -> [UInt8] {
        var header = LogHeader(
            sequence: 0, isInUse: false, epoch: 0, identity: identity,
            areaBytes: UInt64(areaBytes), start: UInt64(recordsOffset), meta: nil)
        var bytes = [UInt8](repeating: 0, count: recordsOffset + areaBytes)
        for offset in slotOffsets {
            bytes.replaceSubrange(offset..<offset + slotBytes, with: header.bytes())
            header.sequence += 1
        }
        return bytes
    }

    /// Where the log of an LMDB file is.
    static func path(beside path: String) -> String {
        (path.hasSuffix(".mdb") ? String(path.dropLast(4)) : path) + ".wal"
    }

    /// Whose pins keep which commits, the first of them; nil while it is at rest.
    static func pins(at path: String) -> OldestReader.Pins? {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard let newest = try? read(descriptor, path), newest.isInUse else { return nil }
        // A header that waits for its flush leaves the pin of the one before it.
        let commits = slotOffsets.compactMap { offset -> UInt64? in
            let slot = try? FileSystem.read(slotBytes, from: descriptor, at: offset, path)
            guard let slot, let header = try? LogHeader(slot.span), header.epoch == newest.epoch
            else { return nil }
            return header.meta?.commit
        }
        guard let first = commits.min() else { return nil }
        return OldestReader.Pins(process: Int(newest.process), since: first)
    }

    /// Writes it into its slot; flushed by whoever flushes the file.
    func write(to descriptor: CInt, _ path: String) throws(JournalError) {
        let slot = Self.slotOffsets[Int(sequence % 2)]
        try FileSystem.write(bytes(), to: descriptor, at: slot, path)
    }

    /// What follows it, once all that was logged is on the disk in `journal.mdb`.
    var atRest: LogHeader {
        LogHeader(
            sequence: sequence + 1, isInUse: false, epoch: 0, identity: identity,
            areaBytes: areaBytes, start: UInt64(Self.recordsOffset), meta: nil)
    }
}

extension [UInt8] {
    /// The same as `==`, which compares byte by byte.
    func hasBytes(of other: [UInt8]) -> Bool {
        guard count == other.count else { return false }
        return unsafe withUnsafeBytes { mine in
            unsafe other.withUnsafeBytes { others in
                guard let first = mine.baseAddress, let second = others.baseAddress
                else { return true }
                return unsafe memcmp(first, second, mine.count) == 0
            }
        }
    }
}
