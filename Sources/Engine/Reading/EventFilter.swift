import EventLog
import Core

/// Which events are wanted (contract, replay.md, `events`).
public struct EventFilter: Sendable {
    /// Such as `examroom/exam/EX-1`.
    public var stream: String?
    /// A wire name, or a prefix and `*`.
    public var type: String?
    /// Such as `student:S-1`.
    public var tag: String?
    /// Such as `admin:A-1`.
    public var by: String?
    /// The first that is wanted.
    public var from: Moment?
    /// The last that is wanted.
    public var to: Moment?
    /// In whose name they are asked for: those that they may see, as they may see them. All of them if nil.
    public var viewer: Viewer?
    /// The newest first.
    public var isReversed = false
    /// At most this many.
    public var limit: Int?

    /// Wants every event.
    public init() {}
}

/// A filter with its texts looked up: what a scan needs.
struct EventScan {
    var first = Position(1)
    var last: Position?
    private var fromInstant: Instant?
    private var toInstant: Instant?
    private let stream: String?
    private let tag: String?
    private let by: String?
    private let type: String?

    init(_ filter: EventFilter) throws(EngineError) {
        stream = filter.stream
        tag = filter.tag
        by = filter.by
        type = filter.type
        switch filter.from {
        case .position(let position): first = max(position, Position(1))
        case .instant(let instant): fromInstant = instant
        case nil: break
        }
        switch filter.to {
        case .position(let position): last = position
        case .instant(let instant): toInstant = instant
        case nil: break
        }
        if let limit = filter.limit, limit < 0 { throw EngineError(.negativeLimit) }
    }

    /// Calls `body` with the wanted events from `first` on that the snapshot holds. Answers where it stopped, if it was
    /// at one of those that are not wanted, after it had looked at `most` events.
    func run(
        _ snapshot: JournalSnapshot, _ types: JournalTypes, _ names: Names, reversed: Bool,
        _ instants: InstantIndex? = nil, lookingAt most: Int = .max,
        _ body: (EventRecord, [UInt8]) throws -> Bool
    ) throws -> Position? {
        let wantedTypes = type.map { Set(types.numbers(matching: $0)) }
        guard let wantedActor = try symbol(by, names),
            let wantedStream = try symbol(stream, names), let wantedTag = try symbol(tag, names)
        else { return nil }
        let isWanted = { (event: EventRecord) -> Bool in
            if let wantedTypes, !wantedTypes.contains(event.type) { return false }
            if let actor = wantedActor.symbol, event.actor != actor { return false }
            if let stream = wantedStream.symbol, event.stream != stream { return false }
            if let tag = wantedTag.symbol, !event.tags.contains(tag) { return false }
            if let fromInstant, event.at < fromInstant { return false }
            if let toInstant, event.at > toInstant { return false }
            return true
        }
        var looked = 0
        var stop: Position?
        let visit = { (event: EventRecord, bytes: [UInt8]) throws -> Bool in
            looked += 1
            if isWanted(event) { return try body(event, bytes) }
            if looked >= most { stop = event.position }
            return stop == nil
        }
        if let stream = wantedStream.symbol {
            try slices([(.stream, stream.number)], snapshot, reversed, visit)
        } else if let tag = wantedTag.symbol {
            try slices([(.tag, tag.number)], snapshot, reversed, visit)
        } else if let actor = wantedActor.symbol {
            // An event that bears the actor as a tag stands in the list of the tag alone.
            let lists = [(PostingKind.actor, actor.number), (.tag, actor.number)]
            try slices(lists, snapshot, reversed, visit)
        } else if let wantedTypes {
            try slices(wantedTypes.map { (.type, UInt32($0)) }, snapshot, reversed, visit)
        } else if let instants, fromInstant != nil || toInstant != nil {
            try search(instants, snapshot, reversed, visit)
        } else {
            try snapshot.forEachEvent(from: first, through: last, reversed: reversed, visit)
        }
        return stop
    }

    /// Reads the stretches of events in which something may be wanted, and learns when their events happened.
    private func search(
        _ instants: InstantIndex, _ snapshot: JournalSnapshot, _ reversed: Bool,
        _ body: (EventRecord, [UInt8]) throws -> Bool
    ) throws {
        let end = min(last ?? snapshot.head.position, snapshot.head.position)
        guard first <= end else { return }
        let ranges = instants.candidates(
            first.number...end.number, from: fromInstant, to: toInstant)
        var learner = InstantIndex.Learner(instants)
        var goesOn = true
        for range in reversed ? ranges.reversed() : ranges where goesOn {
            try snapshot.forEachEvent(
                from: Position(range.lowerBound), through: Position(range.upperBound),
                reversed: reversed
            ) { event, bytes in
                learner.note(event.position, event.at)
                goesOn = try body(event, bytes)
                return goesOn
            }
        }
    }

    /// The symbol of a wanted text: nil inside when none is wanted, nil outside when the journal
    /// never met it, so that nothing can match.
    private func symbol(_ text: String?, _ names: Names) throws -> (symbol: Symbol?, Void)? {
        guard let text else { return (nil, ()) }
        let known = names.known(text)
        if let fault = names.fault { throw fault }
        guard let symbol = known else { return nil }
        return (symbol, ())
    }

    /// Reads posting lists that have no event in common, merged, a slice at a time.
    private func slices(
        _ lists: [(kind: PostingKind, key: UInt32)], _ snapshot: JournalSnapshot,
        _ reversed: Bool, _ body: (EventRecord, [UInt8]) throws -> Bool
    ) throws {
        var low = first
        var high = min(last ?? snapshot.head.position, snapshot.head.position)
        let slice = 1024
        let stream = lists.first { $0.kind == .stream }.map { Symbol(number: $0.key) }
        while low <= high {
            let found = try lists.flatMap {
                try snapshot.positions(
                    of: $0.kind, $0.key, from: low, through: high, reversed: reversed, limit: slice)
            }.sorted { reversed ? $0 > $1 : $0 < $1 }
            // Beyond the first `slice` a shorter list may have been cut off.
            let taken = Array(found.prefix(slice))
            guard let end = taken.last else { return }
            var goesOn = true
            try snapshot.forEachEvent(at: taken, of: stream) { event, bytes in
                goesOn = try body(event, bytes)
                return goesOn
            }
            if !goesOn { return }
            if reversed {
                guard end > Position(1) else { return }
                high = Position(end.number - 1)
            } else {
                low = end + 1
            }
        }
    }
}
