package import Commands
package import Core
import EventLog
package import Folding
package import Projections

/// Commands decided one after the other as a submission decides them, in one batch that nobody commits: what came of
/// them is asked in memory, and nothing is written.
///
/// Belongs to one thread at a time.
package final class DryRun {
    private let session: Session
    private let registry: Registry
    private let snapshot: JournalSnapshot
    private let decider: BatchDecider
    /// Where what is asked of the journal leaves its failures.
    private let faults = TableSpace()

    /// Goes on from where the journal stands now.
    package init(on engine: EventEngine, recordedAt: Instant) throws {
        let journal = engine.journal
        registry = engine.registry
        try journal.lockWriter(waitMilliseconds: 10_000)
        defer { journal.unlockWriter() }
        snapshot = try journal.snapshot()
        session = try Session(
            journal: journal, registry: registry, store: nil, snapshot: snapshot)
        try session.catchUp(snapshot)
        try session.persons.keys.prepareToWrite(slotCount: snapshot.head.slotCount)
        for runtime in session.runtimes { runtime.space.keepsChanges = true }
        decider = BatchDecider(
            session, snapshot, recordedAt, lead: journal.lead, mostTimerEvents: .max)
    }

    private var pending: PendingBatch { decider.pending }

    /// The outcome of a command line.
    package func submit(_ line: [UInt8]) throws -> Outcome {
        guard
            case .outcome(let outcome) = try decider.decide(SubmittedLine(bytes: line, number: 1))
        else { throw EngineError(.inputOutput, "timers were left; this is a defect") }
        try session.checkFaults()
        return outcome
    }

    /// Records what `body` does, whatever the rules say of it: for what is to have happened before.
    package func record<P: Rules>(
        for product: P.Type, at: Instant, by actor: String, device: String? = nil,
        command: String = "", _ body: (DecisionContext<P>) -> Void
    ) throws {
        guard let state = state(P.State.self), let actor = Actor(actor, names: names) else {
            throw EngineError(.wrongUse, "no product, or no actor, of that name")
        }
        let context = DecisionContext<P>(
            state: state,
            DecisionInput(
                at: at, actor: actor, device: device.map { names.intern($0) } ?? .none,
                command: CommandName(command), place: pending.place,
                idempotency: AcceptedCommands(session, snapshot, pending),
                vocabulary: registry.payload))
        body(context)
        context.finish()
        for event in context.recorded { _ = try decider.add(event, command: nil) }
        state.space.keepChanges()
        try session.checkFaults()
    }

    // MARK: What came of it

    package var names: Names { session.names }

    /// The state of a product; nil for one that the engine does not run.
    package func state<S: FoldedState>(_ type: S.Type) -> S? {
        for runtime in session.runtimes { if let state = runtime.folded as? S { return state } }
        return nil
    }

    /// Every event so far.
    package var history: any History {
        PendingHistory(session, snapshot, pending, [], faults: faults)
    }

    /// The last position.
    package var head: Position { Position(pending.next.number - 1) }

    /// A read model's document of the present; `null` for a key that the events know nothing of.
    ///
    /// - Parameter past: the state as it stood at an earlier position, for models that quote it.
    package func show(
        _ model: String, key: String?, _ arguments: [String: String], now: Instant?,
        past: @escaping (Position) -> PastState? = { _ in nil }
    ) throws -> Document {
        let description = try registry.model(named: model, taking: key, arguments)
        let request = ViewRequest(
            key: key ?? "", arguments: arguments,
            now: now ?? pending.batch.events.last?.at ?? .epoch, through: self.head,
            history: history, past: past)
        let document = try Answering.document(
            description.name, request, session, root: { _ in nil }, lead: nil)
        if let fault = faults.fault { throw fault }
        return document
    }
}
