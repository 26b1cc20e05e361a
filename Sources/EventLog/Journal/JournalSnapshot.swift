package import Events

/// The journal as it was at one moment. Belongs to one thread at a time.
package final class JournalSnapshot {
    package let head: Head
    private let lease: EnvironmentLease
    private let databases: JournalDatabases
    private let transaction: ReadTransaction
    /// Readers not in use; a visitor may begin a scan of its own within a scan.
    private var readers: [FrameReader] = []
    private var cache = FrameCache()

    init(_ lease: EnvironmentLease, _ databases: JournalDatabases) throws(JournalError) {
        self.lease = lease
        self.databases = databases
        transaction = try ReadTransaction(lease.environment)
        head = try HeadRecord.read(transaction.access, databases)
    }

    // MARK: Tables

    /// The bytes that a symbol stands for, or nil if there is no such symbol.
    package func symbol(_ symbol: Symbol) throws(JournalError) -> [UInt8]? {
        guard !symbol.isNone, symbol.number <= head.symbolCount else { return nil }
        let key = JournalKeys.symbol(symbol.number)
        let found = try transaction.access.record(databases.symbols, key.span) {
            content throws(JournalError) in
            content.copy()
        }
        guard let found else { throw .damaged("symbol \(symbol.number) is missing") }
        return found
    }

    /// The symbol of these bytes, or nil if they were never interned.
    package func number(of bytes: [UInt8]) throws(JournalError) -> Symbol? {
        let key = JournalKeys.name(bytes)
        let head = self.head
        return try transaction.access.lookUp(databases.names, key.span) {
            content throws(JournalError) in
            guard let number = JournalKeys.symbol(in: content), number <= head.symbolCount,
                number > 0
            else { throw .damaged("a name has no symbol") }
            return Symbol(number: number)
        }
    }

    package func type(_ number: UInt16) throws(JournalError) -> TypeRecord? {
        guard number > 0, number <= head.typeCount else { return nil }
        let key = JournalKeys.type(number)
        let found = try transaction.access.record(databases.types, key.span) {
            content throws(JournalError) in
            try TypeRecord(stored: content, number)
        }
        guard let found else { throw .damaged("type \(number) is missing") }
        return found
    }

    /// All types, by number.
    package func types() throws(JournalError) -> [TypeRecord] {
        var types: [TypeRecord] = []
        var number: UInt16 = 0
        while number < head.typeCount {
            number += 1
            if let type = try type(number) { types.append(type) }
        }
        return types
    }

    /// What became of the command with this id, or nil if it was never accepted.
    package func command(_ id: [UInt8]) throws(JournalError) -> AcceptedEntry? {
        let key = JournalKeys.name(id)
        return try transaction.access.lookUp(databases.commands, key.span) {
            content throws(JournalError) in
            do throws(Malformed) {
                return try AcceptedEntry(content)
            } catch {
                throw .damaged("\(error.what)")
            }
        }
    }

    // MARK: Events

    /// Visits all frames from the one holding `from` on, until the visitor answers false; frames
    /// without events, too.
    package func forEachFrame(
        from: Position = Position(1), through: Position? = nil, reversed: Bool = false,
        _ body: (FrameRecord) throws -> Bool
    ) throws {
        try scan(from, through ?? head.position + 1, reversed) { frame, key, stored in
            try frame.openHeader(key: key, stored: stored)
            return try body(frame.record)
        }
    }

    /// Visits the whole content of each frame, in order, until the visitor answers false. The
    /// second argument is the body that the events' ranges point to.
    package func forEachFrameContent(
        _ body: (FrameContent, [UInt8]) throws -> Bool
    ) throws {
        try scan(Position(1), head.position + 1, false) { frame, key, stored in
            try frame.open(key: key, stored: stored)
            var content = FrameContent(first: frame.first, recordedAt: frame.record.recordedAt)
            content.commands = frame.commands.map { command in
                FrameCommand(
                    id: Array(frame.body[command.id]), digest: Array(frame.body[command.digest]),
                    device: command.device,
                    events: command.firstEvent..<command.firstEvent + command.eventCount,
                    isAccepted: command.isAccepted)
            }
            var record = EventRecord()
            _ = try frame.forEachEvent(
                in: 0..<frame.eventCount, reversed: false, record: &record
            ) { event, _ in
                content.events.append(event)
                return true
            }
            return try body(content, frame.body)
        }
    }

    /// Visits the events `from` … `through` (default: the head) in order, or in reverse order,
    /// until the visitor answers false. The second argument is the frame's body, to which the
    /// record's ranges point; both are reused for the next event.
    package func forEachEvent(
        from: Position = Position(1), through: Position? = nil, reversed: Bool = false,
        _ body: (EventRecord, [UInt8]) throws -> Bool
    ) throws {
        let first = max(from, Position(1))
        let last = min(through ?? head.position, head.position)
        guard first <= last else { return }
        var record = EventRecord()
        try scan(first, last, reversed) { frame, key, stored in
            try frame.open(key: key, stored: stored)
            let start = frame.first.number
            let low = first.number > start ? first.number - start : 0
            guard last.number >= start, low < UInt64(frame.eventCount) else { return true }
            let high = min(last.number - start + 1, UInt64(frame.eventCount))
            return try frame.forEachEvent(
                in: Int(low)..<Int(high), reversed: reversed, record: &record, body)
        }
    }

    /// Visits the stored frames that hold `first` … `last`, checking that they join.
    private func scan(
        _ first: Position, _ last: Position, _ reversed: Bool,
        _ visit: (FrameReader, Span<UInt8>, Span<UInt8>) throws -> Bool
    ) throws {
        let frame = readers.popLast() ?? FrameReader()
        defer { readers.append(frame) }
        var cursor = try Cursor(transaction.access, databases.frames)
        let edge = FrameKey(first: reversed ? last : first, ordinal: .max).bytes
        var isFound = try cursor.seekBack(edge.span)
        if !reversed {
            // Back to the first of the frames with this first position: those without events.
            isFound = try isFound ? cursor.seekOrdinalZero(first) : cursor.first()
        }
        guard isFound else {
            guard head.frameCount == 0 else { throw JournalError.damaged("frames are missing") }
            return
        }
        var joint = FrameJoint(head: head, first: first, last: last)
        while true {
            let goesOn = try unsafe Span.over(cursor.key) { key in
                try unsafe Span.over(cursor.stored) { stored in
                    try visit(frame, key, stored)
                }
            }
            try joint.check(frame, reversed: reversed)
            guard goesOn else { return }
            if reversed {
                let key = frame.key
                if key.first < first || (key.first == first && key.ordinal == 0) { return }
            } else if frame.end > last.number {
                return
            }
            guard reversed ? try cursor.previous() : try cursor.next() else {
                try joint.checkEnd(reversed: reversed)
                return
            }
        }
    }

    /// Visits the events at these positions, in the order given; each frame is decoded once if
    /// the positions ascend or descend.
    package func forEachEvent(
        at positions: [Position], _ body: (EventRecord, [UInt8]) throws -> Bool
    ) throws {
        var record = EventRecord()
        for position in positions {
            guard let frame = try frame(holding: position) else { continue }
            try frame.event(Int(position.number - frame.first.number), into: &record)
            guard try body(record, frame.body) else { return }
        }
    }

    /// The event at a position with the body that its ranges point to, or nil if there is none.
    package func event(
        at position: Position
    ) throws(JournalError) -> (record: EventRecord, body: [UInt8])? {
        guard let frame = try frame(holding: position) else { return nil }
        var record = EventRecord()
        try frame.event(Int(position.number - frame.first.number), into: &record)
        return (record, frame.body)
    }

    private func frame(holding position: Position) throws(JournalError) -> FrameReader? {
        guard position >= Position(1), position <= head.position else { return nil }
        if let cached = cache.frame(holding: position) { return cached }
        var cursor = try Cursor(transaction.access, databases.frames)
        let key = FrameKey(first: position, ordinal: .max).bytes
        guard try cursor.seekBack(key.span) else {
            throw .damaged("the frame is missing", at: position)
        }
        let frame = cache.vacant()
        try unsafe Span.over(cursor.key) { key throws(JournalError) in
            try unsafe Span.over(cursor.stored) { stored throws(JournalError) in
                try frame.open(key: key, stored: stored)
            }
        }
        guard position >= frame.first, position.number < frame.end else {
            throw .damaged("the frame is missing", at: position)
        }
        return frame
    }

    // MARK: Posting lists

    /// The end of a stream, or nil if it has no events.
    package func stream(_ stream: Symbol) throws(JournalError) -> StreamHead? {
        try last(of: .stream, stream.number)
    }

    /// The end of any posting list, or nil if it has no events.
    package func last(
        of kind: PostingKind, _ key: UInt32
    ) throws(JournalError) -> StreamHead? {
        try PostingList(transaction.access, databases.index, kind, key).head
    }

    /// Positions of the events of a stream or type or with a tag, from `from` to `through`
    /// (default: the head), at most `limit` of them, ascending, or from the end if reversed.
    package func positions(
        of kind: PostingKind, _ key: UInt32, from: Position = Position(1),
        through: Position? = nil, reversed: Bool = false, limit: Int = .max
    ) throws(JournalError) -> [Position] {
        let last = min(through ?? head.position, head.position)
        guard from <= last, limit > 0 else { return [] }
        var list = try PostingList(transaction.access, databases.index, kind, key)
        var found: [Position] = []
        try list.collect(
            from.number...last.number, reversed: reversed, limit: limit, into: &found)
        return found
    }
}
