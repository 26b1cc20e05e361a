import Glibc

extension Journal {
    /// Mends what a failed write of LMDB's left on the meta page that it does not go by (`MetaPages`); answers whether
    /// there was anything to mend. The next commit would do the same.
    ///
    /// Throws `busy` if anybody has the journal open.
    package static func repair(at path: String) throws(JournalError) -> Bool {
        let directory = JournalDirectory(path: path)
        let identity = try directory.check()
        let lock = WriterLock(at: directory.lockPath)
        try lock.lock(waitMilliseconds: 10_000)
        defer { lock.unlock() }
        let path = directory.journalPath
        // These locks are the process's: ours would be taken for granted, and closing the file would drop LMDB's.
        guard try !EnvironmentRegistry.isOpen(path) else { throw LMDBEnvironment.isInUse(path) }
        try LogRecovery(directory, identity: identity).run()
        return try LMDBEnvironment.withEverybodyOut(path) { () throws(JournalError) in
            try MetaPages.repair(path, .journal)
        }
    }
}

extension LMDBEnvironment {
    fileprivate static func isInUse(_ path: String) -> JournalError {
        JournalError(
            .busy, "\(path): a program has it open", advice: "end the programs that use the journal"
        )
    }

    /// Runs `body` while no other process has an LMDB file open: an open environment holds a shared lock on the first
    /// byte of the lock file, and opening one waits for our exclusive lock. Throws `busy` if one has.
    ///
    /// This process must not have it open.
    static func withEverybodyOut<R>(
        _ path: String, _ body: () throws(JournalError) -> R
    ) throws(JournalError) -> R {
        let lockPath = path + "-lock"
        let descriptor = unsafe Glibc.open(
            lockPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .failed("opening", at: lockPath, errno: errno) }
        defer { close(descriptor) }
        var lock = flock(
            l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 1, l_pid: 0)
        guard unsafe fcntl(descriptor, F_SETLK, &lock) == 0 else {
            if errno == EAGAIN || errno == EACCES { throw isInUse(path) }
            throw .failed("locking", at: lockPath, errno: errno)
        }
        return try body()
    }
}
