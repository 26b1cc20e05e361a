import CLMDB

/// Reading the tables of the views, in either kind of transaction.
extension TransactionAccess {
    func viewValue(_ table: Database, _ key: [UInt8]) throws(JournalError) -> [UInt8]? {
        guard (1...ViewStore.keyBytes).contains(key.count) else { return nil }
        return try record(table, key.span) { content throws(JournalError) in content.copy() }
    }

    func scanViews(
        _ table: Database, _ prefix: [UInt8], reversed: Bool,
        _ body: ([UInt8], [UInt8]) throws -> Bool
    ) throws {
        var cursor = try Cursor(self, table)
        var found = try cursor.seekEdge(of: prefix, reversed: reversed)
        while found {
            let (key, value) = try cursor.withRecord { key, content throws(JournalError) in
                (key.copy(), content.copy())
            }
            guard key.starts(with: prefix), try body(key, value) else { return }
            found = reversed ? try cursor.previous() : try cursor.next()
        }
    }

    /// Visits the entries whose key is not before `first`, by key, until the visitor answers false.
    func scanViews(
        _ table: Database, from first: [UInt8], _ body: ([UInt8], [UInt8]) throws -> Bool
    ) throws {
        var cursor = try Cursor(self, table)
        var found = try first.isEmpty ? cursor.first() : cursor.seek(first.span)
        while found {
            let (key, value) = try cursor.withRecord { key, content throws(JournalError) in
                (key.copy(), content.copy())
            }
            guard try body(key, value) else { return }
            found = try cursor.next()
        }
    }

    func lastView(
        _ table: Database, _ prefix: [UInt8]
    ) throws(JournalError) -> (key: [UInt8], value: [UInt8])? {
        var cursor = try Cursor(self, table)
        guard try cursor.seekEdge(of: prefix, reversed: true) else { return nil }
        let (key, value) = try cursor.withRecord { key, content throws(JournalError) in
            (key.copy(), content.copy())
        }
        return key.starts(with: prefix) ? (key, value) : nil
    }
}

extension Cursor {
    /// Moves to the first key with a prefix or, if reversed, to the last; if there is none, to
    /// some key without it or nowhere.
    mutating func seekEdge(of prefix: [UInt8], reversed: Bool) throws(JournalError) -> Bool {
        guard reversed else {
            return try prefix.isEmpty ? first() : seek(prefix.span)
        }
        guard let after = prefix.successorOfPrefix, try seek(after.span) else {
            return try last()
        }
        return try previous()
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
