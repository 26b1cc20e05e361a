public import Core
import EventLog

/// An event that changed a document, with the document before and behind it.
public struct DocumentStep: Sendable {
    /// The event, and what it changed.
    public let cause: Cause
    /// The document before the event.
    public let old: Document
    /// The document behind it.
    public let new: Document
}

/// The events that changed a document, to be gone through forward, back and to any place.
///
/// They are found by one fold of what the document rests on, as `why` finds them. Of each document is kept what it has otherwise
/// than the one before, some megabytes of that at most; for one that is no longer kept the document's own events are folded
/// again, not the journal.
public struct DocumentSteps: Sendable {
    /// Where an event stands that changed the document.
    public struct Place: Sendable, Hashable {
        /// The event's position.
        public let position: Position
        /// When it happened.
        public let at: Instant
        /// What happened.
        public let type: String
        /// Which of all changes it made; events that a viewer may not see made some, too.
        fileprivate let change: Int
    }

    /// In the order of the journal.
    public let places: [Place]
    /// The present that all documents are asked at, so that events alone make a difference.
    public let now: Instant
    /// How many events the document rests on; nil where that is every event, or nearly.
    public let basis: Int?
    /// Whether no change can have gone unseen (ADR 0041).
    public let isExact: Bool
    /// Whether the document may change behind the last place: among all events so many changes are searched for at a time.
    public let mayGoOn: Bool

    private let engine: EventEngine
    private let question: DocumentQuestion
    /// The last position that counts.
    private let last: Position
    /// The position before the first change.
    private let start: Position
    /// Where the document changed, whoever may see by what.
    private let changes: [Position]
    /// About so many bytes of documents are kept.
    private let keptBytes: Int
    /// Of number 0 is the document before the first change.
    private var kept: KeptDocuments
    /// The events around the one that was asked for last.
    private var events: [Position: Event] = [:]
    /// Those of them that the viewer sees whole.
    private var whole: Set<Position> = []
    /// In which order the page lists the members, from the document of a number on.
    private let orders: [(number: Int, names: [String])]

    /// Among all events so many changes are searched for at a time.
    private static let mostSearched = 256
    /// So many events are read at a time.
    private static let slice = 32

    init(
        _ engine: EventEngine, _ question: DocumentQuestion, from moment: Moment?, keptBytes: Int,
        _ reader: Reader
    ) throws {
        let snapshot = try reader.journal.snapshot()
        let last = snapshot.head.position
        var wanted = Position.zero
        if case .position(let position) = moment {
            try snapshot.checkReached(position)
            wanted = position
        }
        let now = try question.now ?? snapshot.instant(at: last)
        let looked = try ValueChanges(reader, question, snapshot, through: last, .fixed(now)) {
            SHA256Digest.of($0.bytes)
        }
        let found = try looked.places(atMost: Self.mostSearched) {
            try snapshot.first(from: moment)
        }
        let walk = looked.walk
        walk.notesOrder = true
        var old = try walk.document(asOf: found.start, now: now)
        var orders = [(number: 0, names: old.memberOrder)]
        var kept = KeptDocuments(old)
        var changes: [Position] = []
        for position in found.positions {
            let new = try walk.document(asOf: position, now: now)
            if new == old { continue }
            changes.append(position)
            if new.memberOrder != orders.last?.names {
                orders.append((changes.count, new.memberOrder))
            }
            if position < wanted || kept.size <= keptBytes { kept.append(new) }
            if position < wanted { kept.forgetFirst(keeping: keptBytes / 2) }
            old = new
        }
        places = try Self.places(changes, question.viewer, reader, snapshot)
        basis = walk.basis?.count
        isExact = looked.isExact
        mayGoOn = found.isCut
        start = found.start
        self.engine = engine
        self.question = question
        self.last = last
        self.now = now
        self.changes = changes
        self.keptBytes = keptBytes
        self.kept = kept
        self.orders = orders
    }

    private static func places(
        _ changes: [Position], _ viewer: Viewer?, _ reader: Reader, _ snapshot: JournalSnapshot
    ) throws -> [Place] {
        var places: [Place] = []
        guard let viewer else {
            let types = try JournalTypes(snapshot.types(), reader.registry)
            try snapshot.forEachEvent(at: changes) { event, _ in
                let type = types[event.type]?.payload.name ?? ""
                places.append(
                    Place(position: event.position, at: event.at, type: type, change: places.count))
                return true
            }
            return places
        }
        let log = try OpenLog(reader.journal, reader.registry)
        for first in stride(from: 0, to: changes.count, by: slice) {
            let some = changes[first..<min(first + slice, changes.count)]
            let seen = try reader.seen(log.history.documents(at: Array(some)), by: viewer)
            for event in seen.compactMap({ Event($0) }) {
                guard let change = some.firstIndex(of: event.position) else { continue }
                places.append(
                    Place(position: event.position, at: event.at, type: event.type, change: change))
            }
        }
        return places
    }

    /// The index of the first place at or behind a moment; that behind the last where there is none.
    public func index(of moment: Moment) -> Int {
        let found =
            switch moment {
            case .position(let position): places.firstIndex { $0.position >= position }
            case .instant(let instant): places.firstIndex { $0.at >= instant }
            }
        return found ?? places.count
    }

    /// The event at one of the places, and the document there.
    public mutating func step(at index: Int) throws(EngineError) -> DocumentStep {
        let place = places[index]
        let numbers = (old: place.change, new: place.change + 1)
        if !kept.contains(numbers.old) || !kept.contains(numbers.new) {
            kept = try walked(through: numbers.new)
        }
        if events[place.position] == nil { try readEvents(around: index) }
        guard var old = kept.document(numbers.old), var new = kept.document(numbers.new),
            let event = events[place.position]
        else {
            throw EngineError(.inputOutput, "event \(place.position) is gone; run verify")
        }
        old.memberOrder = orders.last { $0.number <= numbers.old }?.names ?? []
        new.memberOrder = orders.last { $0.number <= numbers.new }?.names ?? []
        let cause = Cause(
            event: event, changes: try DocumentDifference(from: old, to: new).changes,
            rules: engine.registry.rules(of: event.type), isWhole: whole.contains(place.position))
        return DocumentStep(cause: cause, old: old, new: new)
    }

    /// The documents up to a number, and some behind it, folded again.
    private func walked(through number: Int) throws(EngineError) -> KeptDocuments {
        try engine.read { reader in
            let walk = try DocumentWalk(
                reader, question, reader.journal.snapshot(), through: last)
            var kept = KeptDocuments(try walk.document(asOf: start, now: now))
            for (index, position) in changes.enumerated() {
                guard index < number || kept.size <= keptBytes else { break }
                kept.append(try walk.document(asOf: position, now: now))
                if index < number { kept.forgetFirst(keeping: keptBytes / 2) }
            }
            return kept
        }
    }

    private mutating func readEvents(around index: Int) throws(EngineError) {
        let near = max(0, index - Self.slice / 2)..<min(places.count, index + Self.slice / 2)
        let positions = places[near].map(\.position)
        let viewer = question.viewer
        let found = try engine.read { reader in
            let log = try OpenLog(reader.journal, reader.registry)
            let all = try log.history.documents(at: positions)
            return (all: Set(all), seen: try viewer.map { try reader.seen(all, by: $0) } ?? all)
        }
        events = [:]
        whole = []
        for document in found.seen {
            guard let event = Event(document) else { continue }
            events[event.position] = event
            if found.all.contains(document) { whole.insert(event.position) }
        }
    }
}

extension JournalSnapshot {
    /// The first event at or behind a moment; behind the last one where there is none.
    fileprivate func first(from moment: Moment?) throws -> Position {
        switch moment {
        case nil: return Position(1)
        case .position(let position): return max(position, Position(1))
        case .instant(let instant):
            var first = head.position + 1
            try forEachEvent { event, _ in
                guard event.at >= instant else { return true }
                first = event.position
                return false
            }
            return first
        }
    }
}
