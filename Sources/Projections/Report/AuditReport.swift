package import Core

/// What an audit report says of a period, before it is laid out: counted in one pass over the journal.
package struct AuditReport: Sendable {
    /// Both ends included; nil is the journal's own end.
    package var from: Instant?
    package var to: Instant?
    package var events = 0
    package var people = 0
    package var streams = 0
    /// Of the first and the last event by `at`.
    package var first: Instant?
    package var last: Instant?
    package var products: [(name: String, events: Int)] = []
    /// Most frequent first.
    package var kinds: [Kind] = []
    /// Most active first, no more than `Self.mostActors`.
    package var actors: [ActorRow] = []
    package var actorCount = 0
    /// By UTC date, ascending, days without events left out.
    package var days: [Day] = []
    package var refusals = Acts()
    package var erasures = Acts()
    package var administrative = Acts()
    package var integrity: IntegrityStatement

    package init(integrity: IntegrityStatement) {
        self.integrity = integrity
    }

    package static let mostActors = 100
    /// How many kinds of one actor's events are listed.
    package static let mostKinds = 6
    /// How many acts of a section are shown, newest first.
    package static let mostActs = 300

    package struct Kind: Sendable {
        package let type: PayloadType
        package var events = 0
        package var first: Instant
        package var last: Instant

        package init(type: PayloadType, first: Instant) {
            self.type = type
            self.first = first
            last = first
        }
    }

    package struct ActorRow: Sendable {
        package var name: String
        package var events = 0
        package var refusals = 0
        package var administrative = 0
        /// Most frequent first, no more than `mostKinds`.
        package var kinds: [(sentence: String, events: Int)] = []
        /// How many kinds there are in all.
        package var kindCount = 0

        package init(name: String) {
            self.name = name
        }
    }

    package struct Day: Sendable {
        package let date: LocalDate
        package var events: Int
        package var refusals: Int

        package init(date: LocalDate, events: Int, refusals: Int) {
            self.date = date
            self.events = events
            self.refusals = refusals
        }
    }

    /// Single events that an auditor reads one by one, newest first.
    package struct Acts: Sendable {
        package var total = 0
        package var shown: [Act] = []

        package init() {}
    }

    package struct Act: Sendable {
        package let position: Position
        package let at: Instant
        package let actor: String
        package let device: String
        package let stream: String
        package let type: String
        package let sentence: String
        /// The members of its data that are there and not personal.
        package let data: [(name: String, value: String)]

        /// Nothing personal, erased or not: reports are passed around.
        package init(_ event: EventEnvelope, _ names: Names) {
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
package struct IntegrityStatement: Sendable {
    /// The journal's identity.
    package var journal: String
    /// The last event when the report was made.
    package var position: Position
    /// Checksum of the last commit, which covers all before it.
    package var chain: String
    /// The root hash of the tree over all events; nil while there is none.
    package var treeRoot: String?
    /// A signed checkpoint in its text form; nil when none was made.
    package var checkpoint: String?
    /// Whether the journal has the root that the checkpoint signed.
    package var holds = true
    /// Whether its signature is by a key that is kept beside the journal.
    package var isSigned = true

    package init(
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
