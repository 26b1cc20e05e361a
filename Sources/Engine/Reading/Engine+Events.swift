import EventLog
import Core
import Folding
import Projections

extension EventEngine {
    /// Calls `body` with each wanted event as JSON, oldest first unless reversed, until it returns
    /// false.
    public func events(
        _ filter: EventFilter = EventFilter(), _ body: (Document) throws(EngineError) -> Bool
    ) throws(EngineError) {
        var scan = try EventScan(filter)
        try whileOpen {
            let head = try journal.head().position
            scan.last = min(scan.last ?? head, head)
            var slices = EventSlices(
                journal, registry, scan, isReversed: filter.isReversed, limit: filter.readLimit,
                instants: instants)
            var left = filter.seenLimit
            while !slices.isExhausted, left > 0 {
                for event in try seen(slices.nextEvents(), filter, &left) {
                    if try !body(event.document) { return }
                }
            }
        }
    }

    /// The wanted events, then those that others append, as they come; `body` is given nil at each
    /// idle tick (about every 50 ms) and ends it all by returning false. Keeps the calling thread: a task takes
    /// ``events(_:isFollowing:)``.
    public func follow(
        _ filter: EventFilter = EventFilter(), _ body: (Document?) throws(EngineError) -> Bool
    ) throws(EngineError) {
        let scan = try EventScan(filter)
        guard !filter.isReversed else { throw EngineError(.followsBackwards) }
        try whileOpen {
            var slices = EventSlices(
                journal, registry, scan, limit: filter.readLimit,
                instants: instants)
            var left = filter.seenLimit
            while !slices.isExhausted, left > 0, !calls.isClosed {
                for event in try seen(slices.nextEvents(), filter, &left) {
                    if try !body(event.document) { return }
                }
                guard !slices.isExhausted, let end = slices.end else { continue }
                while try !journal.waitForAppend(after: end, timeoutMilliseconds: 50) {
                    if try calls.isClosed || !body(nil) { return }
                }
            }
        }
    }

    /// One event, whole; nil when the journal has no such position. `withProof` adds the way to the root of
    /// the tree over all events.
    ///
    /// In a viewer's name it is nil, too, when they may not see it, and there is no proof of what they do not see whole.
    public func event(
        at position: Position, withProof: Bool = false, as viewer: Viewer? = nil
    ) throws(EngineError) -> Document? {
        if let viewer, viewer.kind != .system {
            guard let whole = try event(at: position, withProof: withProof) else { return nil }
            return try read { try $0.seen([whole], by: viewer).first }
        }
        var filter = EventFilter()
        filter.from = .position(position)
        filter.to = .position(position)
        var found: Document?
        try events(filter) { document in
            found = document
            return false
        }
        guard let event = found, position > .zero else { return nil }
        if !withProof { return event }
        let proof = try path(ofEventAt: position)
        return try engineErrors {
            guard case .object(let members) = try JSON(parsing: event.bytes) else { return event }
            let member = JSON.Member(name: "proof", value: try JSON(parsing: proof.bytes))
            return Document(names: Names()) { $0.json.value(.object(members + [member])) }
        }
    }
}

/// The journal opened for listing events.
struct OpenLog {
    let snapshot: JournalSnapshot
    let history: JournalHistory

    init(_ journal: Journal, _ registry: Registry) throws {
        snapshot = try journal.snapshot()
        let names = Names(
            source: JournalSymbols(journal, holding: try journal.snapshot()),
            stored: snapshot.head.symbolCount)
        let types = try JournalTypes(snapshot.types(), registry)
        let persons = Persons(journal)
        try persons.catchUp(snapshot, types, names)
        history = JournalHistory(
            snapshot: snapshot, types: types, keys: persons.keys, names: names,
            scope: Scope(through: snapshot.head.position), faults: TableSpace())
    }
}
