import EventLog
import Core
import Folding
import Projections

/// The events that count for a question, read from the journal and its indexes.
struct JournalHistory: History {
    let snapshot: JournalSnapshot
    let types: JournalTypes
    let keys: PersonKeys
    private let opener: PartOpener
    /// Whose personal fields read null besides those whose keys are destroyed, by product and subject:
    /// their erasure is not durable yet.
    let hides: (String, Symbol) -> Bool
    let names: Names
    let scope: Scope
    /// Where a failure is left: a view does not throw what the disk did.
    let faults: TableSpace

    init(
        snapshot: JournalSnapshot, types: JournalTypes, keys: PersonKeys,
        hides: @escaping (String, Symbol) -> Bool = { _, _ in false }, names: Names, scope: Scope,
        faults: TableSpace
    ) {
        self.snapshot = snapshot
        self.types = types
        self.keys = keys
        opener = PartOpener(keys: keys, names: names)
        self.hides = hides
        self.names = names
        self.scope = scope
        self.faults = faults
    }

    func forEach(types wanted: [String], _ body: (EventEnvelope) -> Bool) {
        do {
            if wanted.isEmpty { return try read(Position(1), through: scope.through, body) }
            let numbers = wanted.flatMap { types.numbers(matching: $0) }
            let positions = try numbers.flatMap {
                try snapshot.positions(of: .type, UInt32($0), through: scope.through)
            }
            try read(positions.sorted(), body)
        } catch {
            faults.recordFault(error)
        }
    }

    func forEach(at positions: [Position], _ body: (EventEnvelope) -> Bool) {
        do {
            try read(positions, body)
        } catch {
            faults.recordFault(error)
        }
    }

    func forEach(tags: [String], _ body: (EventEnvelope) -> Bool) {
        do {
            let symbols = Set(tags.compactMap { names.known($0) })
            let positions = try symbols.flatMap {
                try snapshot.positions(of: .tag, $0.number, through: scope.through)
            }
            try read(Set(positions).sorted(), body)
        } catch {
            faults.recordFault(error)
        }
    }

    func positions(in lists: [EventList]) -> [Position] {
        do {
            let keys = lists.flatMap { postingKeys($0) }
            let found = try keys.map {
                try snapshot.positions(of: $0.kind, $0.key, through: scope.through)
            }
            return found.count == 1 ? found[0] : Set(found.joined()).sorted()
        } catch {
            faults.recordFault(error)
            return []
        }
    }

    /// Where the index has a list; an actor's events are found by their tag where they bear it.
    private func postingKeys(_ list: EventList) -> [(kind: PostingKind, key: UInt32)] {
        func keys(_ kinds: [PostingKind], _ text: String) -> [(kind: PostingKind, key: UInt32)] {
            guard let symbol = names.known(text) else { return [] }
            return kinds.map { ($0, symbol.number) }
        }
        return switch list {
        case .type(let pattern): types.numbers(matching: pattern).map { (.type, UInt32($0)) }
        case .tag(let text): keys([.tag], text)
        case .actor(let text): keys([.actor, .tag], text)
        case .stream(let text): keys([.stream], text)
        }
    }

    var wholeThrough: Position? { scope.isWhole ? scope.through : nil }

    /// By what the records say alone: nothing of the events is decoded.
    func tally() -> EventTally {
        var tally = EventTally()
        var events = [Int](repeating: 0, count: types.count + 1)
        var streams = NumberSet()
        do {
            try snapshot.forEachEvent(from: Position(1), through: scope.through) { event, _ in
                guard scope.counts(event), types[event.type] != nil else { return true }
                events[Int(event.type)] += 1
                streams.insert(event.stream.number)
                tally.note(event.at)
                return true
            }
        } catch {
            faults.recordFault(error)
        }
        tally.streams = streams.count
        tally.types = events.indices.compactMap { number in
            guard events[number] > 0, let entry = types[UInt16(number)] else { return nil }
            return (entry.payload, events[number])
        }
        return tally
    }

    /// The events at ascending positions that count.
    private func read(_ positions: [Position], _ body: (EventEnvelope) -> Bool) throws {
        if let first = positions.first, let last = positions.last, positions.count >= Self.many,
            last.number - first.number == UInt64(positions.count - 1)
        {
            return try read(first, through: last, body)
        }
        try snapshot.forEachEvent(at: positions) { event, bytes in
            guard scope.counts(event), let found = envelope(event, bytes) else { return true }
            return body(found)
        }
    }

    /// The events between two positions that count.
    private func read(
        _ first: Position, through last: Position, _ body: (EventEnvelope) -> Bool
    ) throws {
        var metadata = EventMetadata.nowhere
        try snapshot.forEachEvent(from: first, through: last) { event, bytes in
            guard scope.counts(event), let found = envelope(event, bytes, &metadata) else {
                return true
            }
            return body(found)
        }
    }

    /// Neighbours from which on whole blocks are read, not one event after the other.
    private static let many = 1024

    /// The events at ascending positions as the journal lists them, whether or not they count.
    func documents(at positions: [Position]) throws -> [Document] {
        var found: [Document] = []
        try snapshot.forEachEvent(at: positions) { event, bytes in
            guard let envelope = envelope(event, bytes) else { return true }
            var document = Document(names: names) { EventDocument.write(envelope, to: &$0) }
            document.position = event.position
            found.append(document)
            return true
        }
        try checkFault()
        return found
    }

    /// What could not be read on the way, before anything is shown.
    func checkFault() throws {
        if let fault = names.fault ?? faults.fault { throw fault }
        if let fault = keys.takeFault() { throw fault }
    }

    /// Nil for an event of a type that the journal does not know.
    func envelope(_ event: EventRecord, _ bytes: [UInt8]) -> EventEnvelope? {
        var metadata = EventMetadata.nowhere
        return envelope(event, bytes, &metadata)
    }

    /// The same; `metadata` become those of the event, in the room of the one before. They hold on to `bytes`: for who reads
    /// blocks whole, since a chunk that is opened behind them would have the block copied.
    func envelope(
        _ event: EventRecord, _ bytes: [UInt8], _ metadata: inout EventMetadata
    ) -> EventEnvelope? {
        guard let entry = types[event.type] else { return nil }
        return EventEnvelope(
            event, bytes, entry,
            opener: hides(entry.payload.product, event.subject) ? nil : opener, &metadata)
    }
}

extension EventEnvelope {
    /// An event as it was read, `body` being the buffer that came with it.
    init(
        _ record: EventRecord, _ body: [UInt8], _ entry: JournalTypes.Entry,
        opener: PartOpener?
    ) {
        var metadata = EventMetadata.nowhere
        self.init(record, body, entry, opener: opener, &metadata)
    }

    /// The same; `metadata` become those of the event.
    init(
        _ record: EventRecord, _ body: [UInt8], _ entry: JournalTypes.Entry,
        opener: PartOpener?, _ metadata: inout EventMetadata
    ) {
        var payload = BinaryReader(
            body, stored: record.payload, flags: record.flags, at: record.place, opener: opener)
        metadata.become(record, body, &payload)
        self.init(
            metadata: metadata, type: entry.payload,
            version: entry.version, revision: Int(record.revision),
            recordedAt: record.recordedAt, tags: record.tags, place: record.place,
            payload: payload)
    }
}

/// Which events count (contract, `--as-of`, `--known-at`).
struct Scope {
    /// The last position that counts.
    var through: Position
    /// Events that happened after it do not count.
    var happenedBy: Instant?
    /// Events that the journal learned of after it do not count.
    var knownBy: Instant?

    init(through: Position) {
        self.through = through
    }

    /// Every event up to `through` counts.
    var isWhole: Bool { happenedBy == nil && knownBy == nil }

    /// What an event up to `through` has to pass; nil where all of them count.
    var filter: ((EventRecord) -> Bool)? { isWhole ? nil : { counts($0) } }

    func counts(_ event: EventRecord) -> Bool {
        if let happenedBy, event.at > happenedBy { return false }
        if let knownBy, event.recordedAt > knownBy { return false }
        return event.position <= through
    }
}

/// A position, or an instant.
public enum Moment: Sendable, Hashable {
    /// Up to, or from, the event at this position.
    case position(Position)
    /// Up to, or from, what happened at this instant.
    case instant(Instant)

    /// Reads a number, or an RFC 3339 instant with an offset; nil for anything else.
    public init?(_ text: String) {
        if let number = UInt64(text), number <= UInt64(Int64.max) {
            self = .position(Position(number))
        } else if let instant = Instant(rfc3339: text) {
            self = .instant(instant)
        } else {
            return nil
        }
    }
}
