/// The views as they were at one moment. Belongs to one thread at a time.
package final class ViewSnapshot {
    private let tables: ViewTables
    private let transaction: ReadTransaction
    /// The tables that were asked for, as it sees them.
    private var seen: [UInt16: Database] = [:]

    init(
        _ tables: ViewTables, _ transaction: consuming ReadTransaction
    ) {
        self.tables = tables
        self.transaction = transaction
    }

    private func table(_ number: UInt16) throws(JournalError) -> Database? {
        if let table = seen[number] { return table }
        guard let table = tables.table(number, in: transaction.access) else { return nil }
        let found = try transaction.access.seen(table)
        seen[number] = found
        return found
    }

    package func get(table: UInt16, key: [UInt8]) throws(JournalError) -> [UInt8]? {
        guard let table = try self.table(table) else { return nil }
        return try transaction.access.viewValue(table, key)
    }

    /// Visits the entries whose key begins with `prefix`, by key, until the visitor answers false.
    package func scan(
        table: UInt16, prefix: [UInt8] = [], reversed: Bool = false,
        _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> Bool
    ) throws {
        guard let table = try self.table(table) else { return }
        try transaction.access.scanViews(table, prefix, reversed: reversed, body)
    }

    /// Visits the entries whose key is not before `first`, by key, until the visitor answers false.
    package func scan(
        table: UInt16, from first: [UInt8],
        _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> Bool
    ) throws {
        guard let table = try self.table(table) else { return }
        try transaction.access.scanViews(table, from: first, { ($0.copy(), $1.copy()) }) {
            try body($0.0, $0.1)
        }
    }

    /// Visits the keys that are not before `first`, in order, until the visitor answers false.
    package func scanKeys(
        table: UInt16, from first: [UInt8], _ body: (_ key: [UInt8]) throws -> Bool
    ) throws {
        guard let table = try self.table(table) else { return }
        try transaction.access.scanViews(table, from: first, { key, _ in key.copy() }, body)
    }

    /// The entry with the greatest key that begins with `prefix`.
    package func last(
        table: UInt16, prefix: [UInt8] = []
    ) throws(JournalError) -> (key: [UInt8], value: [UInt8])? {
        guard let table = try self.table(table) else { return nil }
        return try transaction.access.lastView(table, prefix)
    }

    package func meta(_ name: String) throws(JournalError) -> [UInt8]? {
        try transaction.access.viewValue(tables.meta, ViewStore.metaKey(name))
    }
}
