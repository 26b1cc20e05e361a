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
    private let waitMilliseconds: Int
    private var session: Session?

    private let mostTimerEvents: Int
    private let observation: Observation

    init(
        journal: Journal, registry: Registry, store: StoredState?, waitSeconds: Int,
        mostTimerEvents: Int,
        observation: Observation
    ) {
        self.mostTimerEvents = mostTimerEvents
        self.observation = observation
        self.journal = journal
        self.registry = registry
        self.store = store
        waitMilliseconds = waitSeconds * 1000
    }

    /// A line with its number in the input.
    struct Line {
        let bytes: [UInt8]
        let number: Int
    }

    /// What became of lines: outcomes from the first on, each durable, and what kept the others from having one.
    struct Result {
        var outcomes: [Outcome] = []
        var failure: (any Error)?
    }

    /// Decides the lines in order; the events of what has an outcome are durable when this returns.
    ///
    /// `waitedMilliseconds`: for how long they have waited already; the wait for other programs is so much shorter.
    func run(
        _ lines: [Line], recordedAt: Instant, isDryRun: Bool, waitedMilliseconds: Int = 0
    ) -> Result {
        var result = Result()
        do {
            let wait = max(0, waitMilliseconds - waitedMilliseconds)
            try journal.withWriterLock(waitMilliseconds: wait) {
                try run(lines, recordedAt, isDryRun, &result)
                if isDryRun { session = nil }
            }
        } catch {
            // What the failed batch left in memory never happened.
            session = nil
            result.failure = error
        }
        return result
    }

    private func run(
        _ lines: [Line], _ recordedAt: Instant, _ isDryRun: Bool, _ result: inout Result
    ) throws {
        var rest = lines[...]
        var hasFreshViews = false
        var hasFreshHead = false
        /// What the next line's timers recorded in commits of their own.
        var carried: [[UInt8]] = []
        while !rest.isEmpty {
            var left = rest
            var timers = carried
            do {
                result.outcomes += try runBatch(&left, recordedAt, isDryRun, &timers)
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
        _ rest: inout ArraySlice<Line>, _ recordedAt: Instant, _ isDryRun: Bool,
        _ carried: inout [[UInt8]]
    ) throws -> [Outcome] {
        let watch = Stopwatch()
        let snapshot = try journal.snapshot()
        let session = try currentSession(snapshot)
        try session.persons.keys.prepareToWrite(slotCount: snapshot.head.slotCount)
        let deciding = Deciding(
            session, snapshot, recordedAt, lead: journal.lead,
            mostTimerEvents: isDryRun ? .max : mostTimerEvents)
        var outcomes: [Outcome] = []
        var before = carried
        carried = []
        while let line = rest.first {
            switch try deciding.decide(line, after: before) {
            case .outcome(let outcome):
                outcomes.append(outcome)
                before = []
                rest.removeFirst()
            case .timersLeft(let events):
                // Those that fired are committed; the line is decided again behind them.
                carried = events
            }
            if !carried.isEmpty { break }
            if !isDryRun, deciding.pending.batch.events.count >= Self.batchEvents { break }
        }
        try session.checkFaults()
        let keys = session.persons.keys
        if isDryRun { keys.discard() }
        if isDryRun || deciding.pending.isEmpty { return outcomes }
        try deciding.pending.close(keys, session.names)
        // What seals the events is durable before they are.
        try keys.flush()
        let batch = deciding.pending.finished(symbols: session.names.fresh)
        let position = try journal.append(batch, waitMilliseconds: waitMilliseconds)
        observation.tell(
            .committed(
                EngineActivity.Commit(
                    position: position, events: batch.events.count, bytes: batch.payloads.count,
                    duration: watch.elapsed)))
        didAppend(session)
        return outcomes
    }

    /// Where the journal stands; nil if it cannot be looked at just now.
    func head() -> Position? {
        observation.attempt(.readHead) { try journal.head().position }
    }

    /// Lets go of what is folded.
    func forget() { session = nil }

    /// The batch is durable: whatever fails from here on must not make it look lost.
    private func didAppend(_ session: Session) {
        let appended: JournalSnapshot
        do {
            appended = try journal.snapshot()
            try session.didAppend(appended)
            warn(session.persons.trouble)
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

    private func warn(_ trouble: (any Error)?) {
        if let trouble { observation.failed(.carryOutErasure, trouble) }
        let text = trouble.map { "an erasure is recorded, and not carried out: \($0)" }
        if let text, text != lastWarning { warnings.append(text) }
        lastWarning = text
    }

    /// So many events at most go into one commit. Whoever reads one of them inflates its whole frame,
    /// and a flush for each thousand is not felt (docs/benchmarks.md).
    private static let batchEvents = 1024
    /// The state is stored after so many events, so that the next process folds no more than those: some
    /// 20 ms. More often, storing would be a tenth of what a command costs.
    private static let saveEvery: UInt64 = 8192
    /// A process that finds so many events of others to fold stores what it folded.
    private static let saveAfterCatchUp: UInt64 = 512

    /// The state at the head; folds what other processes appended.
    private func currentSession(_ snapshot: JournalSnapshot) throws -> Session {
        let session: Session
        if let open = self.session {
            session = open
        } else {
            session = try Session(
                journal: journal, registry: registry, store: store, snapshot: snapshot,
                observation: observation)
            // A process may have ended between recording an erasure and carrying it out.
            session.persons.carryOut(snapshot, session.types, session.names)
            warn(session.persons.trouble)
            self.session = session
        }
        for desk in session.desks { desk.space.keepsChanges = false }
        let before = session.position
        try session.catchUp(snapshot)
        if session.position.number - before.number >= Self.saveAfterCatchUp {
            _ = observation.attempt(.storeViews) { try session.save(snapshot) }
        }
        for desk in session.desks { desk.space.keepsChanges = true }
        return session
    }
}
