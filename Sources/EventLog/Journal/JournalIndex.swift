import Core

/// What a process keeps in memory of what is sealed, which never changes.
final class IndexMemory: Sendable {
    let symbols = SymbolCache()
    let commands = PresenceFilter(.command)
    let names = PresenceFilter(.name)
    let frames: FramePool

    init(_ store: DictionaryStore) {
        frames = FramePool(store)
    }
}

/// Finds things in the journal as a transaction sees it: in the segments of what is sealed, and in the
/// index of the tail.
struct JournalIndex {
    let frames: FramesSeen
    let databases: JournalDatabases
    let head: Head
    let sealed: Sealed
    let tail: Tail
    let memory: IndexMemory
    let events: EventReading

    var access: TransactionAccess { frames.access }

    private var segments: SegmentReading {
        SegmentReading(access: access, database: databases.segments)
    }

    // MARK: Symbols and commands

    /// The bytes that a symbol of the head stands for.
    func symbol(_ number: UInt32) throws(JournalError) -> [UInt8] {
        if number <= sealed.symbolCount {
            return try memory.symbols.symbol(
                number, access, databases.symbols, events.decompressor)
        }
        try tail.catchUp(frames)
        guard let bytes = tail.symbol(number) else {
            throw .damaged("symbol \(number) is missing")
        }
        return bytes
    }

    /// The symbol of these bytes, or nil if they were never interned.
    func number(of bytes: [UInt8]) throws(JournalError) -> UInt32? {
        try tail.catchUp(frames)
        if let number = tail.number(of: bytes, head) { return number }
        if sealed.symbolCount == 0 { return nil }
        let hash = SegmentKind.name.number(of: bytes)
        guard try memory.names.mayHold(hash, sealed, segments),
            !tail.isAbsentWhereSealed(.name, bytes)
        else { return nil }
        var found: [UInt64] = []
        for segment in sealed.segments.reversed() {
            found.removeAll(keepingCapacity: true)
            try segments.collect(.name, hash, 0 ... .max, in: segment.number, into: &found)
            for value in found {
                guard value >= 1, let number = UInt32(exactly: value), number <= segment.symbolCount
                else { throw .damaged("a name has no symbol") }
                if try symbol(number) == bytes { return number }
            }
        }
        tail.noteAbsent(.name, bytes)
        return nil
    }

    /// The accepted command with this id, or nil.
    func command(_ id: [UInt8]) throws(JournalError) -> AcceptedEntry? {
        try tail.catchUp(frames)
        if let entry = tail.command(id, head) { return entry }
        if sealed.segments.isEmpty { return nil }
        let hash = SegmentKind.command.number(of: id)
        guard try memory.commands.mayHold(hash, sealed, segments),
            !tail.isAbsentWhereSealed(.command, id)
        else { return nil }
        var found: [UInt64] = []
        for segment in sealed.segments.reversed() {
            found.removeAll(keepingCapacity: true)
            try segments.collect(.command, hash, 0 ... .max, in: segment.number, into: &found)
            for value in found {
                guard value >= 1, value <= sealed.position.number + 1 else {
                    throw .damaged("a command stands beyond what is sealed")
                }
                if let entry = try events.command(
                    id, at: Position(value), sealed: sealed.position)
                {
                    return entry
                }
            }
        }
        tail.noteAbsent(.command, id)
        return nil
    }

    // MARK: Lists

    /// Whether a segment may hold events of the list: symbols are numbered as they first occur.
    private func mayHold(_ segment: SealedSegment, _ kind: PostingKind, _ number: UInt32) -> Bool {
        kind == .type || number <= segment.symbolCount
    }

    /// The positions of a list in `range`, at most `limit`, ascending or from the end.
    func positions(
        _ kind: PostingKind, _ number: UInt32, _ range: ClosedRange<UInt64>, reversed: Bool,
        limit: Int
    ) throws(JournalError) -> [UInt64] {
        try tail.catchUp(frames)
        guard range.lowerBound <= head.position.number else { return [] }
        let range = range.lowerBound...min(range.upperBound, head.position.number)
        var found: [UInt64] = []
        var part: [UInt64] = []
        func takePart() {
            let room = limit - found.count
            found += reversed ? part.reversed().prefix(room) : part.prefix(room)
            part.removeAll(keepingCapacity: true)
        }
        func takeTail() {
            tail.collect(kind.segmentKind, number, range, into: &part)
            takePart()
        }
        if reversed { takeTail() }
        for segment in reversed ? sealed.segments.reversed() : sealed.segments
        where mayHold(segment, kind, number) {
            if found.count >= limit { return found }
            guard segment.first.number <= range.upperBound, segment.last.number >= range.lowerBound
            else { continue }
            try segments.collect(
                kind.segmentKind, number, range, in: segment.number, into: &part)
            guard part.allSatisfy({ $0 >= segment.first.number && $0 <= segment.last.number })
            else { throw .damaged("a list of a segment points outside it") }
            takePart()
        }
        if !reversed { takeTail() }
        return found
    }

    /// The end of a stream, or nil if it has no events.
    func streamHead(_ stream: Symbol) throws(JournalError) -> StreamHead? {
        try tail.catchUp(frames)
        let isNew = stream.number > sealed.symbolCount
        var through = sealed.position.number
        switch tail.stream(stream, head) {
        case .ends(let end): return end
        case .isElsewhere:
            if isNew { return nil }
            if case .some(let known) = tail.sealedHead(stream) { return known }
        case .unknown: through = .max
        }
        let last = try positions(
            .stream, stream.number, 0...through, reversed: true, limit: 1
        ).first
        guard let last else {
            if !isNew { tail.noteSealedHead(stream, nil) }
            return nil
        }
        var record = EventRecord()
        _ = try events.event(
            at: Position(last), of: stream, into: &record)
        guard record.stream == stream else {
            throw .damaged("an event of another stream", at: record.position)
        }
        let end = StreamHead(
            count: record.revision &+ 1, lastPosition: record.position, lastAt: record.at)
        if last <= sealed.position.number { tail.noteSealedHead(stream, end) }
        return end
    }
}
