/// The events that count for a question: for models that are questions to the journal itself, and for
/// decisions that quote it (ADR 0016).
public protocol History {
    /// Calls `body` with each event of the types (names, none for all), oldest first, until it
    /// returns false.
    func forEach(types: [String], _ body: (EventEnvelope) -> Bool)

    /// Calls `body` with each event that bears one of the tags, oldest first.
    func forEach(tags: [String], _ body: (EventEnvelope) -> Bool)

    /// Calls `body` with each event at these ascending positions that counts.
    func forEach(at positions: [Position], _ body: (EventEnvelope) -> Bool)

    /// The positions of all events that stand in one of the lists, ascending, each once. Others may be
    /// among them, and events that do not count: filter again when reading.
    func positions(in lists: [EventList]) -> [Position]

    /// The last position, if every event up to it counts; nil where some do not, or nobody knows.
    var wholeThrough: Position? { get }

    /// How many events count.
    func tally() -> EventTally
}

/// How many events there are, of what kinds, between which instants.
public struct EventTally: Sendable {
    /// Of every type in every version that occurs, in no particular order.
    public var types: [(type: PayloadType, events: Int)] = []
    /// How many streams they stand on.
    public var streams = 0
    /// The earliest `at`; nil where there are none.
    public var first: Instant?
    /// The latest `at`.
    public var last: Instant?
    /// How many there are in all.
    public var events: Int { types.reduce(0) { $0 + $1.events } }

    public init() {}

    /// Takes note of when an event happened.
    public mutating func note(_ at: Instant) {
        first = min(first ?? at, at)
        last = max(last ?? at, at)
    }
}

/// A list that a journal's index keeps.
public enum EventList: Hashable, Sendable {
    /// Of a type: a wire name, or a prefix and `*`.
    case type(String)
    /// Of a tag, `KIND:ID`.
    case tag(String)
    /// Of what an actor did.
    case actor(String)
    /// Of a stream, `PRODUCT/NOUN/ID`.
    case stream(String)
}

extension History {
    /// Without an index: all that there are.
    public func positions(in lists: [EventList]) -> [Position] {
        var found: [Position] = []
        guard !lists.isEmpty else { return found }
        forEach(types: []) { event in
            found.append(event.metadata.position)
            return true
        }
        return found
    }

    public var wholeThrough: Position? { nil }

    public func tally() -> EventTally {
        var tally = EventTally()
        var types: [ObjectIdentifier: (type: PayloadType, events: Int)] = [:]
        var streams: Set<Symbol> = []
        forEach(types: []) { event in
            types[ObjectIdentifier(event.type), default: (event.type, 0)].events += 1
            streams.insert(event.metadata.stream)
            tally.note(event.metadata.at)
            return true
        }
        tally.types = Array(types.values)
        tally.streams = streams.count
        return tally
    }

    public func forEach(at positions: [Position], _ body: (EventEnvelope) -> Bool) {
        let wanted = Set(positions)
        forEach(types: []) { event in
            wanted.contains(event.metadata.position) ? body(event) : true
        }
    }
}

/// No events: for decisions that quote none, and for what is left when the journal cannot be read.
public struct NoHistory: History, Sendable {
    public init() {}

    public func forEach(types: [String], _ body: (EventEnvelope) -> Bool) {}
    public func forEach(tags: [String], _ body: (EventEnvelope) -> Bool) {}
}

/// An event with what surrounds it, its payload not yet decoded: read from the journal, or decided and not durable yet.
public struct EventEnvelope {
    /// Where, when and by whom.
    public let metadata: EventMetadata
    public let type: PayloadType
    public let version: UInt16
    /// How many events of its stream came before it; 0 until a decided one has its place in a batch.
    public private(set) var revision: Int
    /// When the journal learned of it.
    public let recordedAt: Instant
    /// The symbols of its tags, `KIND:ID`.
    public let tags: [Symbol]
    /// What is sealed of it was sealed there.
    public let place: SealingContext
    /// Behind its origin, if it has one.
    package private(set) var payload: BinaryReader
    /// Of a decided event, in clear, what will be sealed; empty where nothing is, and for one that was read.
    package private(set) var personal: [UInt8]

    public init(
        metadata: EventMetadata, type: PayloadType, version: UInt16, revision: Int,
        recordedAt: Instant, tags: [Symbol], place: SealingContext, payload: BinaryReader,
        personal: [UInt8] = []
    ) {
        self.metadata = metadata
        self.type = type
        self.version = version
        self.revision = revision
        self.recordedAt = recordedAt
        self.tags = tags
        self.place = place
        self.payload = payload
        self.personal = personal
    }

    /// The same, its personal fields null.
    package var hidingPersonal: EventEnvelope {
        var copy = self
        copy.payload = payload.hidingPersonal
        copy.personal = []
        return copy
    }

    /// The same at its place in its stream.
    package func with(revision: Int) -> EventEnvelope {
        var copy = self
        copy.revision = revision
        return copy
    }

    /// The id of the command that it came of; empty for a timer's.
    public var command: String { metadata.command.text }

    /// The payload as a `P`; nil when the event is of another type.
    public func read<P: Payload>(_ type: P.Type) -> P? {
        guard self.type.swiftType == ObjectIdentifier(type) else { return nil }
        var reader = payload
        return P.decode(version: version, from: &reader)
    }

    /// What of it is sealed; nil where nothing personal was given.
    public var sealed: SealedPart? {
        payload.sealed.flatMap { SealedPart(payload.bytes, $0) }
    }

    /// Writes the payload as a JSON object, its personal fields as null if wanted.
    public func writeData(to output: inout JSONOutput, hidesPersonal: Bool = false) -> Bool {
        var reader = payload
        if hidesPersonal { reader.hidePersonal() }
        return type.writeJSON(version, metadata.origin, &reader, &output)
    }
}
