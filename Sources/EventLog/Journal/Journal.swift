import Dispatch
package import Core
import Glibc
import Synchronization

/// The journal: all that has happened, in one directory (docs/journal-format.md).
///
/// One writer, many readers, in any number of threads and processes.
package final class Journal: Sendable {
    /// How a journal is opened.
    package enum Access: Hashable, Sendable {
        case readWrite
        /// Nothing is written; works in a directory that cannot be written to.
        case readOnly
    }

    package let path: String
    /// 32 hexadecimal digits, made when the journal was created.
    package let identity: String
    package let access: Access
    /// No key is used to open anything: what is sealed of persons reads as if they all were erased.
    package let hidesPersonal: Bool
    /// It is being filled, by an import or a restore.
    package let isDraft: Bool
    /// How far ahead of the clock a command's `at` may lie; set when the journal is created.
    package let lead: Lead
    let environment: LMDBEnvironment
    let databases: JournalDatabases
    private let appender = Mutex(Appender())
    /// Appends that come together.
    private let appends = GroupCommit<Batch, Result<Position, JournalError>>(atMost: 64)
    let memory: IndexMemory
    /// Where commits are durable first.
    package let log: any FrameLog
    /// The index of the tail that is the newest.
    private let newestTail = Mutex<Tail?>(nil)
    private let sealing: Sealing
    private let sealingLock: WriterLock
    private let isSealing = Atomic<Bool>(false)
    let isCheckpointing = Atomic<Bool>(false)
    let isSettling = Atomic<Bool>(false)
    let isPutting = Atomic<Bool>(false)
    /// No step of sealing begins any more.
    let isStopped = Atomic<Bool>(false)
    /// Where the tail begins that cannot be sealed; 0 for nowhere.
    private let stuckAt = Atomic<UInt64>(0)
    /// What goes on beside the callers.
    let background = DispatchGroup()
    let tell: @Sendable (JournalNote) -> Void

    /// Makes an empty journal. Throws `alreadyThere` if anything is, and touches nothing then.
    package static func create(
        at path: String, lead: Lead = .standard
    ) throws(JournalError) {
        try JournalDirectory(path: path).create(JournalDirectory.Plan(lead: lead))
    }

    /// Opens a journal; within a process, all that open the same one share its file.
    package convenience init(
        at path: String, access: Access = .readWrite, sealing: Sealing = .standard,
        isDraft: Bool = false, hidesPersonal: Bool = false, log: any FrameLog = LocalLog(),
        tell: @escaping @Sendable (JournalNote) -> Void = { _ in }
    ) throws(JournalError) {
        try self.init(
            at: path, access: access, sealing: sealing, mapBytes: LMDBEnvironment.leastMapBytes,
            isDraft: isDraft,
            hidesPersonal: hidesPersonal, log: log, tell: tell)
    }

    /// `mapBytes`: address space asked for at first; it grows by itself (tests begin small). `tell` hears, on
    /// whatever thread it happens, what no caller is answered.
    package init(
        at path: String, access: Access, sealing: Sealing = .standard, mapBytes: Int,
        isDraft: Bool = false, hidesPersonal: Bool = false, log: any FrameLog = LocalLog(),
        logging: WriteAheadLog.Options? = nil,
        tell: @escaping @Sendable (JournalNote) -> Void = { _ in }
    ) throws(JournalError) {
        try Self.checkLog(path, log, access)
        self.log = log
        self.tell = tell
        self.hidesPersonal = hidesPersonal
        self.isDraft = isDraft
        let directory = JournalDirectory(path: path)
        self.sealing = sealing
        sealingLock = WriterLock(at: directory.sealingLockPath)
        self.path = path
        self.access = access
        identity = try directory.check(isDraft: isDraft)
        (environment, databases) = try OpenJournal.environment(
            directory, identity: identity, isReadOnly: access == .readOnly, mapBytes: mapBytes)
        let transaction = try ReadTransaction(environment, mayBeBehind: true)
        lead = try LeadRecord.read(transaction.access, databases)
        memory = IndexMemory(DictionaryStore(environment, databases.dictionaries))
        if access == .readWrite, !isDraft, let identity = Hex.bytes(identity) {
            directory.clearLogLeftovers()
            environment.log?.enable(
                path, identity: identity, logging ?? WriteAheadLog.Options(beside: sealing))
        }
    }

    /// Where the journal stands now.
    package func head() throws(JournalError) -> Head {
        let waiting = environment.waiting
        let transaction = try ReadTransaction(environment, mayBeBehind: true)
        return try FramesSeen(transaction.access, databases, waiting).head
    }

    /// The journal as it is now, for reading. Keep it short: while it lives, LMDB cannot reuse
    /// the pages that later appends free.
    package func snapshot() throws(JournalError) -> JournalSnapshot {
        try JournalSnapshot(environment, databases, memory, tail)
    }

    /// Appends a batch as one frame; it is durable when this returns the position of its last event, or
    /// of the head where it has none.
    ///
    /// Batches of threads that come at the same time share a transaction, and the flushes of its commit.
    ///
    /// Throws `conflict` if a condition does not hold and `busy` if others keep writing for
    /// longer than the wait; whatever it throws, nothing was recorded.
    package func append(
        _ batch: Batch, waitMilliseconds: Int = 10_000
    ) throws(JournalError) -> Position {
        guard access == .readWrite else {
            throw JournalError(
                .readOnly, "\(path): opened for reading only", advice: "open it for writing")
        }
        // A caller that holds the lock has decided under it, and appends alone.
        if environment.writerLock.isMine { return try commit([batch])[0].get() }
        switch appends.join(batch) {
        case .answered(let answer): return try answer.get()
        case .leads(var group):
            let outcomes: [Result<Position, JournalError>]
            do throws(JournalError) {
                outcomes = try commit(&group, waitMilliseconds: waitMilliseconds)
            } catch {
                outcomes = [.failure(error)]
            }
            guard let own = group.answer(outcomes) else {
                throw .invalid("an append was not served; this is a defect")
            }
            return try own.get()
        }
    }

    /// Commits what has gathered until the lock is had.
    private func commit(
        _ group: inout GroupCommit<Batch, Result<Position, JournalError>>.Group,
        waitMilliseconds: Int
    ) throws(JournalError) -> [Result<Position, JournalError>] {
        let lock = environment.writerLock
        try lock.lock(waitMilliseconds: max(0, waitMilliseconds - group.waitedMilliseconds))
        defer { lock.unlock() }
        return try commit(group.collect())
    }

    /// The outcome of each batch; if this throws, nothing is recorded.
    func commit(
        _ batches: [Batch]
    ) throws(JournalError) -> [Result<Position, JournalError>] {
        while true {
            do throws(JournalError) {
                let now = try appender.withLock { appender throws(JournalError) in
                    try appender.append(batches, environment, databases, memory, log, tail)
                }
                logWasUsed()
                sealIfDue(now.head, now.sealed)
                return now.outcomes
            } catch {
                if error.code == mapFullCode {
                    try environment.growMap()
                } else if batches.count > 1 {
                    // It may be the fault of one of them.
                    return batches.map { batch in
                        do throws(JournalError) {
                            return try commit([batch])[0]
                        } catch {
                            return .failure(error)
                        }
                    }
                } else {
                    throw error
                }
            }
        }
    }

    /// The index of the tail behind what is sealed.
    private func tail(_ sealed: Sealed) -> Tail {
        newestTail.withLock { newest in
            if let newest, newest.fits(sealed) { return newest }
            guard let former = newest, former.position > sealed.position else {
                let tail = Tail(sealed, after: newest)
                newest = tail
                return tail
            }
            return Tail(sealed, after: nil)  // for a snapshot from before
        }
    }

    // MARK: Sealing

    /// The events are durable already: a failure to seal is reported, the next append tries again, and `verify` finds
    /// damage.
    private func sealSoon(isUrgent: Bool) {
        guard sealing.isInBackground, !isUrgent else {
            trySealing(waitMilliseconds: isUrgent ? 10_000 : 0)
            return
        }
        guard !isSealing.exchange(true, ordering: .acquiringAndReleasing) else { return }
        Self.sealers.async(group: background) { [self] in
            defer { isSealing.store(false, ordering: .releasing) }
            trySealing(waitMilliseconds: 0)
        }
    }

    private func trySealing(waitMilliseconds: Int) {
        do throws(JournalError) {
            try seal(waitMilliseconds: waitMilliseconds)
        } catch {
            tell(.sealingFailed(error))
        }
    }

    /// No further step of sealing begins; `done` is called once none is under way.
    package func stopSealing(_ done: @escaping @Sendable () -> Void = {}) {
        isStopped.store(true, ordering: .sequentiallyConsistent)
        background.notify(queue: Self.sealers, execute: done)
    }

    static let sealers = DispatchQueue(
        label: "sijill.seal", qos: .utility, attributes: .concurrent)

    /// Seals what is due, merges and clears up, unless another thread or program does it already.
    package func seal(waitMilliseconds: Int = 10_000) throws(JournalError) {
        guard access == .readWrite else { return }
        do throws(JournalError) {
            try sealingLock.lock(waitMilliseconds: waitMilliseconds)
        } catch {
            if error.kind == .busy { return }
            throw error
        }
        defer { sealingLock.unlock() }
        let start = Monotonic.milliseconds()
        let before = try sealedPosition()
        var sealer = try Sealer(environment, databases, memory.frames.store, sealing)
        while !isStopped.load(ordering: .relaxed), try sealer.step() {}
        let after = try sealedPosition()
        stuckAt.store(sealer.isStuck ? after.number + 1 : 0, ordering: .relaxed)
        guard after > before else { return }
        tell(
            .sealed(
                through: after, events: Int(after.number - before.number),
                milliseconds: Monotonic.milliseconds() - start))
    }

    private func sealIfDue(_ head: Head, _ sealed: Sealed) {
        guard sealing.isDue(head, sealed),
            stuckAt.load(ordering: .relaxed) != sealed.position.number + 1
        else { return }
        sealSoon(isUrgent: sealing.isOverdue(head, sealed))
    }

    private func sealedPosition() throws(JournalError) -> Position {
        let transaction = try ReadTransaction(environment, mayBeBehind: true)
        return try Sealed.read(transaction.access, databases).position
    }

    /// Runs `body` while no other process or thread can append; appends inside go through.
    package func withWriterLock<R>(
        waitMilliseconds: Int = 10_000, _ body: () throws -> R
    ) throws -> R {
        try lockWriter(waitMilliseconds: waitMilliseconds)
        defer { unlockWriter() }
        return try body()
    }

    /// No other process or thread can append from here to `unlockWriter`, which the same thread calls; its own
    /// appends go through. Throws `busy` if others keep writing for longer than the wait.
    package func lockWriter(waitMilliseconds: Int) throws(JournalError) {
        try environment.writerLock.lock(waitMilliseconds: waitMilliseconds)
        guard access == .readWrite else { return }
        do throws(JournalError) {
            // Before keys are written, which are found by the journal's path.
            try environment.checkInPlace()
            // Where frames wait in a log that nobody has touched, this program wrote last.
            if let log = environment.log, log.waiting.head != nil, log.isUnchanged { return }
            try refreshHead()
        } catch {
            environment.writerLock.unlock()
            throw error
        }
    }

    /// Puts frames of the log that were checked, in one transaction.
    func put(
        _ frames: [LoggedFrame], _ types: [TypeRecord], _ head: Head
    ) throws(JournalError) {
        while true {
            do throws(JournalError) {
                let transaction = try WriteTransaction(environment)
                let sealed = try transaction.withAccess { access throws(JournalError) in
                    try Appender.put(frames, types, head, access, databases)
                }
                try transaction.commit(appending: frames.map(\.bytes))
                logWasUsed()
                sealIfDue(head, sealed)
                return
            } catch {
                guard error.code == mapFullCode else { throw error }
                try environment.growMap()
            }
        }
    }

    package func unlockWriter() { environment.writerLock.unlock() }

    /// A program that was killed right behind its commit leaves a head that no reader sees before LMDB's own lock
    /// is taken once more. Deciding, and writing keys beyond those that the head names, must see it.
    private func refreshHead() throws(JournalError) {
        let transaction = try WriteTransaction(environment)
        _ = consume transaction
    }

    /// Waits until the head is beyond `position`; false if the time is over or a signal or the
    /// task's cancellation came in between.
    package func waitForAppend(
        after position: Position, timeoutMilliseconds: Int
    ) throws(JournalError) -> Bool {
        let start = Monotonic.milliseconds()
        var pause = 1
        while try head().position <= position {
            let left = timeoutMilliseconds - (Monotonic.milliseconds() - start)
            guard left > 0, !Task.isCancelled else { return false }
            var time = timespec(tv_sec: 0, tv_nsec: min(pause, left) * 1_000_000)
            guard unsafe nanosleep(&time, nil) == 0 else { return false }
            pause = min(pause * 2, 32)
        }
        return true
    }

    /// Checks the whole journal: every record, the chain, and everything derived. `progress` is
    /// called now and then with the position reached and the head's; answers false to give up, with a report of no use.
    package func verify(
        progress: ((Position, Position) -> Bool)? = nil
    ) throws(JournalError) -> VerifyReport {
        environment.putAll()
        if let report = try damagedPages() { return report }
        let transaction = try ReadTransaction(environment, mayBeBehind: true)
        var verifier = try Verifier(transaction.access, databases, memory.frames.store, progress)
        return try verifier.run()
    }

    /// The report on a file whose pages lead astray, nil for any other: LMDB would end the process that reads it.
    package func damagedPages() throws(JournalError) -> VerifyReport? {
        try PageCheck.damage(environment, ReadTransaction(environment, mayBeBehind: true))
            .map { VerifyReport($0) }
    }

    package func statistics() throws(JournalError) -> Statistics {
        environment.putAll()
        let transaction = try ReadTransaction(environment, mayBeBehind: true)
        return try Statistics(transaction.access, databases, environment)
    }
}
