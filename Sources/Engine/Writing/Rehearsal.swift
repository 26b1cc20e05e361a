import Commands
import Core
import EventLog
import Folding

/// Command lines that come call by call, each decided behind all before it as `submit` decides them; nothing is recorded.
/// What they would record stays in memory, and others may write meanwhile: it is not looked at.
///
/// Belongs to one thread at a time.
package final class Rehearsal {
    private let engine: EventEngine
    private let state: ComparedState
    private let log: DecisionLog?
    private var decider: BatchDecider

    /// Goes on from where the journal stands now.
    ///
    /// - Parameter explains: the checks of each command are noted.
    package init(on engine: EventEngine, explains: Bool) throws(EngineError) {
        let log = explains ? DecisionLog() : nil
        let (state, decider) = try engine.whileOpen { () throws -> (ComparedState, BatchDecider) in
            let state = try engine.presentState()
            for runtime in state.session.runtimes { runtime.space.keepsChanges = true }
            let decider = BatchDecider(
                state.session, state.snapshot, WallClock.now(), lead: engine.journal.lead,
                mostTimerEvents: .max, records: false, log: log)
            return (state, decider)
        }
        self.engine = engine
        self.log = log
        self.state = state
        self.decider = decider
    }

    /// The outcomes of further lines, in their order.
    ///
    /// - Parameter clock: what `recordedAt` would say; nil for the present.
    package func submit(
        _ lines: [[UInt8]], firstLine: Int, clock: Instant?, as viewer: Viewer? = nil
    ) throws(EngineError) -> [Outcome] {
        let outcomes = try outcomes(
            of: [SubmittedLine].reading(lines, from: firstLine), clock: clock)
        guard let viewer else { return outcomes }
        return try engine.read { try $0.seen(outcomes, by: viewer, unrecorded: lines) }
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

    func outcomes(
        of lines: [SubmittedLine], clock: Instant?
    ) throws(EngineError) -> [Outcome] {
        try engine.whileOpen {
            decider.goOn(at: clock ?? WallClock.now())
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
    }
}
