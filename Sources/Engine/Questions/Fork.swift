import Commands
import Core
import EventLog
import Folding

/// Two states of one journal: what is so, and what would be.
struct Fork {
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

    func compare(_ progress: (Progress) throws -> Void) throws -> AlternativeOutcome {
        try checkThatEventsAreThere()
        // Commands and timers may be of any product, and those of one may move another's clock.
        let decides =
            alternative.commands.contains { !$0.isEmpty } || alternative.until != nil
        let wanted = decides ? engine.registry.products : models.products
        let states = try concurrently({ [engine, head] in
            UncheckedTransfer(try engine.comparedState(wanted, through: head, of: head))
        }) {
            alternative.changesThePast
                ? try folded(wanted, progress)
                : (state: try engine.comparedState(wanted, through: head, of: head), touched: [])
        }
        let (real, other) = (states.other.value, states.body.state)
        var now = try snapshot.instant(at: head)
        if decides, alternative.commandsComeAnyway { _ = try decide(on: real.session, &now) }
        let outcomes = decides ? try decide(on: other.session, &now) : []
        var models = models
        if !decides { models.untouched = Set(wanted.map(\.name)).subtracting(states.body.touched) }
        return AlternativeOutcome(
            outcomes: outcomes,
            models: try models.compare(real, other, now: alternative.now ?? now, progress))
    }

    private func checkThatEventsAreThere() throws(EngineError) {
        for position in alternative.without.sorted() where position == .zero || position > head {
            throw EngineError(
                .wrongUse, "there is no event \(position) to leave out; the last is \(head)")
        }
    }

    // MARK: Folding

    /// The state as it would be, and the products whose state may differ: no product folds another's events (ADR 0032).
    private func folded(
        _ products: [Product], _ progress: (Progress) throws -> Void
    ) throws -> (state: ComparedState, touched: Set<String>) {
        let session = try engine.maker.blank(snapshot, of: products)
        let touched = try fold(into: session, progress)
        try session.writeOut()
        return (ComparedState(session, snapshot, through: head, engine.maker), touched)
    }

    /// Folds what came, otherwise; a policy is put back in force behind each event that adopts one. Answers the products that
    /// what is otherwise is of.
    private func fold(
        into session: Session, _ progress: (Progress) throws -> Void
    ) throws -> Set<String> {
        let left = try leftOut()
        let changes = try EventChanges(alternative.changes, session, engine.registry, snapshot)
        var touched = Set(alternative.policies.keys)
        func touch(_ event: EventRecord) {
            guard let type = session.types[event.type]?.payload.name else { return }
            for runtime in session.runtimes where runtime.folder(of: type) != nil {
                touched.insert(runtime.product)
            }
        }
        let counts = { (event: EventRecord) in
            guard left.contains(event.position) else { return true }
            touch(event)
            return false
        }
        func fold(through last: Position) throws {
            try session.catchUp(
                snapshot, through: last, counting: counts,
                changing: { event, body in
                    guard let changed = try changes.changed(event, body) else { return nil }
                    touch(event)
                    return changed
                },
                progress: {
                    try progress(Progress(done: $0.number, total: head.number, what: "folding"))
                })
        }
        var adoptions: [(position: Position, event: EventEnvelope)] = []
        for (product, values) in alternative.policies {
            // Products that none of the models read are not compared.
            guard let event = try adopted(values, product, session) else { continue }
            let numbers = session.types.numbers(matching: event.type.name)
            let positions = try numbers.flatMap {
                try snapshot.positions(of: .type, UInt32($0), through: head)
            }
            adoptions += ([.zero] + positions).map { ($0, event) }
        }
        for adoption in adoptions.sorted(by: { $0.position < $1.position }) {
            try fold(through: adoption.position)
            try self.fold(adoption.event, into: session, at: adoption.position)
        }
        try fold(through: head)
        try changes.checkAllMet()
        return touched
    }

    /// The positions of events that did not come.
    private func leftOut() throws -> Set<Position> {
        var positions = alternative.without
        for id in alternative.withoutCommands.sorted(by: { $0.precedes($1) }) {
            guard let entry = try snapshot.command(Array(id.utf8)) else {
                throw EngineError(
                    .wrongUse, "no command \"\(id)\" was accepted; nothing to leave out")
            }
            // Before its own events stand those of the timers that were due; those of a command that a merge brought are the
            // merge's, and say whose they were.
            let before = positions.count
            try snapshot.forEachEvent(at: (0..<Int(entry.count)).map { entry.first + $0 }) {
                event, body in
                var reader = BinaryReader(
                    body, stored: event.payload, flags: event.flags, at: event.place, opener: nil)
                let origin = Origin.read(from: &reader, flags: event.flags)
                let commands = [CommandName(body, event.commandID).text, origin?.command]
                if commands.contains(where: { $0?.isExactly(id) ?? false }) {
                    positions.insert(event.position)
                }
                return true
            }
            guard positions.count > before || entry.count == 0 else {
                throw EngineError(
                    .wrongUse, "command \"\(id)\" has no other event to leave out")
            }
        }
        return positions
    }

    private func fold(
        _ event: EventEnvelope, into session: Session, at position: Position
    ) throws {
        let product = event.type.product
        guard let folder = session.runtime(of: product)?.folder(of: event.type.name) else {
            return
        }
        let decided = event.metadata
        let metadata = EventMetadata(
            position: position, at: decided.at, actor: decided.actor, device: decided.device,
            stream: decided.stream, subject: decided.subject, cause: decided.cause)
        var reader = event.payload
        guard folder.fold(metadata, event.version, &reader) else {
            throw EngineError(.policyNotPossible(product: product, "it cannot be folded"))
        }
    }

    /// The event that adopts the values, decided on an empty state as the product's rules have it; nil where the session has
    /// no such product.
    private func adopted(
        _ changes: Document.Value, _ product: String, _ session: Session
    ) throws -> EventEnvelope? {
        guard let known = engine.registry.product(product) else {
            let nearest = NearestName.of(product, in: engine.registry.products.map(\.name))
            throw EngineError(
                .wrongUse,
                "there is no product \"\(product)\""
                    + (nearest.map { "; did you mean \($0)?" } ?? ""))
        }
        // In the names of the session that folds it.
        let runtime = known.makeRuntime(TableSpace(), session.names)
        defer { runtime.space.dissolve() }
        let data = JSON.object(of: [("changes", try JSON(parsing: changes.canonical))])
        var input = JSONInput(names: session.names, path: "data")
        guard let prepared = runtime.prepare("\(product).policy.adopt", data, &input) else {
            let problem = input.problem ?? "not of the right form"
            throw EngineError(.policyNotPossible(product: product, problem))
        }
        guard let system = Actor("system", names: session.names) else {
            throw EngineError(.wrongUse, "\(product) has no system")
        }
        let decision = prepared.decide(
            DecisionInput(
                at: .epoch, actor: system, device: .none, command: .none,
                place: SealingContext(position: Position(1), recordedAt: .epoch),
                idempotency: NothingKnown(), vocabulary: engine.registry.payload))
        switch decision {
        case .accepted(let events, _):
            guard let event = events.first(where: { $0.type.name == "\(product).policy.adopted" })
            else {
                throw EngineError(.policyNotPossible(product: product, "nothing would change"))
            }
            return session.runtime(of: product) == nil ? nil : event
        case .rejected(_, let message, _, _):
            throw EngineError(.policyNotPossible(product: product, message))
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
            session, snapshot, now, lead: .unbounded, mostTimerEvents: .max, records: false)
        var lines = try alternative.commands.enumerated().filter { !$1.isEmpty }.map {
            SubmittedLine(bytes: try unknown($1, $0), number: $0 + 1)
        }
        if let until = alternative.until {
            guard until >= now else {
                throw EngineError(
                    .wrongUse, "the clock cannot go on to \(until): the last event is of \(now)")
            }
            let advance =
                #"{"at":"\#(until)","by":"system","command":"clock.advance","data":{},"id":"#
            lines.append(
                SubmittedLine(
                    bytes: Array((advance + "\"\(try freeID("what-if-until"))\"}").utf8), number: 0)
            )
        }
        var outcomes: [Outcome] = []
        for line in lines {
            guard case .outcome(let outcome) = try decider.decide(line) else { continue }
            if outcome.movesTime { now = max(now, try line.command().at ?? now) }
            if line.number > 0 { outcomes.append(outcome) }
        }
        try session.checkFaults()
        return outcomes
    }

    /// The command; under another id where the journal knows it, so that it is asked again, not answered `duplicate`.
    private func unknown(_ text: String, _ index: Int) throws -> [UInt8] {
        let json: JSON
        do throws(JSONError) {
            json = try JSON(parsing: text)
        } catch {
            return Array(text.utf8)
        }
        guard case .object(let members) = json, let id = json["id"]?.string,
            try snapshot.command(Array(id.utf8)) != nil
        else { return Array(text.utf8) }
        let free = try freeID("what-if-\(index + 1)")
        let renamed = members.map { ($0.name, $0.name == "id" ? JSON.string(free) : $0.value) }
        return JSON.object(of: renamed).canonical
    }

    /// An id that the journal does not know.
    private func freeID(_ wanted: String) throws -> String {
        var id = wanted
        while try snapshot.command(Array(id.utf8)) != nil { id += "'" }
        return id
    }
}

extension Outcome {
    /// Whether timers fired for the command, whatever came of it (contract, Time).
    fileprivate var movesTime: Bool {
        guard status != .duplicate else { return false }
        return !["malformed", "unknown-command", "id-reused"].contains(code)
    }
}
