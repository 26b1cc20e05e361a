import CLMDB
import Glibc
import Synchronization

/// Whether other programs have a file of LMDB open: each that has holds a shared lock on the first byte of the lock file.
///
/// Such locks belong to the process, and are gone once it closes the lock file anywhere (POSIX): the descriptor to ask
/// with is kept as long as the environment.
extension LMDBEnvironment {
    static let mostReaders = 1024

    /// LMDB writes to its lock file where it has mapped it: where the disk has no room for that the process would end (SIGBUS).
    /// Its layout in LMDB 0.9: 128 bytes, and 64 for each reader.
    ///
    /// Where this process has the file open, closing it here would give up the locks that LMDB has on it.
    static func reserveLock(beside path: String) -> CInt {
        if EnvironmentRegistry.isLockFile(path + "-lock") { return 0 }
        let descriptor = unsafe Glibc.open(path + "-lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        // Whoever may not write to it is told so by LMDB, or does without.
        guard descriptor >= 0 else { return 0 }
        defer { close(descriptor) }
        let code = posix_fallocate(descriptor, 0, 128 + mostReaders * 64)
        return [ENOSPC, EDQUOT, EFBIG].contains(code) ? code : 0
    }

    static func lockDescriptor(beside path: String) -> CInt {
        unsafe Glibc.open(path + "-lock", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    }

    /// Whether another program has the file open, or may have. One that may not write to the lock file is not seen.
    var hasOthers: Bool { lockDescriptor < 0 || Self.isLockedByOthers(lockDescriptor) }

    /// Puts what waits into the file, what another program left waiting, too, as far as that can be done now: for who looks at the
    /// file alone.
    func putAll() {
        try? log?.putWaiting(self)
        if !isReadOnly, foreign.withLock({ $0.head != nil }) {
            try? asWriter { () throws(JournalError) in }
        }
    }

    /// What is durable and not in the file yet, as far as it is to be read: to be asked before a transaction begins that is to be
    /// seen together with it.
    var waiting: WriteAheadLog.Waiting {
        if let own = log?.waiting, own.head != nil { return own }
        return foreign.withLock { $0 }
    }

    static func isLockedByOthers(_ descriptor: CInt) -> Bool {
        var lock = flock(
            l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 1, l_pid: 0)
        return unsafe fcntl(descriptor, F_GETLK, &lock) != 0 || lock.l_type != Int16(F_UNLCK)
    }

    /// Whether the map holds what may wait in the log, so that it need not grow under readers.
    var hasMapRoom: Bool {
        let information = information()
        return UInt(information.mapBytes) > (information.lastPage &+ 1024) &* pageBytes
    }
}
