import Commands
import Core
import EventLog
import Folding

/// Command lines that come call by call, each decided behind all before it as `submit` decides them; nothing is recorded.
/// What they would record stays in memory, and others may write meanwhile: it is not looked at, but for whom they erase.
///
/// Belongs to one thread at a time, and is of no use once it has thrown.
package final class Rehearsal {
    private let engine: EventEngine
    private let log: DecisionLog?
    private var state: ComparedState
    private var decider: BatchDecider
    /// Whether rows come from stored views that nobody found to be damaged yet.
    private var trustsViews: Bool
    /// What was decided by them, and as of when: where they turn out to be damaged it is decided again without them.
    private var decided: [(lines: [SubmittedLine], at: Instant)] = []

    /// Goes on from where the journal stands now.
    ///
    /// - Parameter explains: the checks of each command are noted.
    package convenience init(on engine: EventEngine, explains: Bool) throws(EngineError) {
        let log = explains ? DecisionLog() : nil
        self.init(engine, log, try engine.whileOpen { try Self.begin(on: engine, log) })
    }

    private init(
        _ engine: EventEngine, _ log: DecisionLog?, _ begun: (ComparedState, BatchDecider)
    ) {
        self.engine = engine
        self.log = log
        (state, decider) = begun
        trustsViews = state.session.store != nil
    }

    /// The outcomes of these lines alone, for a call that keeps the engine open.
    static func outcomes(
        of lines: [SubmittedLine], on engine: EventEngine, clock: Instant?, explains: Bool
    ) throws -> [Outcome] {
        let log = explains ? DecisionLog() : nil
        return try Rehearsal(engine, log, begin(on: engine, log)).outcomes(of: lines, clock: clock)
    }

    private static func begin(
        on engine: EventEngine, _ log: DecisionLog?
    ) throws -> (ComparedState, BatchDecider) {
        try seeLastCommit(of: engine)
        return try begin(on: engine, engine.presentState(), log)
    }

    /// What a program committed right before it was killed is seen once the lock of writers was had. Whoever has it sees it.
    private static func seeLastCommit(of engine: EventEngine) throws {
        if engine.isReadOnly { return }
        do {
            try engine.journal.withWriterLock(waitMilliseconds: 0) {}
        } catch let error as JournalError where error.kind == .busy {}
    }

    private static func begin(
        on engine: EventEngine, _ state: ComparedState, _ log: DecisionLog?
    ) -> (ComparedState, BatchDecider) {
        for runtime in state.session.runtimes { runtime.space.keepsChanges = true }
        state.session.lookUp(in: state.snapshot)
        let decider = BatchDecider(
            state.session, state.snapshot, WallClock.now(), lead: engine.journal.lead,
            mostTimerEvents: .max, records: false, log: log)
        return (state, decider)
    }

    /// The outcomes of further lines, in their order.
    ///
    /// - Parameter clock: what `recordedAt` would say; nil for the present.
    package func submit(
        _ lines: [[UInt8]], firstLine: Int, clock: Instant?, as viewer: Viewer? = nil
    ) throws(EngineError) -> [Outcome] {
        let numbered = [SubmittedLine].reading(lines, from: firstLine)
        let outcomes = try engine.whileOpen { try self.outcomes(of: numbered, clock: clock) }
        guard let viewer else { return outcomes }
        return try engine.read { try $0.seen(outcomes, by: viewer, unrecorded: lines) }
    }

    private func outcomes(of lines: [SubmittedLine], clock: Instant?) throws -> [Outcome] {
        let at = clock ?? WallClock.now()
        let outcomes: [Outcome]
        do {
            outcomes = try decide(lines, at)
        } catch let error as JournalError where error.kind == .viewsDamaged && trustsViews {
            engine.forgetStored(error)
            trustsViews = false
            // As of when it began: what others recorded since is not looked at.
            (state, decider) = try Self.begin(
                on: engine, engine.foldedState(at: state.snapshot), log)
            for before in decided { _ = try decide(before.lines, before.at) }
            decided = []
            outcomes = try decide(lines, at)
        }
        if trustsViews { decided.append((lines, at)) }
        return outcomes
    }

    private func decide(_ lines: [SubmittedLine], _ at: Instant) throws -> [Outcome] {
        decider.goOn(at: at)
        try hideErased()
        var outcomes: [Outcome] = []
        for line in lines {
            log?.clear()
            guard case .outcome(let outcome) = try decider.decide(line) else {
                throw EngineError(.inputOutput, "timers were left; this is a defect")
            }
            outcomes.append(log.map { outcome.explained(by: $0) } ?? outcome)
        }
        try state.session.checkFaults()
        return outcomes
    }

    /// Whom others have erased since the last call: nothing of theirs is shown from here on.
    private func hideErased() throws {
        let snapshot = try engine.journal.snapshot()
        guard snapshot.head.position > state.snapshot.head.position else { return }
        // The session's own give numbers to what is never recorded.
        let names = Names(
            source: JournalSymbols(engine.journal), stored: snapshot.head.symbolCount)
        let types = try JournalTypes(snapshot.types(), engine.registry)
        try state.session.persons.catchUp(snapshot, types, names)
    }
}
