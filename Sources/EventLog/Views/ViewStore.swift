import Core
import Glibc
import Synchronization

/// What can be made again from the journal: stored read models and the write side's folds, in
/// `views.mdb`.
///
/// A table is an ordered map from keys (1 to 511 bytes) to values; meta values have names.
/// Damage anywhere gives an error of kind `viewsDamaged`; `reset()` then makes an empty store.
package final class ViewStore: Sendable {
    /// The longest key of a table.
    package static let keyBytes = 511

    /// The journal's directory.
    package let path: String
    private let isScratch: Bool
    private let access: Journal.Access
    private let current: Mutex<LMDBEnvironment>
    private let tell: @Sendable (JournalError) -> Void

    /// Opens the views of the journal in a directory; makes an empty store if there is none. `tell` hears why the
    /// map could not grow ahead of need.
    package init(
        at journalPath: String, access: Journal.Access = .readWrite,
        tell: @escaping @Sendable (JournalError) -> Void = { _ in }
    ) throws(JournalError) {
        self.tell = tell
        path = journalPath
        isScratch = false
        self.access = access
        current = Mutex(try Self.open(JournalDirectory(path: journalPath), access))
    }

    /// An empty store for states of a journal that nobody is to find: its file has no name, and is gone with the last who has it
    /// open, however that ends. It lies in the directory `place`.
    package init(
        scratchOf journal: Journal, in place: String,
        tell: @escaping @Sendable (JournalError) -> Void = { _ in }
    ) throws(JournalError) {
        self.tell = tell
        path = journal.path
        isScratch = true
        access = .readWrite
        let directory = try FileSystem.makeDirectory(
            "sijill-scratch", uniqueIn: place)
        let file = JournalDirectory(path: directory).viewsPath
        do throws(JournalError) {
            try FileSystem.write([], to: file)
            let environment = try EnvironmentRegistry.open(
                .views, at: file, lockPath: file, isReadOnly: false, flushes: false
            ) { environment throws(JournalError) in
                try Self.prepare(environment, journal.identity, isNew: true)
            }
            // Opens the lock while the file has a name.
            try environment.writerLock.lock(waitMilliseconds: Self.waitMilliseconds)
            environment.writerLock.unlock()
            current = Mutex(environment)
        } catch {
            Self.removeNames(directory, file)
            throw error
        }
        Self.removeNames(directory, file)
    }

    var environment: LMDBEnvironment { current.withLock { $0 } }

    /// Where it lies, or lay.
    var file: String { environment.path }

    private static func removeNames(_ directory: String, _ file: String) {
        for path in [file, file + "-lock"] { try? FileSystem.remove(path) }
        try? FileSystem.removeDirectory(directory)
    }

    /// Throws the stored views of a journal away, readable or not. Those who have them open go on
    /// with what they have until they open them anew.
    package static func reset(at journalPath: String) throws(JournalError) {
        try remove(at: journalPath, ifStill: nil)
    }

    /// - Parameter former: the file that is to go; another one that has its name since stays.
    private static func remove(
        at journalPath: String, ifStill former: FileIdentity?
    ) throws(JournalError) {
        let directory = JournalDirectory(path: journalPath)
        _ = try directory.checkOpen()
        try withDirectoryLock(journalPath) { () throws(JournalError) in
            let path = directory.viewsPath
            if let former, let now = try? FileSystem.identity(of: path), now != former { return }
            try FileSystem.remove(path)
            try FileSystem.remove(path + "-lock")
            try FileSystem.flush(journalPath)
        }
    }

    /// Throws all stored views away and goes on with an empty store, or with what others have made since.
    package func reset() throws(JournalError) {
        guard access == .readWrite else { throw isReadOnly("its views cannot be thrown away") }
        guard !isScratch else {
            throw JournalError(
                .inputOutput, "\(file): what was folded cannot be read again",
                advice: "check the disk that it was on")
        }
        try Self.remove(at: path, ifStill: environment.identity)
        let directory = JournalDirectory(path: path)
        let fresh: LMDBEnvironment
        do throws(JournalError) {
            fresh = try Self.open(directory, access)
        } catch {
            guard error.kind == .viewsDamaged else { throw error }
            try Self.reset(at: path)
            fresh = try Self.open(directory, access)
        }
        current.withLock { $0 = fresh }
    }

    /// The views as they are now, for reading; keep it short.
    package func snapshot() throws(JournalError) -> ViewSnapshot {
        let environment = environment
        let tables = try Self.tables(environment)
        while true {
            let transaction = try ReadTransaction(environment)
            guard try tables.isBehind(transaction.access) else {
                return ViewSnapshot(tables, transaction)
            }
            try tables.refresh(environment)
        }
    }

    /// Runs `body` in a write transaction: committed when it returns, undone when it throws.
    ///
    /// A machine that loses power may lose the last commits, but never a part of one.
    package func write<R>(_ body: (inout ViewTransaction) throws -> R) throws -> R {
        guard access == .readWrite else { throw isReadOnly("its views cannot be written") }
        let environment = environment
        if let error = environment.growScarceMap() { tell(error) }
        do {
            return try Self.write(environment, try Self.tables(environment), body)
        } catch let error as JournalError where error.code == mapFullCode {
            try environment.growMap()
            throw error  // `body` may have effects of its own: running it again is not for us
        }
    }

    /// Short: storing views can wait, and the caller may hold the writer lock.
    private static let waitMilliseconds = 2000

    private static func write<R>(
        _ environment: LMDBEnvironment, _ tables: ViewTables,
        _ body: (inout ViewTransaction) throws -> R
    ) throws -> R {
        let lock = environment.writerLock
        try lock.lock(waitMilliseconds: waitMilliseconds)
        defer { lock.unlock() }
        let opening = ViewOpening(tables)
        defer { opening.end() }
        return try write(environment, tables, opening, body)
    }

    /// When this returns or throws, the transaction is over.
    private static func write<R>(
        _ environment: LMDBEnvironment, _ tables: ViewTables, _ opening: ViewOpening,
        _ body: (inout ViewTransaction) throws -> R
    ) throws -> R {
        var transaction = ViewTransaction(
            try WriteTransaction(environment), tables, opening)
        let result = try body(&transaction)
        try transaction.commit()
        opening.isCommitted = true
        return result
    }

    private func isReadOnly(_ what: String) -> JournalError {
        JournalError(
            .readOnly, "\(path): opened for reading only, \(what)", advice: "open it for writing")
    }

    // MARK: Opening

    private static func tables(_ environment: LMDBEnvironment) throws(JournalError) -> ViewTables {
        guard let tables = environment.viewTables else {
            throw StoreFile.views.damaged("they are not open")
        }
        return tables
    }

    private static func open(
        _ directory: JournalDirectory, _ access: Journal.Access
    ) throws(JournalError) -> LMDBEnvironment {
        let identity = try directory.checkOpen()
        return try withDirectoryLock(directory.path) { () throws(JournalError) in
            let path = directory.viewsPath
            var isNew = false
            switch try FileSystem.entry(at: path) {
            case .nothing, .file(bytes: 0):
                guard access == .readWrite else {
                    throw JournalError(
                        .readOnly, "\(path): there are no stored views yet",
                        advice: "let a program that may write make them")
                }
                try FileSystem.write([], to: path)
                isNew = true
            case .file: try MetaPages.check(path, .views)
            case .directory, .other:
                throw StoreFile.views.damaged("\(path) is not a file")
            }
            return try EnvironmentRegistry.open(
                .views, at: path, lockPath: path, isReadOnly: access == .readOnly
            ) { environment throws(JournalError) in
                try prepare(environment, identity, isNew: isNew)
            }
        }
    }

    private static func prepare(
        _ environment: LMDBEnvironment, _ identity: String, isNew: Bool
    ) throws(JournalError) {
        let key = IdentityRecord.key
        try PageCheck.check(opened: environment)
        let tables = ViewTables(
            meta: try environment.withHandleTransaction(writing: isNew) {
                access throws(JournalError) in
                let meta = try access.open("meta", .viewMeta, creating: isNew)
                if isNew {
                    var content = [UInt8](identity.utf8)
                    try access.putRecord(meta, key.span, &content)
                }
                return meta
            })
        let transaction = try ReadTransaction(environment)
        let stored = try transaction.access.viewValue(tables.meta, key)
        guard let stored, stored.elementsEqual(identity.utf8) else {
            throw StoreFile.views.damaged("they are of another journal")
        }
        environment.setViewTables(tables)
    }

    /// Keeps others from opening or throwing away the file meanwhile (flock on the directory).
    private static func withDirectoryLock<R>(
        _ path: String, _ body: () throws(JournalError) -> R
    ) throws(JournalError) -> R {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .failed("opening", at: path, errno: errno) }
        defer { close(descriptor) }
        let start = Monotonic.milliseconds()
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK where Monotonic.milliseconds() - start < 10_000: usleep(1000)
            case EWOULDBLOCK:
                throw JournalError(
                    .busy, "\(path): another program is opening the stored views",
                    advice: "try again later")
            default: throw .failed("locking", at: path, errno: errno)
            }
        }
        return try body()
    }
}

/// The tables that a write transaction opened, given to all once it is committed.
final class ViewOpening {
    private let tables: ViewTables
    private var opened: [UInt16: Database] = [:]
    private var hasBegun = false
    var isCommitted = false

    init(_ tables: ViewTables) {
        self.tables = tables
    }

    func table(
        _ number: UInt16, _ access: TransactionAccess
    ) throws(JournalError) -> Database {
        if let table = opened[number] ?? tables.table(number) { return table }
        if !hasBegun {
            try tables.beginOpening()
            hasBegun = true
        }
        // Another thread may have opened it while we waited; LMDB then gives the same handle.
        let table = try access.open(
            ViewTables.name(number), .view, table: number, creating: true)
        opened[number] = table
        return table
    }

    /// To be called after the transaction's end.
    func end() {
        if hasBegun { tables.endOpening(isCommitted ? opened : [:]) }
    }
}
