import CLMDB
import Synchronization

/// Frames that are durable in the log and wait to be put into `journal.mdb`, several in one commit (ADR 0081).
///
/// What a commit changes in `journal.mdb` takes longer than anything else but the flush. So it is done for many commits at
/// once, while no other program has the journal open: this one's readers find in memory what waits, and whoever opens
/// the journal finds it in the log.
extension WriteAheadLog {
    struct Waiting {
        private(set) var frames: [LoggedFrame] = []
        /// The journal's head behind them; nil where nothing waits.
        private(set) var head: Head?
        /// Of all frames.
        private var bytes = 0

        mutating func add(_ added: [LoggedFrame], _ head: Head) {
            frames += added
            bytes += added.reduce(0) { $0 + $1.bytes.count }
            self.head = head
        }

        func isFull(_ options: Options) -> Bool {
            frames.count >= options.mostWaiting || bytes >= options.mostWaitingBytes
        }
    }

    /// What waits: to be asked before a transaction begins that is to be seen together with it.
    var waiting: Waiting { waitingFrames.withLock { $0 } }

    // MARK: In an append

    /// Whether the next commit may be written to the log alone. The caller holds the lock of writers.
    func mayWait(_ environment: LMDBEnvironment) -> Bool {
        guard !environment.broken.load(ordering: .acquiring), environment.writerLock.isInPlace,
            !environment.hasOthers, environment.hasMapRoom
        else { return false }
        return withState { state in
            guard state.isInUse, state.commits < state.options.mostCommits,
                !waitingFrames.withLock({ $0.isFull(state.options) })
            else { return false }
            switch state.checkpoint {
            case .flushed: return false  // that commit goes on from it
            case .none where wantsMark(state): return false
            case .none, .marked, .flushing: return isUnchanged(state)
            }
        }
    }

    /// Makes frames durable that wait from here on, with the head behind them; false if the log has no room for them.
    func write(
        waiting frames: [LoggedFrame], _ head: Head, _ environment: LMDBEnvironment
    ) throws(JournalError) -> Bool {
        let isFull = try withState { state throws(JournalError) -> Bool? in
            let record = LogRecord.bytes(
                of: frames.map(\.bytes), epoch: state.header?.epoch ?? 0, waits: true)
            guard record.count <= state.options.mostRecordBytes,
                let place = room(for: record.count, state)
            else { return nil }
            try write(record, at: place, &state, environment)
            return waitingFrames.withLock { waiting in
                waiting.add(frames, head)
                return waiting.isFull(state.options)
            }
        }
        guard let isFull else { return false }
        // A program that came since has found this in the log, or finds it in the file. What fails here is tried again beside the
        // appends, and told by the next one, which does not wait.
        if isFull || environment.hasOthers { try? putWaiting(environment) }
        return true
    }

    // MARK: Putting them

    /// Puts what waits into `journal.mdb`, in one commit. `busy` if others keep writing for longer than the wait.
    func putWaiting(
        _ environment: LMDBEnvironment, waitMilliseconds: Int = 2000
    ) throws(JournalError) {
        guard waiting.head != nil else { return }
        try environment.writing(waitMilliseconds: waitMilliseconds) { () throws(JournalError) in
            let now = waiting
            guard let head = now.head, let databases = environment.journalDatabases else { return }
            while true {
                do throws(JournalError) {
                    try put(now.frames, head, environment, databases)
                    break
                } catch {
                    guard error.code == mapFullCode else { throw error }
                    try environment.growMap()
                }
            }
            waitingFrames.withLock { $0 = Waiting() }  // nobody else appends meanwhile
        }
    }

    private func put(
        _ frames: [LoggedFrame], _ head: Head, _ environment: LMDBEnvironment,
        _ databases: JournalDatabases
    ) throws(JournalError) {
        let transaction = try WriteTransaction(environment, isPuttingWaiting: true)
        let isThere = try transaction.withAccess { access throws(JournalError) in
            try Self.put(frames, head, access, databases)
        }
        guard !isThere else { return }
        let isLogged = withState { state in
            state.commits += 1
            return state.isInUse
        }
        try transaction.commit(isLogged: isLogged)
    }

    /// Answers whether they are there: another program may have adopted them.
    private static func put(
        _ frames: [LoggedFrame], _ head: Head, _ access: TransactionAccess,
        _ databases: JournalDatabases
    ) throws(JournalError) -> Bool {
        let stored = try HeadRecord.read(access, databases)
        let missing = frames.filter { $0.number > stored.frameCount }
        guard let first = missing.first else {
            // Whoever adopted them took these: the last is the head, or stands where it stood, or is sealed.
            guard let last = frames.last,
                stored.frameCount > last.number || stored.chain == last.chain,
                try unsafe access.value(databases.frames, last.key.span).map({
                    unsafe $0.elementsEqual(last.bytes)
                }) ?? true
            else { throw .damaged("other frames stand where logged ones were to") }
            return true
        }
        guard first.previous == stored.chain else {
            throw .damaged("the log goes on from another frame", at: stored.position)
        }
        _ = try Appender.put(missing, [], head, access, databases)
        return false
    }

    // MARK: Those of others

    /// What the log has behind the head that a write transaction begins with.
    func tail(
        _ environment: LMDBEnvironment, _ transaction: OpaquePointer
    ) throws(JournalError) -> LogTail? {
        guard let databases = environment.journalDatabases else { return nil }
        let access = unsafe TransactionAccess.writing(environment, transaction)
        return try LogTail(
            of: path, identity: nil, after: HeadRecord.read(access, databases))
    }

    /// Commits what another program, which stands still or is gone, has in its log alone, and ends the transaction. The next one
    /// finds nothing waiting, and brings the log to rest.
    ///
    /// Until that is done the header tells recovery to begin with the state before it: no page of that is written over
    /// in the one commit behind it.
    func adopt(
        _ tail: LogTail, _ environment: LMDBEnvironment, _ transaction: OpaquePointer
    ) throws(JournalError) {
        do throws(JournalError) {
            try withState { state throws(JournalError) in
                try flushPages(&state, environment)
                var header = tail.header
                header.sequence += 1
                header.start = UInt64(tail.start)
                header.meta = try unsafe MetaPages.copy(
                    environment.path, commit: UInt64(mdb_txn_id(transaction)) - 1)
                let (changed, descriptor) = (header, state.descriptor)
                try environment.breaking { () throws(JournalError) in
                    try FileSystem.flushData(descriptor, path)
                    try changed.write(to: descriptor, path)
                    try FileSystem.flushData(descriptor, path)
                }
                state.header = header
            }
            if let databases = environment.journalDatabases, let head = tail.waiting.head {
                let access = unsafe TransactionAccess.writing(environment, transaction)
                _ = try Self.put(tail.waiting.frames, head, access, databases)
            }
        } catch {
            unsafe environment.abort(transaction)
            throw error
        }
        try unsafe environment.commit(transaction)
    }
}
