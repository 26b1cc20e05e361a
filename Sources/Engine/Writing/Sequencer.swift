import Commands
import EventLog
import Core
import Folding

/// Decides commands one after the other and commits them in batches.
///
/// Each command is decided on the state as the ones before it in the batch leave it; answers go out
/// when the batch is durable. The writer lock is held from reading the head to the commit, so that
/// no interleaving of processes can break a rule; the expected head guards that once more.
final class Sequencer {
    private let journal: Journal
    private let registry: Registry
    private let store: StoredState?
    private let maker: StateMaker
    private let waitMilliseconds: Int
    private var session: Session?

    private let mostTimerEvents: Int
    private let observation: Observation

    init(store: StoredState?, maker: StateMaker, waitSeconds: Int, mostTimerEvents: Int) {
        self.mostTimerEvents = mostTimerEvents
        self.store = store
        self.maker = maker
        journal = maker.journal
        registry = maker.registry
        observation = maker.observation
        waitMilliseconds = min(max(0, waitSeconds), Int(Int32.max)) * 1000
    }

    /// Outcomes from the first line on, each durable, and why the other lines have none.
    private struct RunResult {
        var outcomes: [Outcome] = []
        var failure: (any Error)?
    }

    /// Runs the submissions in order; neighbours of the same kind share batches. Answers each of them, and says where
    /// the journal stands then; nil if it cannot be read just now.
    ///
    /// - Parameter waitedMilliseconds: for how long they have waited already; the wait for other programs is so much
    ///   shorter.
    func serve(
        _ submissions: [Submitter.Submission], waitedMilliseconds: Int
    ) -> (answers: [EventEngine.Submitted], head: Position?) {
        var answers: [EventEngine.Submitted] = []
        var rest = submissions[...]
        while let first = rest.first {
            let group = rest.prefix {
                $0.clock == first.clock && $0.explains == first.explains
            }
            rest = rest.dropFirst(group.count)
            var result = RunResult()
            do {
                try run(
                    group.flatMap(\.lines), first.clock ?? WallClock.now(),
                    first.explains ? DecisionLog() : nil,
                    waitMilliseconds: max(0, waitMilliseconds - waitedMilliseconds), &result)
            } catch {
                // What the failed batch left in memory never happened.
                session = nil
                result.failure = error
            }
            answers += Self.answers(to: group, result)
        }
        return (answers, observation.attempt(.readHead) { try journal.head().position })
    }

    /// Each submission's part of the result.
    private static func answers(
        to group: ArraySlice<Submitter.Submission>, _ result: RunResult
    ) -> [EventEngine.Submitted] {
        var offset = 0
        return group.map { submission in
            let range = offset..<offset + submission.lines.count
            offset = range.upperBound
            var answer = EventEngine.Submitted(
                outcomes: Array(result.outcomes.dropFirst(range.lowerBound).prefix(range.count)))
            if answer.outcomes.count < range.count {
                answer.failure = result.failure.map(EngineError.wrapping) ?? answer.missing
            }
            return answer
        }
    }

    /// Decides the lines in order; the events of what has an outcome are durable.
    private func run(
        _ lines: [SubmittedLine], _ recordedAt: Instant, _ log: DecisionLog?,
        waitMilliseconds: Int, _ result: inout RunResult
    ) throws {
        try journal.lockWriter(waitMilliseconds: waitMilliseconds)
        defer { journal.unlockWriter() }
        try journal.settle()
        var rest = lines[...]
        var hasFreshViews = false
        var hasFreshHead = false
        /// What the next line's timers recorded in commits of their own.
        var carried: [ListedEvent] = []
        while !rest.isEmpty {
            var left = rest
            var timers = carried
            do {
                result.outcomes += try runBatch(&left, recordedAt, log, &timers)
                rest = left
                carried = timers
                hasFreshHead = false
            } catch let error as JournalError
                where error.kind == .viewsDamaged && !hasFreshViews
            {
                // Nothing of the batch is recorded yet: decide again, on fresh views.
                observation.failed(.readViews, error)
                session = nil
                try store?.reset()
                hasFreshViews = true
            } catch let error as JournalError where error.isConflict && !hasFreshHead {
                // A program that was killed right behind its commit left a state that no reader sees before the
                // next write transaction (LMDB's reader table): it is seen now.
                session = nil
                hasFreshHead = true
            }
        }
    }

    /// Decides as many lines as belong into one commit, and commits them.
    private func runBatch(
        _ rest: inout ArraySlice<SubmittedLine>, _ recordedAt: Instant,
        _ log: DecisionLog?, _ carried: inout [ListedEvent]
    ) throws -> [Outcome] {
        let watch = Stopwatch()
        let snapshot = try journal.snapshot()
        let session = try currentSession(snapshot)
        try session.persons.keys.prepareToWrite(slotCount: snapshot.head.slotCount)
        let decider = BatchDecider(
            session, snapshot, recordedAt, lead: journal.lead,
            mostTimerEvents: mostTimerEvents, log: log)
        var outcomes: [Outcome] = []
        var before = carried
        carried = []
        do {
            // Behind the commit the journal knows more.
            session.lookUp(in: snapshot)
            defer { session.lookUp(in: nil) }
            while let line = rest.first {
                log?.clear()
                switch try decider.decide(line, after: before) {
                case .outcome(let outcome):
                    outcomes.append(log.map { outcome.explained(by: $0) } ?? outcome)
                    before = []
                    rest.removeFirst()
                case .timersLeft(let events):
                    // Those that fired are committed; the line is decided again behind them.
                    carried = events
                }
                if !carried.isEmpty { break }
                if decider.pending.batch.events.count >= Self.batchEvents { break }
            }
        }
        try session.checkFaults()
        let keys = session.persons.keys
        if decider.pending.isEmpty {
            // A refusal is an answer, too: another journal may know more by now.
            try journal.log.checkHold()
            return outcomes
        }
        try decider.pending.close(keys, session.names)
        // What seals the events is durable before they are.
        try keys.flush()
        let batch = decider.pending.finished(symbols: session.names.fresh)
        try journal.log.prepare(batch, keys.fresh())
        let position = try journal.append(batch, waitMilliseconds: waitMilliseconds)
        observation.tell(
            .committed(
                EngineActivity.Commit(
                    position: position, events: batch.events.count, bytes: batch.payloads.count,
                    duration: watch.elapsed)))
        didAppend(session)
        return outcomes
    }

    /// Lets go of what is folded.
    func forget() { session = nil }

    /// The newest stored views that it stands on.
    var lastStored: Position { session?.lastStored ?? .zero }

    /// The batch is durable: whatever fails from here on must not make it look lost.
    private func didAppend(_ session: Session) {
        let appended: JournalSnapshot
        do {
            appended = try journal.snapshot()
            try session.didAppend(appended)
            warn(session.persons)
        } catch {
            observation.failed(.keepState, error)
            self.session = nil
            return
        }
        if session.unsaved >= Self.saveEvery { store(session, appended) }
    }

    /// Stores the state; one that could not be stored is folded anew, since a part of it may count as stored.
    private func store(_ session: Session, _ snapshot: JournalSnapshot) {
        let isStored: Void? = observation.attempt(.storeViews) { try session.save(snapshot) }
        if isStored == nil { self.session = nil }
    }

    // MARK: Warnings

    /// What went wrong beside what was recorded, since somebody asked last; each said once.
    func takeWarnings() -> [String] {
        defer { warnings = [] }
        return warnings
    }

    private var warnings: [String] = []
    private var lastWarning: String?

    /// What stands in the way of erasures is told as what it is until somebody is erased.
    private func warn(_ persons: Persons) {
        let owes = persons.owesErasure
        let trouble = persons.trouble
        if let trouble {
            observation.failed(owes ? .carryOutErasure : .prepareErasures, trouble)
        }
        let plain = trouble.map { "\($0)" }
        let text =
            owes ? plain.map { "an erasure is recorded, and not carried out: \($0)" } : plain
        if let text, text != lastWarning {
            // It is the same that stands in the way.
            if warnings.last == plain { warnings.removeLast() }
            warnings.append(text)
        }
        lastWarning = text
    }

    /// The largest number of events in one commit. Reading one of them inflates its whole frame,
    /// and a flush for each thousand is not felt (docs/benchmarks.md).
    private static let batchEvents = 1024
    /// The state is stored after this many events, so that the next process folds no more than those: some
    /// 20 ms. More often, storing would be a tenth of what a command costs.
    private static let saveEvery: UInt64 = 8192
    /// A process that finds this many events of others to fold stores what it folded.
    private static let saveAfterCatchUp: UInt64 = 512

    /// The state at the head; folds what other processes appended.
    private func currentSession(_ snapshot: JournalSnapshot) throws -> Session {
        let session: Session
        if let open = self.session, !open.isSuperseded {
            session = open
        } else {
            session = try maker.opened(snapshot, store) {
                try Session(
                    journal: journal, registry: registry, store: $0, snapshot: snapshot,
                    observation: observation)
            }
            // A process may have ended between recording an erasure and carrying it out.
            session.persons.carryOut(snapshot, session.types, session.names)
            warn(session.persons)
            self.session = session
        }
        for runtime in session.runtimes { runtime.space.keepsChanges = false }
        let before = session.position
        try session.catchUp(snapshot)
        if session.position.number - before.number >= Self.saveAfterCatchUp {
            _ = observation.attempt(.storeViews) { try session.save(snapshot) }
        }
        for runtime in session.runtimes { runtime.space.keepsChanges = true }
        return session
    }
}
