import CLMDB

/// Reading the tables of the views, in either kind of transaction.
extension TransactionAccess {
    func viewValue(_ table: Database, _ key: [UInt8]) throws(JournalError) -> [UInt8]? {
        guard (1...ViewStore.keyBytes).contains(key.count) else { return nil }
        return try lookUp(table, key.span) { content throws(JournalError) in content.copy() }
    }

    func scanViews(
        _ table: Database, _ prefix: [UInt8], reversed: Bool,
        _ body: ([UInt8], [UInt8]) throws -> Bool
    ) throws {
        var cursor = try Cursor(self, table)
        var found = try seekEdge(&cursor, of: prefix, reversed: reversed)
        while found {
            let (key, value) = try cursor.withRecord { key, content throws(JournalError) in
                (key.copy(), content.copy())
            }
            guard key.starts(with: prefix), try body(key, value) else { return }
            found = reversed ? try cursor.previous() : try cursor.next()
        }
    }

    /// Visits the entries whose key is not before `first`, by key, until the visitor answers false.
    func scanViews<Part>(
        _ table: Database, from first: [UInt8],
        _ part: (_ key: Span<UInt8>, _ content: Span<UInt8>) -> Part, _ body: (Part) throws -> Bool
    ) throws {
        var cursor = try Cursor(self, table)
        var found = try first.isEmpty ? cursor.first() : seek(&cursor, first)
        while found {
            let taken = try cursor.withRecord { key, content throws(JournalError) in
                part(key, content)
            }
            guard try body(taken) else { return }
            found = try cursor.next()
        }
    }

    func lastView(
        _ table: Database, _ prefix: [UInt8]
    ) throws(JournalError) -> (key: [UInt8], value: [UInt8])? {
        var cursor = try Cursor(self, table)
        guard try seekEdge(&cursor, of: prefix, reversed: true) else { return nil }
        let (key, value) = try cursor.withRecord { key, content throws(JournalError) in
            (key.copy(), content.copy())
        }
        return key.starts(with: prefix) ? (key, value) : nil
    }

    /// Moves to the first key with a prefix or, if reversed, to the last; if there is none, to
    /// some key without it or nowhere.
    private func seekEdge(
        _ cursor: inout Cursor, of prefix: [UInt8], reversed: Bool
    ) throws(JournalError) -> Bool {
        guard reversed else {
            return try prefix.isEmpty ? cursor.first() : seek(&cursor, prefix)
        }
        guard let after = prefix.successorOfPrefix else { return try cursor.last() }
        try checkEdge(cursor.database, after)
        return try cursor.seek(after.span) ? cursor.previous() : cursor.last()
    }

    /// Moves to the least key that is not less than `key`, past no record that belongs there.
    private func seek(_ cursor: inout Cursor, _ key: [UInt8]) throws(JournalError) -> Bool {
        try checkEdge(cursor.database, key)
        return try cursor.seek(key.span)
    }

    /// Looks at the records beside the place where a scan is to begin, for one that is hidden.
    private func checkEdge(_ table: Database, _ key: [UInt8]) throws(JournalError) {
        _ = try viewValue(table, key)
    }
}

extension [UInt8] {
    /// The least key that is greater than all keys with this prefix; nil if there is none.
    fileprivate var successorOfPrefix: [UInt8]? {
        guard let index = lastIndex(where: { $0 < 0xFF }) else { return nil }
        var next = Array(self[...index])
        next[index] += 1
        return next
    }
}
