package import Core

/// The journal as it was at one moment. Belongs to one thread at a time.
package final class JournalSnapshot {
    package let head: Head
    private let environment: LMDBEnvironment
    private let databases: JournalDatabases
    private let transaction: ReadTransaction
    private let frames: FramesSeen
    private let memory: IndexMemory
    private let index: JournalIndex
    /// Readers not in use; a visitor may begin a scan of its own within a scan.
    private var readers: [CommitReader] = []

    init(
        _ environment: LMDBEnvironment, _ databases: JournalDatabases, _ memory: IndexMemory,
        _ tail: (Sealed) -> Tail
    ) throws(JournalError) {
        self.environment = environment
        self.databases = databases
        self.memory = memory
        let waiting = environment.waiting
        transaction = try ReadTransaction(environment, mayBeBehind: true)
        frames = try FramesSeen(transaction.access, databases, waiting)
        head = frames.head
        let sealed = try Sealed.read(transaction.access, databases)
        index = JournalIndex(
            frames: frames, databases: databases, head: head, sealed: sealed,
            tail: tail(sealed), memory: memory, events: EventReading(frames, memory.frames))
    }

    // MARK: Tables

    /// The bytes that a symbol stands for, or nil if there is no such symbol.
    package func symbol(_ symbol: Symbol) throws(JournalError) -> [UInt8]? {
        guard !symbol.isNone, symbol.number <= head.symbolCount else { return nil }
        return try index.symbol(symbol.number)
    }

    /// The symbol of these bytes, or nil if they were never interned.
    package func number(of bytes: [UInt8]) throws(JournalError) -> Symbol? {
        try index.number(of: bytes).map { Symbol(number: $0) }
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

    /// The accepted command with this id, or nil.
    package func command(_ id: [UInt8]) throws(JournalError) -> AcceptedEntry? {
        try index.command(id)
    }

    // MARK: Events

    /// Visits all frames from the one holding `from` on, until the visitor answers false; frames
    /// without events, too.
    package func forEachFrame(
        from: Position = Position(1), through: Position? = nil, reversed: Bool = false,
        _ body: (FrameRecord) throws -> Bool
    ) throws {
        let last = through ?? head.position + 1
        try scan(from, last, reversed) { reader, key, stored in
            try reader.openHeader(key: key, stored: stored)
            // A block holds more than was asked for.
            let wanted = reader.records.filter { frame in
                let end = frame.first.number + UInt64(max(frame.eventCount, 1))
                return end > from.number && frame.first <= last
            }
            for frame in reversed ? wanted.reversed() : wanted {
                guard try body(frame) else { return false }
            }
            return true
        }
    }

    /// Visits the stored records, oldest first, until the visitor answers false.
    package func forEachStored(_ body: (StoredSize) throws -> Bool) throws {
        try scan(Position(1), head.position + 1, false) { reader, key, stored in
            try reader.openHeader(key: key, stored: stored)
            return try body(reader.size)
        }
    }

    /// The mark of the frame that holds a position; 0 for position zero.
    package func mark(at position: Position) throws -> UInt64 {
        var mark: UInt64 = 0
        guard position > .zero else { return mark }
        try forEachFrame(from: position, through: position) { frame in
            guard frame.eventCount > 0 else { return true }
            mark = frame.mark
            return false
        }
        return mark
    }

    /// Whose key a slot holds.
    package func name(of slot: NamedSlot) throws(JournalError) -> FreshSlot.Name {
        let product = try symbol(slot.product) ?? []
        let person = try symbol(slot.person) ?? []
        return FreshSlot.Name(
            product: String(decoding: product, as: UTF8.self),
            person: String(decoding: person, as: UTF8.self))
    }

    /// Visits the slots of `keys` that frames name, in their order, each with the position where its frame
    /// begins, until the visitor answers false.
    package func forEachSlot(_ body: (Position, NamedSlot) throws -> Bool) throws {
        if head.slotCount == 0 { return }
        try scan(Position(1), head.position + 1, false) { reader, key, stored in
            try reader.openDirectory(key: key, stored: stored)
            for (position, slot) in reader.slots {
                guard try body(position, slot) else { return false }
            }
            return true
        }
    }

    /// Visits the whole content of each frame, in order, until the visitor answers false; with `from`,
    /// those before the one that holds it may be left out. The second argument is the body that the
    /// events' ranges point to.
    package func forEachFrameContent(
        from: Position = Position(1), _ body: (FrameContent, [UInt8]) throws -> Bool
    ) throws {
        try scan(from, head.position + 1, false) { reader, key, stored in
            try reader.open(key: key, stored: stored)
            return try reader.forEachContent(body)
        }
    }

    /// Visits the events `from` … `through` (default: the head) in order, or in reverse order,
    /// until the visitor answers false. The second argument is the frame's body, to which the
    /// record's ranges point; both are reused for the next event.
    package func forEachEvent(
        from: Position = Position(1), through: Position? = nil, reversed: Bool = false,
        _ body: (EventRecord, [UInt8]) throws -> Bool
    ) throws {
        var record = EventRecord()
        try forEachReader(from: from, through: through, reversed: reversed, opening: nil) {
            reader, range in
            try reader.forEachEvent(in: range, reversed: reversed, record: &record, body)
        }
    }

    /// Visits the events `from` … `through` of the wanted types in order, with what was passed over before each; answers what was
    /// behind the last one. What does not count is as if it was not there. The third argument is what the personal fields hold, as
    /// far as the thread that reads ahead has opened them; nil says nothing. All who share a scan ask for the same positions.
    package func forEachEvent(
        from: Position, through: Position, of wanted: WantedTypes, opening personal: OpeningAhead,
        sharing scan: SharedScan? = nil,
        counting filter: ((EventRecord) -> Bool)? = nil,
        _ body: (EventRecord, [UInt8], PersonalValues?, PassedOver) throws -> Bool
    ) throws -> PassedOver {
        var record = EventRecord()
        var passed = PassedOver()
        try forEachReader(
            from: from, through: through, reversed: false, opening: personal, sharing: scan
        ) { reader, range in
            let (values, first) = (reader.personal, reader.first.number)
            return try reader.forEachEvent(
                in: range, of: wanted, counting: filter, passed: &passed, record: &record
            ) { event, bytes, passed in
                let index = Int(event.position.number - first)
                return try body(event, bytes, index < values.count ? values[index] : nil, passed)
            }
        }
        return passed
    }

    /// Visits the readers, all open, with the indices of the wanted events in them.
    private func forEachReader(
        from: Position, through: Position?, reversed: Bool, opening personal: OpeningAhead?,
        sharing shared: SharedScan? = nil, _ body: (CommitReader, Range<Int>) throws -> Bool
    ) throws {
        let first = max(from, Position(1))
        let last = min(through ?? head.position, head.position)
        guard first <= last else { return }
        func visit(_ reader: CommitReader) throws -> Bool {
            let start = reader.first.number
            let low = first.number > start ? first.number - start : 0
            guard last.number >= start, low < UInt64(reader.eventCount) else { return true }
            let high = min(last.number - start + 1, UInt64(reader.eventCount))
            return try body(reader, Int(low)..<Int(high))
        }
        guard shared != nil || !reversed && last.number - first.number > Self.longScan else {
            return try scan(first, last, reversed) { reader, key, stored in
                try reader.open(key: key, stored: stored)
                return try visit(reader)
            }
        }
        // What the other thread's transaction sees may be sealed meanwhile, or go on beyond our head:
        // the events up to there are the same.
        var joint = FrameJoint(head: head, first: first, last: last)
        let (ahead, visitor) = try (shared ?? SharedScan(visitors: 1)).join(personal) {
            ReadAhead(
                environment, databases, frames.asked, memory.frames.store, first: first,
                last: last, opening: $0, visitors: $1)
        }
        let cameToEnd = try ahead.run(as: visitor) { reader in
            try joint.check(reader, reversed: false)
            return try visit(reader)
        }
        if cameToEnd { try joint.checkEnd(reversed: false) }
    }

    /// Events from which on a second thread is worth it.
    private static let longScan: UInt64 = 8192

    /// Visits the stored frames that hold `first` … `last`, checking that they join.
    private func scan(
        _ first: Position, _ last: Position, _ reversed: Bool,
        _ visit: (CommitReader, Span<UInt8>, Span<UInt8>) throws -> Bool
    ) throws {
        let frame = readers.popLast() ?? CommitReader(memory.frames.store)
        defer { readers.append(frame) }
        var cursor = try frames.cursor()
        var isFound = try cursor.seekBack(
            FrameKey(first: reversed ? last : first, ordinal: .max))
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
            let goesOn = try cursor.visit { key, stored in try visit(frame, key, stored) }
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
        at positions: [Position], of stream: Symbol? = nil,
        _ body: (EventRecord, [UInt8]) throws -> Bool
    ) throws {
        var record = EventRecord()
        var last: CommitReader?
        for position in positions where position >= Position(1) && position <= head.position {
            // Neighbours mostly stand in what was opened for the one before; `body` may have had
            // something else opened there.
            let reader: CommitReader
            if let last, last.isOpen(at: position) {
                reader = last
            } else {
                reader = try index.events.reader(holding: position, of: stream)
                last = reader
            }
            try reader.event(at: position, into: &record)
            guard try body(record, reader.body) else { return }
        }
    }

    /// The event at a position with the body that its ranges point to, or nil if there is none.
    package func event(
        at position: Position
    ) throws(JournalError) -> (record: EventRecord, body: [UInt8])? {
        guard position >= Position(1), position <= head.position else { return nil }
        var record = EventRecord()
        let body = try index.events.event(at: position, into: &record)
        return (record, body)
    }

    // MARK: The tree

    /// How many of the first events are under hashes that the journal keeps: a multiple of 256.
    package func treeSize() throws(JournalError) -> UInt64 {
        try TreeHashStore.size(transaction.access, databases)
    }

    /// What is kept of the hashes of a level (8, 16, 24 …), 32 bytes each; fewer where it ends.
    package func treeHashes(
        level: UInt8, _ indexes: Range<UInt64>
    ) throws(JournalError) -> [UInt8] {
        try TreeHashStore.hashes(level: level, indexes, transaction.access, databases)
    }

    // MARK: Posting lists

    /// The end of a stream, or nil if it has no events.
    package func stream(_ stream: Symbol) throws(JournalError) -> StreamHead? {
        guard !stream.isNone, stream.number <= head.symbolCount else { return nil }
        return try index.streamHead(stream)
    }

    /// Positions of the events of a stream or type or with a tag, from `from` to `through`
    /// (default: the head), at most `limit` of them, ascending, or from the end if reversed.
    package func positions(
        of kind: PostingKind, _ key: UInt32, from: Position = Position(1),
        through: Position? = nil, reversed: Bool = false, limit: Int = .max
    ) throws(JournalError) -> [Position] {
        let last = min(through ?? head.position, head.position)
        guard from <= last, limit > 0 else { return [] }
        return try index.positions(
            kind, key, from.number...last.number, reversed: reversed, limit: limit
        ).map { Position($0) }
    }
}
