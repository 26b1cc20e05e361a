import Core
import Glibc

/// Brings a journal that ended with its log in use to rest: `journal.mdb` goes back to its last state that was flushed,
/// and what was logged since is appended to it again.
///
/// It runs while nobody has the journal open. It can be interrupted and run again: until the log's header says that
/// it is at rest, no page of the flushed state is written over, since one transaction appends everything.
struct LogRecovery {
    private let directory: JournalDirectory
    private let identity: String
    private var path: String { directory.logPath }

    init(_ directory: JournalDirectory, identity: String) {
        self.directory = directory
        self.identity = identity
    }

    /// Keeps others from recovering.
    final class Hold {
        private var descriptor: CInt

        fileprivate init(_ descriptor: CInt) { self.descriptor = descriptor }

        deinit { end() }

        func end() {
            if descriptor >= 0 { close(descriptor) }
            descriptor = -1
        }
    }

    /// Does what is to be done, if anything is. This process must not have the journal open. Whoever opens it next holds on to
    /// the answer until it is open: else somebody might recover it in between, under those who found it in use.
    @discardableResult
    func run() throws(JournalError) -> Hold? {
        guard try FileSystem.exists(path) else { return nil }
        var isWritable = true
        var descriptor = unsafe Glibc.open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        if descriptor < 0, errno == EACCES || errno == EPERM || errno == EROFS {
            isWritable = false
            descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        }
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .failed("opening", at: path, errno: errno)
        }
        let hold = Hold(descriptor)
        // Others who open the journal meanwhile wait for what this one makes of it.
        try lock(descriptor)
        guard let header = try LogHeader.read(descriptor, path) else {
            throw .damaged("\(path) has no sound header")
        }
        guard header.isInUse, let meta = header.meta else { return hold }
        guard isWritable else {
            try checkSomebodyIsThere()
            return hold
        }
        guard Hex.text(header.identity) == identity else {
            throw .damaged("FORMAT and journal.wal belong to different journals")
        }
        do throws(JournalError) {
            try LMDBEnvironment.withEverybodyOut(directory.journalPath) { () throws(JournalError) in
                let log = try FileSystem.read(
                    LogHeader.recordsOffset + Int(header.areaBytes), from: descriptor, at: 0, path)
                try check(log, header, meta)
                try MetaPages.goBack(to: meta, directory.journalPath)
                try append(log, header)
                try rest(header, descriptor)
            }
        } catch {
            // Somebody has it open: then it has not been down, and is as it was left.
            if error.kind != .busy { throw error }
        }
        return hold
    }

    private func lock(_ descriptor: CInt) throws(JournalError) {
        let start = Monotonic.milliseconds()
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK where Monotonic.milliseconds() - start < 10_000: usleep(1000)
            case EWOULDBLOCK:
                throw JournalError(
                    .busy, "\(path): another program recovers the journal",
                    advice: "try again later")
            default: throw .failed("locking", at: path, errno: errno)
            }
        }
    }

    /// A reader that may not write cannot recover; where another program has the journal open, nothing is to be
    /// recovered.
    private func checkSomebodyIsThere() throws(JournalError) {
        let lockPath = directory.journalPath + "-lock"
        let descriptor = unsafe Glibc.open(lockPath, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        defer { if descriptor >= 0 { close(descriptor) } }
        if descriptor >= 0, LMDBEnvironment.isLockedByOthers(descriptor) { return }
        throw JournalError(
            .permission, "\(path): the program that wrote the journal did not come to its end",
            advice: "open it once with the right to write, so that it can be recovered")
    }

    // MARK: Checking

    /// Before anything is changed: throws if the log and `journal.mdb` are not of the same time, or a record is damaged that others
    /// follow. Going back would destroy the one, or lose the others.
    private func check(
        _ log: [UInt8], _ header: LogHeader, _ meta: MetaPages.Copy
    ) throws(JournalError) {
        let journalPath = directory.journalPath
        // None where a power failure left neither.
        let newest = try MetaPages.newestCopy(journalPath, pageBytes: meta.pageBytes)
        if let newest, newest.commit < meta.commit {
            throw notOneTime("\(journalPath) is of an earlier time than \(path)")
        }
        // The pages of the flushed state are kept: a later one with the same root has written over them.
        let isKept = newest.map {
            $0.commit == meta.commit ? $0.leads(as: meta) : $0.root != meta.root
        }
        guard isKept ?? true, let flushed = try PageLookup(journalPath, meta).head() else {
            throw notOneTime("\(journalPath) has not the state any more that \(path) goes on from")
        }
        let end = try LogChain(bytes: log, header: header).end(behind: flushed)
        // What is in `journal.mdb` was in the log before. After a power failure its newest pages may lead nowhere.
        guard let newest, let stored = try PageLookup(journalPath, newest).head() else { return }
        if stored.frameCount > end.frameCount {
            throw notOneTime(
                "\(journalPath) has \(stored.frameCount - end.frameCount) commits that \(path)"
                    + " has not")
        }
        if stored.frameCount == end.frameCount, stored.chain != end.chain {
            throw notOneTime("\(journalPath) and \(path) end in different commits")
        }
    }

    private func notOneTime(_ what: String) -> JournalError {
        JournalError(
            .damaged(nil), what,
            advice: "put back the file that belongs to the other, or move journal.wal away if"
                + " journal.mdb was copied whole since, and run verify")
    }

    // MARK: Appending again

    private func append(_ log: [UInt8], _ header: LogHeader) throws(JournalError) {
        try MetaPages.check(directory.journalPath, .journal)
        let environment = try LMDBEnvironment(
            .journal, at: directory.journalPath,
            identity: FileSystem.identity(of: directory.journalPath), isReadOnly: false,
            mapBytes: LMDBEnvironment.leastMapBytes,
            writerLock: WriterLock(at: directory.lockPath), hasLog: false)
        try PageCheck.check(opened: environment)
        let databases = try JournalDatabases.open(environment)
        while true {
            do throws(JournalError) {
                let transaction = try WriteTransaction(environment)
                let hasChanged = try transaction.withAccess { access throws(JournalError) in
                    try append(log, header, access, databases)
                }
                if hasChanged { try transaction.commit() }
                return
            } catch {
                guard error.code == mapFullCode else { throw error }
                try environment.growMap()
            }
        }
    }

    /// Whether there was anything to append.
    private func append(
        _ log: [UInt8], _ header: LogHeader, _ access: TransactionAccess,
        _ databases: JournalDatabases
    ) throws(JournalError) -> Bool {
        let stored = try HeadRecord.read(access, databases)
        let head = try LogChain(bytes: log, header: header).visit(behind: stored) {
            frame, reader throws(JournalError) in
            for type in reader.types {
                let key = JournalKeys.type(type.number)
                var record: [UInt8] = []
                type.write(to: &record)
                try access.putRecord(databases.types, key.span, &record)
            }
            try access.put(databases.frames, reader.key.bytes.span, frame)
        }
        if head != stored { try HeadRecord.put(head, access, databases) }
        return head != stored
    }

    private func rest(_ header: LogHeader, _ descriptor: CInt) throws(JournalError) {
        try header.atRest.write(to: descriptor, path)
        try FileSystem.flushData(descriptor, path)
        try header.atRest.atRest.write(to: descriptor, path)
        try FileSystem.remove(path)
    }
}
