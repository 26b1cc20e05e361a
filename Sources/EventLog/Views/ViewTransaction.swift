import CLMDB
package import Core

/// A write transaction on the views; sees its own writes.
package struct ViewTransaction: ~Copyable {
    private var transaction: WriteTransaction
    private let tables: ViewTables
    private let opening: ViewOpening
    /// Tables that were empty and got ascending keys only: their greatest key. LMDB then fills its
    /// pages to the brim.
    private var ascending: [UInt16: [UInt8]] = [:]
    private var hasWritten: Set<UInt16> = []
    /// Tables that got nothing but ascending rows by the buffer since they were empty.
    private var appending: Set<UInt16> = []
    private var packer = RowPacker()

    init(
        _ transaction: consuming WriteTransaction, _ tables: ViewTables, _ opening: ViewOpening
    ) {
        self.transaction = transaction
        self.tables = tables
        self.opening = opening
    }

    consuming func commit() throws(JournalError) {
        try transaction.commit()
    }

    package mutating func get(table: UInt16, key: [UInt8]) throws(JournalError) -> [UInt8]? {
        try transaction.withAccess { access throws(JournalError) in
            try access.viewValue(opening.table(table, access), key)
        }
    }

    /// Visits the entries whose key begins with `prefix`, by key, until the visitor answers false.
    package mutating func scan(
        table: UInt16, prefix: [UInt8] = [], reversed: Bool = false,
        _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> Bool
    ) throws {
        var failure: (any Error)?
        try transaction.withAccess { access throws(JournalError) in
            let table = try opening.table(table, access)
            do {
                try access.scanViews(table, prefix, reversed: reversed, body)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    /// The entry with the greatest key that begins with `prefix`.
    package mutating func last(
        table: UInt16, prefix: [UInt8] = []
    ) throws(JournalError) -> (key: [UInt8], value: [UInt8])? {
        try transaction.withAccess { access throws(JournalError) in
            try access.lastView(opening.table(table, access), prefix)
        }
    }

    package mutating func meta(_ name: String) throws(JournalError) -> [UInt8]? {
        try transaction.withAccess { access throws(JournalError) in
            try access.viewValue(tables.meta, ViewStore.metaKey(name))
        }
    }

    package mutating func put(
        table number: UInt16, key: [UInt8], value: [UInt8]
    ) throws(JournalError) {
        guard (1...ViewStore.keyBytes).contains(key.count) else {
            throw .tooLarge("a view's key of \(key.count) bytes (1 to \(ViewStore.keyBytes))")
        }
        appending.remove(number)
        var content = value
        var isAppended = false
        if let greatest = ascending[number] {
            isAppended = greatest.lexicographicallyPrecedes(key)
            ascending[number] = isAppended ? key : nil
        }
        let isFirst = hasWritten.insert(number).inserted
        let startsEmpty = try transaction.withAccess { access throws(JournalError) in
            let table = try opening.table(number, access)
            let entries = try access.statistics(table).ms_entries
            try packer.pack(&content, table, key.span)
            try access.put(table, key.span, content.span, flags: isAppended ? MDB_APPEND : 0)
            return isFirst && entries == 0
        }
        if startsEmpty { ascending[number] = key }
    }

    /// Puts and removes many rows, whose keys ascend.
    package mutating func put(table number: UInt16, _ rows: EncodedRows) throws(JournalError) {
        ascending[number] = nil
        let isFirst = hasWritten.insert(number).inserted
        var isAppending = appending.contains(number)
        try transaction.withAccess { access throws(JournalError) in
            let table = try opening.table(number, access)
            if isFirst { isAppending = try access.statistics(table).ms_entries == 0 }
            try access.putRows(table, rows, &isAppending, &packer)
        }
        if isAppending { appending.insert(number) } else { appending.remove(number) }
    }

    package mutating func delete(table: UInt16, key: [UInt8]) throws(JournalError) {
        guard (1...ViewStore.keyBytes).contains(key.count) else { return }
        try transaction.withAccess { access throws(JournalError) in
            _ = try access.delete(opening.table(table, access), key.span)
        }
    }

    /// Empties a table.
    package mutating func clear(table: UInt16) throws(JournalError) {
        ascending[table] = nil
        appending.remove(table)
        hasWritten.remove(table)
        try transaction.withAccess { access throws(JournalError) in
            try access.empty(opening.table(table, access))
        }
    }

    /// Sets a meta value; nil removes it.
    package mutating func setMeta(_ name: String, _ value: [UInt8]?) throws(JournalError) {
        let key = ViewStore.metaKey(name)
        guard key.count <= ViewStore.keyBytes else { throw .tooLarge("a meta value's name") }
        try transaction.withAccess { access throws(JournalError) in
            if let value {
                var content = value
                try access.putRecord(tables.meta, key.span, &content)
            } else {
                try access.delete(tables.meta, key.span)
            }
        }
    }
}

extension ViewStore {
    /// Names of meta values stand apart from the store's own records.
    static func metaKey(_ name: String) -> [UInt8] { [UInt8(ascii: "/")] + name.utf8 }
}

extension TransactionAccess {
    /// Puts and removes rows. Appending spares LMDB the search and fills its pages to the brim; it ends
    /// with a key that is not the greatest.
    fileprivate func putRows(
        _ table: Database, _ rows: EncodedRows, _ isAppending: inout Bool,
        _ packer: inout RowPacker
    ) throws(JournalError) {
        let cursor = try Cursor(self, table)
        var record: [UInt8] = []
        for index in 0..<rows.count {
            let (keyRange, content) = rows.row(index)
            guard (1...ViewStore.keyBytes).contains(keyRange.count) else {
                throw .tooLarge(
                    "a view's key of \(keyRange.count) bytes (1 to \(ViewStore.keyBytes))")
            }
            let key = rows.bytes.span.extracting(keyRange)
            guard let content else {
                try delete(table, key)
                continue
            }
            record.removeAll(keepingCapacity: true)
            record.append(contentsOf: rows.bytes[content])
            try packer.pack(&record, table, key)
            if isAppending {
                if try cursor.put(key, record.span, flags: MDB_APPEND) { continue }
                isAppending = false
            }
            _ = try cursor.put(key, record.span, flags: 0)
        }
    }
}
