import CLMDB

/// A place in a database, moved from record to record. Must end before its transaction does.
@safe
struct Cursor: ~Copyable {
    let access: TransactionAccess
    let database: Database
    private let raw: OpaquePointer
    private var currentKey = unsafe MDB_val()
    private var currentValue = unsafe MDB_val()

    init(_ access: TransactionAccess, _ database: Database) throws(JournalError) {
        self.access = access
        self.database = database
        var opened: OpaquePointer?
        let code = unsafe mdb_cursor_open(access.raw, database.handle, &opened)
        guard code == 0, let cursor = unsafe opened else {
            throw access.failed("opening a cursor", code)
        }
        unsafe raw = cursor
    }

    deinit { unsafe mdb_cursor_close(raw) }

    mutating func first() throws(JournalError) -> Bool { try move(MDB_FIRST) }
    mutating func last() throws(JournalError) -> Bool { try move(MDB_LAST) }
    mutating func next() throws(JournalError) -> Bool { try move(MDB_NEXT) }
    mutating func previous() throws(JournalError) -> Bool { try move(MDB_PREV) }

    /// Moves to the least key that is not less than `key`.
    mutating func seek(_ key: Span<UInt8>) throws(JournalError) -> Bool {
        let code = unsafe key.withUnsafeBytes { bytes in
            unsafe currentKey = MDB_val(bytes)
            return unsafe mdb_cursor_get(raw, &currentKey, &currentValue, MDB_SET_RANGE)
        }
        return try found(code)
    }

    /// Moves to the greatest key that is not greater than `key`.
    mutating func seekBack(_ key: Span<UInt8>) throws(JournalError) -> Bool {
        guard try seek(key) else { return try last() }
        var matches = unsafe currentKey.mv_size == key.count
        if matches {
            let here = unsafe self.key
            for index in 0..<key.count where unsafe here[index] != key[index] {
                matches = false
                break
            }
        }
        return matches ? true : try previous()
    }

    private mutating func move(_ operation: MDB_cursor_op) throws(JournalError) -> Bool {
        try found(unsafe mdb_cursor_get(raw, &currentKey, &currentValue, operation))
    }

    private func found(_ code: CInt) throws(JournalError) -> Bool {
        if code == MDB_NOTFOUND { return false }
        guard code == 0 else { throw access.failed("reading from \(database.name)", code) }
        _ = try unsafe access.checked(currentKey, database)
        _ = try unsafe access.checked(currentValue, database)
        return true
    }

    /// Stores a value; answers false if `flags` forbid it: the key is there, or not the last.
    func put(
        _ key: Span<UInt8>, _ stored: Span<UInt8>, flags: CInt
    ) throws(JournalError) -> Bool {
        let code = unsafe key.withUnsafeBytes { keyBytes in
            unsafe stored.withUnsafeBytes { valueBytes in
                var key = unsafe MDB_val(keyBytes)
                var value = unsafe MDB_val(valueBytes)
                return unsafe mdb_cursor_put(raw, &key, &value, UInt32(flags))
            }
        }
        if code == MDB_KEYEXIST, flags != 0 { return false }
        guard code == 0 else { throw access.failed("writing to \(database.name)", code) }
        return true
    }

    /// The key here; valid until the cursor moves or the transaction writes.
    var key: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: currentKey.mv_data, count: currentKey.mv_size)
    }

    /// The stored value here; valid until the cursor moves or the transaction writes.
    var stored: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: currentValue.mv_data, count: currentValue.mv_size)
    }
}
