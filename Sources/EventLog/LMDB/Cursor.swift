import CLMDB

/// A place in a database, moved from record to record. Must end before its transaction does. Behind a move that
/// found nothing, and behind a write, it is to be sought again.
@safe
struct Cursor: ~Copyable {
    let access: TransactionAccess
    let database: Database
    /// LMDB's own; nil where the pages are looked at before they are followed.
    private let raw: OpaquePointer?
    private var pages: PageCursor?
    /// What LMDB begins with.
    private let former: MappedPages.Tree?
    private var currentKey = unsafe MDB_val()
    private var currentValue = unsafe MDB_val()

    init(_ access: TransactionAccess, _ database: Database) throws(JournalError) {
        let former = try access.formerTree(of: database)
        let pages = try Self.pages(access, database)
        let raw = unsafe pages == nil ? try Self.open(access, database) : nil
        self.access = access
        self.database = database
        self.former = former
        self.pages = pages
        unsafe self.raw = raw
    }

    private static func pages(
        _ access: TransactionAccess, _ database: Database
    ) throws(JournalError) -> PageCursor? {
        guard let pages = access.pages else { return nil }
        return try access.undamaged(database) { () throws(Malformed) in
            PageCursor(pages, try pages.tree(of: database) ?? .empty)
        }
    }

    private static func open(
        _ access: TransactionAccess, _ database: Database
    ) throws(JournalError) -> OpaquePointer? {
        var opened: OpaquePointer?
        let code = unsafe mdb_cursor_open(access.raw, database.handle, &opened)
        guard code == 0 else { throw access.failed("opening a cursor", code) }
        return unsafe opened
    }

    deinit {
        if let raw = unsafe raw { unsafe mdb_cursor_close(raw) }
    }

    mutating func first() throws(JournalError) -> Bool { try move(.first) }
    mutating func last() throws(JournalError) -> Bool { try move(.last) }
    mutating func next() throws(JournalError) -> Bool { try move(.next) }
    mutating func previous() throws(JournalError) -> Bool { try move(.previous) }

    /// Moves to the least key that is not less than `key`.
    mutating func seek(_ key: Span<UInt8>) throws(JournalError) -> Bool {
        if pages != nil {
            return try stands { cursor throws(Malformed) in
                try unsafe key.withUnsafeBytes { key throws(Malformed) in
                    try unsafe cursor.seek(key)
                }
            }
        }
        try access.check(database, former, towards: key)
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

    private enum Move {
        case first, last, next, previous

        var operation: MDB_cursor_op {
            switch self {
            case .first: MDB_FIRST
            case .last: MDB_LAST
            case .next: MDB_NEXT
            case .previous: MDB_PREV
            }
        }
    }

    private mutating func move(_ move: Move) throws(JournalError) -> Bool {
        guard pages != nil else {
            // Those around the record that it stands at were looked at when it came there.
            if move == .first || move == .last { try access.checkEdges(database, former) }
            return try found(
                unsafe mdb_cursor_get(raw, &currentKey, &currentValue, move.operation))
        }
        return try stands { cursor throws(Malformed) in
            switch move {
            case .first: try cursor.first()
            case .last: try cursor.last()
            case .next: try cursor.next()
            case .previous: try cursor.previous()
            }
        }
    }

    /// Takes the record that it stands at then; false if it stands at none.
    private mutating func stands(
        _ move: (inout PageCursor) throws(Malformed) -> Bool
    ) throws(JournalError) -> Bool {
        guard var cursor = pages.take() else { return false }
        defer { pages = cursor }
        let found = try access.undamaged(database) { () throws(Malformed) in
            try move(&cursor) ? cursor.record() : nil
        }
        guard let found else { return false }
        unsafe currentKey = MDB_val(found.key)
        unsafe currentValue = MDB_val(found.value)
        return true
    }

    private func found(_ code: CInt) throws(JournalError) -> Bool {
        if code == MDB_NOTFOUND { return false }
        guard code == 0 else { throw access.failed("reading from \(database.name)", code) }
        _ = try unsafe access.checked(currentKey, database)
        _ = try unsafe access.checked(currentValue, database)
        // Before anybody reads the pages of a large record, or goes on from here.
        try unsafe Span.over(key) { key throws(JournalError) in
            try access.check(database, former, towards: key)
        }
        return true
    }

    /// Stores a value; answers false if `flags` forbid it: the key is there, or not the last.
    func put(
        _ key: Span<UInt8>, _ stored: Span<UInt8>, flags: CInt
    ) throws(JournalError) -> Bool {
        try access.check(database, former, towards: key, flags)
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
