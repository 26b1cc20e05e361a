import Core
import Glibc
import Synchronization

/// All environments of this process, each shared by those who opened the same file.
///
/// LMDB forbids to open a file twice in one process: its locks belong to the process, and closing
/// one of the two would drop the locks of the other.
enum EnvironmentRegistry {
    private struct Entry {
        let environment: LMDBEnvironment
        var users: Int
    }

    private static let entries = Mutex<[FileIdentity: Entry]>([:])

    /// Opens the file, or shares it if it is open; `recover` runs before it is opened, `prepare` once, on a freshly
    /// opened one.
    static func open(
        _ file: StoreFile, at path: String, lockPath: String, isReadOnly: Bool,
        mapBytes: Int = LMDBEnvironment.leastMapBytes,
        recover: () throws(JournalError) -> Void = {},
        prepare: (LMDBEnvironment) throws(JournalError) -> Void
    ) throws(JournalError) -> EnvironmentLease {
        let environment = try entries.withLock { entries throws(JournalError) -> LMDBEnvironment in
            let identity = try FileSystem.identity(of: path)
            if var entry = entries[identity] {
                guard isReadOnly || !entry.environment.isReadOnly else {
                    throw JournalError(
                        .busy, "\(path): this process has it open for reading only",
                        advice: "close it there first")
                }
                entry.users += 1
                entries[identity] = entry
                return entry.environment
            }
            try recover()
            let environment = try LMDBEnvironment(
                file, at: path, identity: identity, isReadOnly: isReadOnly, mapBytes: mapBytes,
                writerLock: WriterLock(at: lockPath))
            try prepare(environment)
            entries[identity] = Entry(environment: environment, users: 1)
            return environment
        }
        return EnvironmentLease(environment)
    }

    /// Whether this process has the file open.
    static func isOpen(_ path: String) throws(JournalError) -> Bool {
        let identity = try FileSystem.identity(of: path)
        return entries.withLock { $0[identity] != nil }
    }

    /// Gives up one use; the last one closes the environment before anyone can open it anew.
    fileprivate static func release(_ identity: FileIdentity) {
        entries.withLock { entries in
            guard var entry = entries[identity] else { return }
            entry.users -= 1
            entries[identity] = entry.users == 0 ? nil : entry
        }
    }
}

/// The right to use an environment; it is closed after the last lease is gone.
final class EnvironmentLease: Sendable {
    /// Must not be kept beyond the lease.
    unowned let environment: LMDBEnvironment
    private let identity: FileIdentity

    fileprivate init(_ environment: LMDBEnvironment) {
        self.environment = environment
        self.identity = environment.identity
    }

    deinit { EnvironmentRegistry.release(identity) }
}
