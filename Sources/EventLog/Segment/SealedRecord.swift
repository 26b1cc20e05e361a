import Core

/// One segment of the index: a run of sealed events.
struct SealedSegment: Hashable {
    var number: UInt32
    /// 0 as sealed; as many segments of one level as `Sealed.fanout` become one of the next.
    var level: UInt32
    var first: Position
    var last: Position
    /// Symbols up to this one existed when its last event was sealed.
    var symbolCount: UInt32
    /// Entries of all its lists.
    var entries: UInt64
}

/// How far the journal is sealed, and by which segments it is found: the record `sealed` in `meta`.
struct Sealed: Hashable {
    static let fanout = 4
    static let key = [UInt8]("sealed".utf8)

    /// The last event in a block.
    var position = Position.zero
    var frameCount: UInt64 = 0
    var blockCount: UInt64 = 0
    var symbolCount: UInt32 = 0
    /// The newest dictionary, and where the journal stood when it was learned.
    var dictionary: UInt32 = 0
    var learnedAt = Position.zero
    /// Numbers above it are free for segments.
    var lastSegment: UInt32 = 0
    /// From the oldest events to the newest, without gaps.
    var segments: [SealedSegment] = []
    /// Segments whose pages are of no use any more, or not yet.
    var dropping: [UInt32] = []

    static func read(
        _ access: TransactionAccess, _ databases: JournalDatabases
    ) throws(JournalError) -> Sealed {
        let key = Self.key
        let found = try access.record(databases.meta, key.span) { content throws(JournalError) in
            do throws(Malformed) {
                return try Sealed(content)
            } catch {
                throw .damaged("the record of what is sealed is \(error.what)")
            }
        }
        guard let found else { throw .damaged("there is no record of what is sealed") }
        return found
    }

    func put(
        _ access: TransactionAccess, _ databases: JournalDatabases
    ) throws(JournalError) {
        let key = Self.key
        var content: [UInt8] = []
        write(to: &content)
        try access.putRecord(databases.meta, key.span, &content)
    }

    private func write(to bytes: inout [UInt8]) {
        bytes.appendVarint(position.number)
        bytes.appendVarint(frameCount)
        bytes.appendVarint(blockCount)
        bytes.appendVarint(symbolCount)
        bytes.appendVarint(dictionary)
        bytes.appendVarint(learnedAt.number)
        bytes.appendVarint(lastSegment)
        bytes.appendVarint(segments.count)
        for segment in segments {
            bytes.appendVarint(segment.number)
            bytes.appendVarint(segment.level)
            bytes.appendVarint(segment.first.number)
            bytes.appendVarint(segment.last.number - segment.first.number)
            bytes.appendVarint(segment.symbolCount)
            bytes.appendVarint(segment.entries)
        }
        bytes.appendVarint(dropping.count)
        for number in dropping { bytes.appendVarint(number) }
    }

    init() {}

    private init(_ bytes: Span<UInt8>) throws(Malformed) {
        var offset = 0
        position = Position(try bytes.varint(&offset))
        frameCount = try bytes.varint(&offset)
        blockCount = try bytes.varint(&offset)
        symbolCount = try bytes.varint32(&offset)
        dictionary = try bytes.varint32(&offset)
        learnedAt = Position(try bytes.varint(&offset))
        lastSegment = try bytes.varint32(&offset)
        let count = try bytes.varint(&offset)
        guard count <= UInt64(bytes.count), position.number < Limits.positions else {
            throw Malformed("beyond its limits")
        }
        var next: UInt64 = 1
        for _ in 0..<count {
            let number = try bytes.varint32(&offset)
            let level = try bytes.varint32(&offset)
            let first = try bytes.varint(&offset)
            let span = try bytes.varint(&offset)
            guard first == next, span <= position.number, first + span <= position.number,
                number >= 1, number <= lastSegment
            else { throw Malformed("of segments that do not join") }
            next = first + span + 1
            segments.append(
                SealedSegment(
                    number: number, level: level, first: Position(first),
                    last: Position(first + span), symbolCount: try bytes.varint32(&offset),
                    entries: try bytes.varint(&offset)))
        }
        guard next == position.number + 1 else { throw Malformed("of segments that end elsewhere") }
        let dropped = try bytes.varint(&offset)
        guard dropped <= UInt64(bytes.count) else { throw Malformed("beyond its limits") }
        for _ in 0..<dropped { dropping.append(try bytes.varint32(&offset)) }
        guard offset == bytes.count else { throw Malformed("of another length") }
    }
}
