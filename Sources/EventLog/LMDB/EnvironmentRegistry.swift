import Core
import Glibc
import Synchronization

/// All environments of this process, each shared by those who opened the same file.
///
/// LMDB forbids to open a file twice in one process: its locks belong to the process, and closing
/// one of the two would drop the locks of the other. A file whose last user has let go of it is open until LMDB has
/// closed it, on whatever thread that happens.
enum EnvironmentRegistry {
    /// A file that is open, or, without an environment, is just being opened or closed.
    private struct Entry {
        weak var environment: LMDBEnvironment?
        var isReadOnly = false
        var lockFile: FileIdentity?
    }

    /// How long whoever wants to write waits until this process has closed what it only read; milliseconds.
    private static let closingWait = 5000

    private static let entries = Mutex<[FileIdentity: Entry]>([:])

    /// Opens the file, or shares it if it is open; `recover` runs before it is opened, `prepare` once, on a freshly
    /// opened one. Without flushes nothing of it outlives the system.
    static func open(
        _ file: StoreFile, at path: String, lockPath: String, isReadOnly: Bool,
        mapBytes: Int = LMDBEnvironment.leastMapBytes, flushes: Bool = true,
        recover: () throws(JournalError) -> LogRecovery.Hold? = { nil },
        prepare: (LMDBEnvironment) throws(JournalError) -> Void
    ) throws(JournalError) -> LMDBEnvironment {
        let identity = try FileSystem.identity(of: path)
        if let environment = try join(identity, path, isReadOnly: isReadOnly) {
            return environment
        }
        do throws(JournalError) {
            let hold = try recover()
            let environment = try LMDBEnvironment(
                file, at: path, identity: identity, isReadOnly: isReadOnly, mapBytes: mapBytes,
                writerLock: WriterLock(at: lockPath), flushes: flushes)
            hold?.end()
            let lockFile = try? FileSystem.identity(of: path + "-lock")
            entries.withLock { $0[identity]?.lockFile = lockFile }
            try prepare(environment)
            environment.isRegistered.store(true, ordering: .releasing)
            entries.withLock {
                $0[identity] = Entry(
                    environment: environment, isReadOnly: isReadOnly, lockFile: lockFile)
            }
            return environment
        } catch {
            closed(identity)
            throw error
        }
    }

    /// The file's environment. Nil if there is none: then it is the caller's to open, and all others wait until it is
    /// open or ``closed(_:)``.
    private static func join(
        _ identity: FileIdentity, _ path: String, isReadOnly: Bool
    ) throws(JournalError) -> LMDBEnvironment? {
        let start = Monotonic.milliseconds()
        while true {
            var isOurs = false
            var isForReading = false
            // No reference to an environment may end here: closing it needs the lock.
            let environment = entries.withLock { entries -> LMDBEnvironment? in
                guard let entry = entries[identity] else {
                    entries[identity] = Entry()
                    isOurs = true
                    return nil
                }
                isForReading = entry.isReadOnly && !isReadOnly
                return isForReading ? nil : entry.environment
            }
            // It may have been moved since it was opened.
            environment?.place.withLock { $0 = path }
            if isOurs || environment != nil { return environment }
            guard !isForReading || Monotonic.milliseconds() - start < closingWait else {
                throw JournalError(
                    .busy, "\(path): this process has it open for reading only",
                    advice: "close it there first")
            }
            usleep(200)
        }
    }

    /// Whether this process has the file open.
    static func isOpen(_ path: String) throws(JournalError) -> Bool {
        let identity = try FileSystem.identity(of: path)
        return entries.withLock { $0[identity] != nil }
    }

    /// Whether LMDB keeps locks of this process on the file: they are gone once the process closes it anywhere (POSIX).
    static func isLockFile(_ path: String) -> Bool {
        guard let identity = try? FileSystem.identity(of: path) else { return false }
        return entries.withLock { entries in entries.values.contains { $0.lockFile == identity } }
    }

    /// LMDB has closed the file, or did not open it.
    static func closed(_ identity: FileIdentity) {
        entries.withLock { $0[identity] = nil }
    }
}
