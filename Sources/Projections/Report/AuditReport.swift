public import Core

/// What an audit report says of a period, before it is laid out: counted in one pass over the journal.
public struct AuditReport: Sendable {
    /// Both ends included; nil is the journal's own end.
    public var from: Instant?
    public var to: Instant?
    public var events = 0
    public var people = 0
    public var streams = 0
    /// Of the first and the last event by `at`.
    public var first: Instant?
    public var last: Instant?
    public var products: [(name: String, events: Int)] = []
    /// Most frequent first.
    public var kinds: [Kind] = []
    /// Most active first, no more than `Self.mostActors`.
    public var actors: [ActorRow] = []
    public var actorCount = 0
    /// By UTC date, ascending, days without events left out.
    public var days: [Day] = []
    public var refusals = Acts()
    public var erasures = Acts()
    public var administrative = Acts()
    public var integrity: IntegrityStatement

    public init(integrity: IntegrityStatement) {
        self.integrity = integrity
    }

    public static let mostActors = 100
    /// Of the events of one actor so many kinds are told.
    public static let mostKinds = 6
    /// So many acts of a section are shown, the newest.
    public static let mostActs = 300

    public struct Kind: Sendable {
        public let type: PayloadType
        public var events = 0
        public var first: Instant
        public var last: Instant

        public init(type: PayloadType, first: Instant) {
            self.type = type
            self.first = first
            last = first
        }
    }

    public struct ActorRow: Sendable {
        public var name: String
        public var events = 0
        public var refusals = 0
        public var administrative = 0
        /// Most frequent first, no more than `mostKinds`.
        public var kinds: [(sentence: String, events: Int)] = []
        /// How many kinds there are in all.
        public var kindCount = 0

        public init(name: String) {
            self.name = name
        }
    }

    public struct Day: Sendable {
        public let date: LocalDate
        public var events: Int
        public var refusals: Int

        public init(date: LocalDate, events: Int, refusals: Int) {
            self.date = date
            self.events = events
            self.refusals = refusals
        }
    }

    /// Single events that an auditor reads one by one, newest first.
    public struct Acts: Sendable {
        public var total = 0
        public var shown: [Act] = []

        public init() {}
    }

    public struct Act: Sendable {
        public let position: Position
        public let at: Instant
        public let actor: String
        public let device: String
        public let stream: String
        public let type: String
        public let sentence: String
        /// The members of its data that are there and not personal.
        public let data: [(name: String, value: String)]

        /// Nothing personal, erased or not: reports are passed around.
        public init(_ event: EventEnvelope, _ names: Names) {
            position = event.metadata.position
            at = event.metadata.at
            actor = names.text(event.metadata.actor)
            device = names.text(event.metadata.device)
            stream = names.text(event.metadata.stream)
            type = event.type.name
            sentence = event.type.sentence
            var output = JSONOutput(names: names)
            var members: [JSON.Member] = []
            if event.writeData(to: &output, hidesPersonal: true) {
                members = (try? JSON(parsing: output.json.bytes))?.members ?? []
            }
            data = members.compactMap { member in
                if case .null = member.value { return nil }
                return (member.name, Self.shortened(member.value.string ?? "\(member.value)"))
            }
        }

        private static let longest = 400

        private static func shortened(_ text: String) -> String {
            let scalars = text.unicodeScalars
            guard scalars.count > longest else { return text }
            return String(scalars.prefix(longest)) + " …"
        }
    }
}

/// What vouches for the journal as the report found it.
public struct IntegrityStatement: Sendable {
    /// The journal's identity.
    public var journal: String
    /// The last event when the report was made.
    public var position: Position
    /// Checksum of the last commit, which covers all before it.
    public var chain: String
    /// The root hash of the tree over all events; nil while there is none.
    public var treeRoot: String?
    /// A signed checkpoint in its text form; nil when none was made.
    public var checkpoint: String?
    /// Whether the journal has the root that the checkpoint signed.
    public var holds = true

    public init(
        journal: String, position: Position, chain: String,
        treeRoot: String? = nil, checkpoint: String? = nil
    ) {
        self.journal = journal
        self.position = position
        self.chain = chain
        self.treeRoot = treeRoot
        self.checkpoint = checkpoint
    }
}
