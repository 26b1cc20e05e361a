import Commands
import EventLog
import Events
import Facts

/// Decides commands one after the other and commits them in batches (DESIGN 3).
///
/// Each command is decided on the state as the ones before it in the batch leave it; answers go out
/// when the batch is durable. The writer lock is held from reading the head to the commit, so that
/// no interleaving of processes can break a rule; the expected head guards that once more.
final class Sequencer {
    private let journal: Journal
    private let store: StoredState?
    private let waitMilliseconds: Int
    private var session: Session?

    init(journal: Journal, store: StoredState?, waitSeconds: Int) {
        self.journal = journal
        self.store = store
        waitMilliseconds = waitSeconds * 1000
    }

    /// A line with its number in the input.
    struct Line {
        let bytes: [UInt8]
        let number: Int
    }

    /// Decides the lines in order; their events are durable when this returns.
    ///
    /// What throws recorded nothing of the batch that failed; batches before it stand.
    ///
    /// `waitedMilliseconds`: for how long they have waited already; the wait for other programs is so much shorter.
    func run(
        _ lines: [Line], recordedAt: Instant, isDryRun: Bool, waitedMilliseconds: Int = 0
    ) throws -> [Outcome] {
        let wait = max(0, waitMilliseconds - waitedMilliseconds)
        return try journal.withWriterLock(waitMilliseconds: wait) {
            var outcomes: [Outcome] = []
            do {
                var rest = lines[...]
                var hasFreshViews = false
                var hasFreshHead = false
                while !rest.isEmpty {
                    var left = rest
                    do {
                        outcomes += try runBatch(&left, recordedAt, isDryRun)
                        rest = left
                    } catch let error as JournalError
                        where error.kind == .viewsDamaged && !hasFreshViews
                    {
                        // Nothing of the batch is recorded yet: decide again, on fresh views.
                        session = nil
                        try store?.reset()
                        hasFreshViews = true
                    } catch let error as JournalError
                        where error.isConflictOfHead && !hasFreshHead
                    {
                        // A writer was killed between its commit and the note of it that readers go by. The transaction
                        // that found out wrote the note: decide again, on all that is durable.
                        session = nil
                        hasFreshHead = true
                    }
                }
                if isDryRun { session = nil }
            } catch {
                // What the failed batch left in memory never happened.
                session = nil
                throw error
            }
            return outcomes
        }
    }

    /// Decides as many lines as belong into one commit, and commits them.
    private func runBatch(
        _ rest: inout ArraySlice<Line>, _ recordedAt: Instant, _ isDryRun: Bool
    ) throws -> [Outcome] {
        let snapshot = try journal.snapshot()
        let session = try currentSession(snapshot)
        let deciding = Deciding(session, snapshot, recordedAt)
        var outcomes: [Outcome] = []
        while let line = rest.first {
            outcomes.append(try deciding.decide(line))
            rest.removeFirst()
            if !isDryRun, deciding.pending.batch.events.count >= Self.batchEvents { break }
        }
        try session.checkFaults()
        if isDryRun { session.persons.keys.discard() }
        if isDryRun || deciding.pending.isEmpty { return outcomes }
        // What seals the events is durable before they are.
        try session.persons.keys.flush()
        _ = try journal.append(
            deciding.pending.finished(symbols: session.names.fresh),
            waitMilliseconds: waitMilliseconds)
        let appended = try journal.snapshot()
        try session.didAppend(appended)
        // The batch is durable: views that cannot be stored must not make it look lost.
        if session.unsaved >= Self.saveEvery { try? session.save(appended) }
        return outcomes
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
            session = try Session(journal: journal, store: store, snapshot: snapshot)
            // A process may have ended between recording an erasure and carrying it out.
            try session.persons.carryOut(snapshot, session.types, session.names)
            self.session = session
        }
        for desk in session.desks { desk.space.keepsChanges = false }
        let before = session.position
        try session.catchUp(snapshot)
        if session.position.number - before.number >= Self.saveAfterCatchUp {
            try? session.save(snapshot)
        }
        for desk in session.desks { desk.space.keepsChanges = true }
        return session
    }
}
