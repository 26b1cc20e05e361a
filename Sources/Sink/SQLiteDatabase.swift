import CSQLite

/// A file of SQLite.
@safe final class SQLiteDatabase: Database {
    let dialect = Dialect.sqlite
    private let path: String
    private var database: OpaquePointer?
    /// Statements that were run before, by their text.
    private var prepared: [String: OpaquePointer] = unsafe [:]

    private static let waitMilliseconds: Int32 = 10_000
    /// Where it is tried again soon.
    private static let shortWaitMilliseconds: Int32 = 100

    /// - Parameter toRun: makes the file, and changes its settings; who only asks leaves it as it is, since it may be
    ///   somebody else's.
    init(_ path: String, toRun: Bool) throws(DatabaseError) {
        self.path = path
        let flags =
            SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (toRun ? SQLITE_OPEN_CREATE : 0)
        guard unsafe sqlite3_open_v2(path, &database, flags, nil) == SQLITE_OK else {
            let error = failure()
            close()
            throw error
        }
        unsafe sqlite3_busy_timeout(database, Self.waitMilliseconds)
        // Readers are not kept waiting; what is deleted is overwritten (docs/sink.md, Erasure). The first of these the file
        // keeps, the others are the connection's.
        if toRun { try run("pragma journal_mode = wal", []) }
        try run("pragma synchronous = full", [])
        try run("pragma secure_delete = on", [])
    }

    deinit { close() }

    private func close() {
        unsafe prepared.values.forEach { unsafe sqlite3_finalize($0) }
        unsafe prepared = [:]
        unsafe sqlite3_close_v2(database)
        unsafe database = nil
    }

    private func failure() -> DatabaseError {
        let code = unsafe sqlite3_errcode(database)
        let text = unsafe sqlite3_errmsg(database).map { unsafe String(cString: $0) } ?? "no memory"
        return DatabaseError(
            message: "\(path): \(text)", mayPass: code == SQLITE_BUSY || code == SQLITE_LOCKED)
    }

    private func statement(_ text: String) throws(DatabaseError) -> OpaquePointer {
        if let known = unsafe prepared[text] { return unsafe known }
        var made: OpaquePointer?
        guard unsafe sqlite3_prepare_v2(database, text, -1, &made, nil) == SQLITE_OK,
            let statement = unsafe made
        else { throw failure() }
        unsafe prepared[text] = statement
        return unsafe statement
    }

    @discardableResult
    func run(_ statement: String, _ values: [String?]) throws(DatabaseError) -> [[String?]] {
        let prepared = unsafe try self.statement(statement)
        defer {
            unsafe sqlite3_reset(prepared)
            unsafe sqlite3_clear_bindings(prepared)
        }
        for (index, value) in values.enumerated() {
            let place = unsafe sqlite3_bind_parameter_index(prepared, "$\(index + 1)")
            guard let value, place > 0 else { continue }
            // `SQLITE_TRANSIENT`: SQLite copies what it is given.
            let code = unsafe sqlite3_bind_text64(
                prepared, place, value, sqlite3_uint64(value.utf8.count),
                unsafeBitCast(-1, to: sqlite3_destructor_type.self), UInt8(SQLITE_UTF8))
            guard code == SQLITE_OK else { throw failure() }
        }
        var rows: [[String?]] = []
        while true {
            switch unsafe sqlite3_step(prepared) {
            case SQLITE_ROW: rows.append(unsafe Self.row(prepared))
            case SQLITE_DONE: return rows
            default: throw failure()
            }
        }
    }

    private static func row(_ statement: OpaquePointer) -> [String?] {
        (0..<(unsafe sqlite3_column_count(statement))).map { column in
            guard let text = unsafe sqlite3_column_text(statement, column) else { return nil }
            let count = Int(unsafe sqlite3_column_bytes(statement, column))
            let bytes = unsafe UnsafeBufferPointer(start: text, count: count)
            return unsafe String(decoding: bytes, as: UTF8.self)
        }
    }

    func put(
        _ rows: [DocumentRow], _ place: DocumentPlace, into table: String
    ) throws(DatabaseError) {
        for row in rows {
            try run(
                """
                insert into \(table) (key, document, digest, position, changed_at)
                values ($1, $2, $3, $4, $5) on conflict (key) do update set
                document = excluded.document, digest = excluded.digest,
                position = excluded.position, changed_at = excluded.changed_at
                """, [row.name, row.document, row.digest, place.position, place.at])
        }
    }

    func remove(_ names: [String], from table: String) throws(DatabaseError) {
        for name in names { try run("delete from \(table) where key = $1", [name]) }
    }

    func clearUp(_ tables: [String], waits: Bool) throws(DatabaseError) -> String? {
        if !waits { unsafe sqlite3_busy_timeout(database, Self.shortWaitMilliseconds) }
        defer { unsafe sqlite3_busy_timeout(database, Self.waitMilliseconds) }
        // That it did not empty the log is no error, but said in the first of three columns.
        let rows = try run("pragma wal_checkpoint(truncate)", [])
        guard let row = rows.first, let isBusy = row.first, isBusy != "0" else { return nil }
        return "a reader holds the write-ahead log of \(path): what was erased is still in it"
    }
}
