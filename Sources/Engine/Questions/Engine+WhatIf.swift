import Commands
public import Core
import EventLog
import Folding

/// What might have come otherwise.
public struct Alternative: Sendable {
    /// Values of policies by product, such as `examroom`, in force from the first event on whatever was adopted: an object
    /// of names and values.
    public var policies: [String: Document.Value] = [:]
    /// Positions of events that did not come.
    public var without: Set<Position> = []
    /// Commands that come behind the last event, one JSON object each; an id that the journal knows counts as new.
    public var commands: [String] = []
    /// How far the clock goes on behind them: what is due by then happens.
    public var until: Instant?
    /// The present that documents are asked at, both as they are and as they would be; nil for the last instant of either.
    public var now: Instant?

    /// What did come.
    public init() {}
}

/// What would be otherwise.
public struct AlternativeOutcome: Sendable {
    /// Of the commands, in their order.
    public let outcomes: [Outcome]
    /// How the documents of each read model would differ from what they are.
    public let models: [ModelComparison]
}

extension EventEngine {
    /// Folds the journal's events anew in memory, otherwise than they came, and compares every document of the models with
    /// what it is. Records nothing.
    ///
    /// Events stay what they are: what a decision or a timer made of a policy then is not decided again. Read models that quote
    /// the journal itself quote what it holds.
    ///
    /// - Parameter names: read models; none for every model of every product.
    public func whatIf(
        _ alternative: Alternative, models names: [String] = []
    ) throws(EngineError) -> AlternativeOutcome {
        try whileOpen {
            try Fork(self, alternative, try ComparedModels(registry, names)).compare()
        }
    }
}

/// Two states of one journal: what is so, and what would be.
private struct Fork {
    private let engine: EventEngine
    private let alternative: Alternative
    private let models: ComparedModels
    private let snapshot: JournalSnapshot
    private var head: Position { snapshot.head.position }

    init(_ engine: EventEngine, _ alternative: Alternative, _ models: ComparedModels) throws {
        self.engine = engine
        self.alternative = alternative
        self.models = models
        snapshot = try engine.journal.snapshot()
    }

    func compare() throws -> AlternativeOutcome {
        if let stranger = alternative.without.sorted().first(where: { $0 == .zero || $0 > head }) {
            throw EngineError(
                .wrongUse, "there is no event \(stranger) to leave out; the last is \(head)")
        }
        let real = try session(models.products)
        try real.catchUp(snapshot)
        // Commands and timers may be of any product, and those of one may move another's clock.
        let decides = !alternative.commands.isEmpty || alternative.until != nil
        let other = try session(decides ? engine.registry.products : models.products)
        try fold(into: other)
        var now = try snapshot.instant(at: head)
        let outcomes = decides ? try decide(on: other, &now) : []
        let present = alternative.now ?? now
        let scope = Scope(through: head)
        return AlternativeOutcome(
            outcomes: outcomes,
            models: try models.compare(
                models.documents(real, snapshot, scope, now: present),
                models.documents(other, snapshot, scope, now: present)))
    }

    private func session(_ products: [Product]) throws -> Session {
        try Session(
            journal: engine.journal, registry: engine.registry, store: nil, snapshot: snapshot,
            of: products, observation: engine.observation)
    }

    // MARK: Folding

    /// Folds what came, without what is left out; a policy is put back in force behind each event that adopts one.
    private func fold(into session: Session) throws {
        let counts = { (event: EventRecord) in !alternative.without.contains(event.position) }
        var adoptions: [(position: Position, event: DecidedEvent)] = []
        for (product, changes) in alternative.policies {
            let event = try adopted(changes, product)
            let numbers = session.types.numbers(matching: event.type)
            let positions = try numbers.flatMap {
                try snapshot.positions(of: .type, UInt32($0), through: head)
            }
            adoptions += ([.zero] + positions).map { ($0, event) }
        }
        for adoption in adoptions.sorted(by: { $0.position < $1.position }) {
            try session.catchUp(snapshot, through: adoption.position, counting: counts)
            try fold(adoption.event, into: session, at: adoption.position)
        }
        try session.catchUp(snapshot, counting: counts)
    }

    private func fold(
        _ event: DecidedEvent, into session: Session, at position: Position
    ) throws {
        let product = event.type.prefix { $0 != "." }
        guard let folder = session.runtime(of: String(product))?.folder(of: event.type) else {
            return
        }
        let metadata = EventMetadata(
            position: position, at: event.at, actor: event.actor, device: event.device,
            stream: event.stream, subject: event.subject, cause: event.cause)
        var reader = BinaryReader(event.payload, personal: event.personal, names: session.names)
        guard folder.fold(metadata, 1, &reader) else {
            throw EngineError(.badInput, "the values of \(product)'s policy cannot be folded")
        }
    }

    /// The event that adopts the values, decided on an empty state as the product's rules have it.
    private func adopted(_ changes: Document.Value, _ product: String) throws -> DecidedEvent {
        let session = try session(engine.registry.products.filter { $0.name == product })
        guard let runtime = session.runtime(of: product) else {
            throw EngineError(.wrongUse, "there is no product \"\(product)\"")
        }
        let data = JSON.object(of: [("changes", try JSON(parsing: changes.canonical))])
        var input = JSONInput(names: session.names, path: "data")
        guard let prepared = runtime.prepare("\(product).policy.adopt", data, &input) else {
            let problem = input.problem ?? "not of the right form"
            throw EngineError(.badInput, "the policy of \(product): \(problem)")
        }
        guard let system = Actor("system", names: session.names) else {
            throw EngineError(.wrongUse, "\(product) has no system")
        }
        let decision = prepared.decide(
            DecisionInput(
                at: .epoch, actor: system, device: .none, command: .none, cause: .zero,
                next: Position(1), idempotency: NothingKnown(), history: { _ in NoHistory() }))
        switch decision {
        case .accepted(let events, _):
            guard let event = events.first(where: { $0.type == "\(product).policy.adopted" }) else {
                throw EngineError(.badInput, "the policy of \(product): nothing would change")
            }
            return event
        case .rejected(_, let message, _, _):
            throw EngineError(.badInput, "the policy of \(product): \(message)")
        }
    }

    private final class NothingKnown: IdempotencyIndex {
        func known(command id: String, _ digest: [UInt8]) -> KnownCommand { .unknown }
    }

    // MARK: Deciding

    /// Decides the commands behind what was folded; `now` becomes the last instant of what comes of them.
    private func decide(on session: Session, _ now: inout Instant) throws -> [Outcome] {
        for runtime in session.runtimes { runtime.space.keepsChanges = true }
        let decider = BatchDecider(
            session, snapshot, now, lead: .unbounded, mostTimerEvents: .max)
        var lines = try alternative.commands.enumerated().map { index, text in
            SubmittedLine(bytes: try Self.renamed(text, index), number: index + 1)
        }
        if let until = alternative.until {
            let advance =
                #"{"at":"\#(until)","by":"system","command":"clock.advance","data":{},"id":"#
            lines.append(
                SubmittedLine(bytes: Array((advance + #""what-if-until"}"#).utf8), number: 0))
        }
        var outcomes: [Outcome] = []
        for line in lines {
            guard case .outcome(let outcome) = try decider.decide(line) else { continue }
            // A line that is no JSON is answered `malformed`, and has no instant.
            let at = (try? JSON(parsing: line.bytes))?["at"]?.string
            if let instant = at.flatMap(Instant.init(rfc3339:)) { now = max(now, instant) }
            if line.number > 0 {
                outcomes.append(outcome)
            } else if outcome.status == .rejected, let until = alternative.until {
                throw EngineError(
                    .wrongUse, "the clock cannot go on to \(until): later events are there")
            }
        }
        try session.checkFaults()
        return outcomes
    }

    /// The command under an id that no journal knows: one of before is asked again, not answered `duplicate`.
    private static func renamed(_ text: String, _ index: Int) throws -> [UInt8] {
        let json: JSON
        do throws(JSONError) {
            json = try JSON(parsing: text)
        } catch {
            return Array(text.utf8)
        }
        guard case .object(let members) = json, json["id"] != nil else { return Array(text.utf8) }
        let renamed = members.map {
            ($0.name, $0.name == "id" ? JSON.string("what-if-\(index + 1)") : $0.value)
        }
        return JSON.object(of: renamed).canonical
    }
}
