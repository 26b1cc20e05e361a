import CLMDB
import Glibc

/// A named database of an environment, and what its records are hashed under.
struct Database: Hashable, Sendable {
    let handle: UInt32
    let domain: Domain
    let name: String
    /// Number of a table of the views; 0 in the journal.
    var table: UInt16 = 0
    /// As one snapshot sees it, where that has been looked up.
    var tree: MappedPages.Tree?

    /// LMDB's list of the others (`MAIN_DBI`).
    static let main = Database(handle: 1, domain: .viewMeta, name: "main")
}

/// A read transaction: the file as it was when it began. Ends when it goes out of scope.
@safe
struct ReadTransaction: ~Copyable {
    let environment: LMDBEnvironment
    private let raw: OpaquePointer
    private let usedBytes: UInt
    private let pages: MappedPages?
    private let isPooled: Bool
    private var keepsHandles = false

    /// A transaction that is not pooled is LMDB's own business from beginning to end; only such
    /// a one can keep the handles opened in it.
    ///
    /// - Parameter mayBeBehind: what waits in the log is not to be put into the file before.
    init(
        _ environment: LMDBEnvironment, isPooled: Bool = true, mayBeBehind: Bool = false
    ) throws(JournalError) {
        self.environment = environment
        self.isPooled = isPooled
        unsafe raw = try environment.beginRead(isPooled: isPooled, mayBeBehind: mayBeBehind)
        usedBytes = environment.usedBytes()
        pages = unsafe environment.pages(of: UInt64(mdb_txn_id(raw)))
    }

    deinit {
        unsafe environment.endRead(raw, isPooled: isPooled, keepsHandles: keepsHandles)
    }

    /// Ends it; the database handles that it opened stay open.
    consuming func keepHandles() { keepsHandles = true }

    /// The number of the commit that it sees.
    var commit: UInt64 { unsafe UInt64(mdb_txn_id(raw)) }

    /// What can be done inside it; must not be kept beyond it.
    var access: TransactionAccess {
        unsafe TransactionAccess(
            environment: environment, raw: raw, usedBytes: usedBytes, pages: pages)
    }
}

/// The write transaction: one at a time over all processes. `commit()` or nothing happened.
@safe
struct WriteTransaction: ~Copyable {
    let environment: LMDBEnvironment
    private var raw: OpaquePointer?

    /// What waits in the log is put into the file before, unless that is what it is for.
    init(
        _ environment: LMDBEnvironment, isPuttingWaiting: Bool = false
    ) throws(JournalError) {
        self.environment = environment
        unsafe raw = try environment.beginWrite(isPuttingWaiting: isPuttingWaiting)
    }

    deinit {
        if let raw = unsafe raw { unsafe environment.abort(raw) }
    }

    /// Makes it durable.
    consuming func commit() throws(JournalError) {
        guard let transaction = unsafe raw else { return }
        unsafe raw = nil
        try unsafe environment.commit(transaction)
        environment.log?.noteOtherCommit()
    }

    /// `isLogged`: it holds what the log made durable before, and nothing else.
    consuming func commit(isLogged: Bool) throws(JournalError) {
        guard isLogged else { return try commit() }
        guard let transaction = unsafe raw else { return }
        unsafe raw = nil
        try unsafe environment.commit(transaction, isLogged: true)
    }

    /// Makes it durable; `frames` are all that it appends, and what follows from them, so that the log may do so.
    consuming func commit(appending frames: [[UInt8]]) throws(JournalError) {
        guard let log = environment.log, try log.write(frames, environment) else {
            return try commit()
        }
        guard let transaction = unsafe raw else { return }
        unsafe raw = nil
        do throws(JournalError) {
            try unsafe environment.commit(transaction, isLogged: true)
        } catch {
            log.withdraw(environment)
            throw error
        }
    }

    /// What can be done inside it; must not be kept beyond it.
    func withAccess<R>(
        _ body: (TransactionAccess) throws(JournalError) -> R
    ) throws(JournalError) -> R {
        guard let raw = unsafe raw else {
            throw .invalid("a transaction was used after its end")
        }
        return try unsafe body(.writing(environment, raw))
    }
}

/// The operations of an open transaction.
@safe
struct TransactionAccess {
    let environment: LMDBEnvironment
    let raw: OpaquePointer
    /// Length of the file's used part; nil when writing, as new pages lie outside the map.
    let usedBytes: UInt?
    /// What a reader sees, and looks at before following it; nil where LMDB follows its pages itself.
    var pages: MappedPages?
    /// What a writer begins with, which LMDB follows itself: it is looked at before (`WriteCheck.swift`).
    var former: MappedPages?

    func failed(_ operation: String, _ code: CInt) -> JournalError {
        environment.failed(operation, code)
    }

    /// What pages say of a database, or that they are damaged.
    func undamaged<R>(
        _ database: Database, _ body: () throws(Malformed) -> R
    ) throws(JournalError) -> R {
        do throws(Malformed) {
            return try body()
        } catch {
            throw environment.file.damaged("\(error.what) (\(database.name))")
        }
    }

    /// Whether a database can be read from: one that was made since the transaction began is empty, or nothing that LMDB knows.
    func canRead(_ database: Database) -> Bool {
        pages != nil || (try? statistics(database)) != nil
    }

    /// The database as this transaction sees it, for who reads from it again and again.
    func seen(_ database: Database) throws(JournalError) -> Database {
        guard let pages else { return database }
        var seen = database
        seen.tree = try undamaged(database) { () throws(Malformed) in
            try pages.tree(of: database) ?? .empty
        }
        return seen
    }

    /// Opens a named database.
    func open(
        _ name: String, _ domain: Domain, table: UInt16 = 0, creating: Bool = false
    ) throws(JournalError) -> Database {
        try checkList()
        var handle: UInt32 = 0
        let code = unsafe mdb_dbi_open(raw, name, creating ? UInt32(MDB_CREATE) : 0, &handle)
        guard code == 0 else { throw failed("opening database \(name)", code) }
        return Database(handle: handle, domain: domain, name: name, table: table)
    }

    /// The stored value of a key (content and checksum as they lie in the file), or nil.
    func value(
        _ database: Database, _ key: Span<UInt8>
    ) throws(JournalError) -> UnsafeRawBufferPointer? {
        if let pages {
            return try unsafe undamaged(database) { () throws(Malformed) in
                guard let tree = try pages.tree(of: database) else { return nil }
                return try unsafe key.withUnsafeBytes { key throws(Malformed) in
                    try unsafe pages.value(of: key, in: tree)
                }
            }
        }
        try check(database, formerTree(of: database), towards: key)
        var value = unsafe MDB_val()
        let code = unsafe key.withUnsafeBytes { bytes in
            var key = unsafe MDB_val(bytes)
            return unsafe mdb_get(raw, database.handle, &key, &value)
        }
        if code == MDB_NOTFOUND { return nil }
        guard code == 0 else { throw failed("reading from \(database.name)", code) }
        return try unsafe checked(value, database)
    }

    /// Refuses what a damaged page claims to lie outside the file.
    func checked(
        _ value: MDB_val, _ database: Database
    ) throws(JournalError) -> UnsafeRawBufferPointer {
        let bytes = unsafe UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)
        guard let usedBytes else { return unsafe bytes }
        let start = unsafe UInt(bitPattern: value.mv_data)
        let (end, overflow) = unsafe start.addingReportingOverflow(UInt(value.mv_size))
        guard
            let range = environment.mappedRange(
                learningFrom: start, usedBytes: usedBytes), !overflow,
            range.lowerBound <= start, end <= range.upperBound
        else {
            throw environment.file.damaged(
                "a record of \(database.name) points outside the file")
        }
        return unsafe bytes
    }

    /// Stores a value; answers false if `flags` forbid it because the key is there.
    @discardableResult
    func put(
        _ database: Database, _ key: Span<UInt8>, _ stored: Span<UInt8>, flags: CInt = 0
    ) throws(JournalError) -> Bool {
        try check(database, formerTree(of: database), towards: key, flags)
        let code = unsafe key.withUnsafeBytes { keyBytes in
            unsafe stored.withUnsafeBytes { valueBytes in
                var key = unsafe MDB_val(keyBytes)
                var value = unsafe MDB_val(valueBytes)
                return unsafe mdb_put(raw, database.handle, &key, &value, UInt32(flags))
            }
        }
        if code == MDB_KEYEXIST, flags != 0 { return false }
        guard code == 0 else { throw failed("writing to \(database.name)", code) }
        return true
    }

    /// Removes a key; answers whether it was there.
    @discardableResult
    func delete(_ database: Database, _ key: Span<UInt8>) throws(JournalError) -> Bool {
        try check(database, formerTree(of: database), towards: key)
        let code = unsafe key.withUnsafeBytes { bytes in
            var key = unsafe MDB_val(bytes)
            return unsafe mdb_del(raw, database.handle, &key, nil)
        }
        if code == MDB_NOTFOUND { return false }
        guard code == 0 else { throw failed("removing from \(database.name)", code) }
        return true
    }

    /// Removes all records of a database.
    func empty(_ database: Database) throws(JournalError) {
        try checkAll(database)
        let code = unsafe mdb_drop(raw, database.handle, 0)
        guard code == 0 else { throw failed("emptying \(database.name)", code) }
    }

    func statistics(_ database: Database) throws(JournalError) -> MDB_stat {
        if database != .main { try checkList() }
        var statistics = MDB_stat()
        let code = unsafe mdb_stat(raw, database.handle, &statistics)
        guard code == 0 else { throw failed("measuring \(database.name)", code) }
        return statistics
    }
}

extension MDB_val {
    init(_ bytes: UnsafeRawBufferPointer) {
        unsafe self.init(
            mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }
}
