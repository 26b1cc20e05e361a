import CLMDB
import Core

/// Records: values that carry 8 bytes of their own checksum at the end.
///
/// LMDB has no checksums; a flipped bit in a key or a value is found here, when it is read.
extension TransactionAccess {
    /// Runs `body` on the content of a record, after its checksum was found right; nil if there is
    /// no such key.
    func record<R>(
        _ database: Database, _ key: Span<UInt8>,
        _ body: (Span<UInt8>) throws(JournalError) -> R
    ) throws(JournalError) -> R? {
        guard let stored = try unsafe value(database, key) else { return nil }
        return try unsafe Span.over(stored) { stored throws(JournalError) in
            try withContent(of: stored, database, key, body)
        }
    }

    /// The same for a key that may well not be there: its absence is not believed unseen.
    func lookUp<R>(
        _ database: Database, _ key: Span<UInt8>,
        _ body: (Span<UInt8>) throws(JournalError) -> R
    ) throws(JournalError) -> R? {
        let found = try record(database, key, body)
        if found == nil { try checkAbsence(database, key.copy()) }
        return found
    }

    /// Looks at the records on either side of where a key would stand.
    ///
    /// A checksum speaks for what is there, not for what is missing: a flipped bit in a key hides
    /// its record from everyone who asks for it. But the record still lies where it was, or the
    /// search was led astray by it; either way it is beside the place where the search ended.
    private func checkAbsence(_ table: Database, _ key: [UInt8]) throws(JournalError) {
        var cursor = try Cursor(self, table)
        let isBeforeSome = try cursor.seek(key.span)
        if isBeforeSome {
            guard key.lexicographicallyPrecedes(try cursor.checkedKey()) else {
                throw misled(table, key)
            }
        }
        guard try isBeforeSome ? cursor.previous() : cursor.last() else { return }
        guard try cursor.checkedKey().lexicographicallyPrecedes(key) else {
            throw misled(table, key)
        }
    }

    private func misled(_ table: Database, _ key: [UInt8]) -> JournalError {
        environment.file.damaged(
            "wrong order in \(table.name), key \(Hex.text(key))")
    }

    /// Runs `body` on the content of a stored value, after its checksum was found right.
    fileprivate func withContent<R>(
        of stored: Span<UInt8>, _ database: Database, _ key: Span<UInt8>,
        _ body: (Span<UInt8>) throws(JournalError) -> R
    ) throws(JournalError) -> R {
        var offset = stored.count - 8
        guard offset >= 0 else { throw wrong(database, key) }
        let content = stored.extracting(0..<offset)
        guard let sum = try? stored.fixed(8, &offset) else { throw wrong(database, key) }
        if sum == database.sum(key, content) { return try body(content) }
        guard database.domain == .view, sum == database.packedSum(key, content),
            let whole = RowPacker.unpacked(content)
        else { throw wrong(database, key) }
        return try body(whole.span)
    }

    private func wrong(_ database: Database, _ key: Span<UInt8>) -> JournalError {
        environment.file.damaged(
            "wrong checksum in \(database.name), key \(Hex.text(key.copy()))")
    }

    /// Stores a record; `content` gets the checksum appended. Answers false if `flags` forbid it
    /// because the key is there.
    @discardableResult
    func putRecord(
        _ database: Database, _ key: Span<UInt8>, _ content: inout [UInt8], flags: CInt = 0
    ) throws(JournalError) -> Bool {
        content.appendFixed(database.sum(key, content.span))
        return try put(database, key, content.span, flags: flags)
    }
}

extension Database {
    /// What a record of it carries at its end.
    func sum(_ key: Span<UInt8>, _ content: Span<UInt8>) -> UInt64 {
        domain == .view
            ? XXH64.of(domain, table: table, key: key, content: content)
            : Checksum.of(domain, table: table, key: key, content: content).high
    }
}

extension Cursor {
    /// Runs `body` on the key and content of the record here, after its checksum was found right.
    func withRecord<R>(
        _ body: (_ key: Span<UInt8>, _ content: Span<UInt8>) throws(JournalError) -> R
    ) throws(JournalError) -> R {
        try unsafe Span.over(key) { key throws(JournalError) in
            try unsafe Span.over(stored) { stored throws(JournalError) in
                try access.withContent(of: stored, database, key) { content throws(JournalError) in
                    try body(key, content)
                }
            }
        }
    }

    /// The key here, after the record's checksum was found right.
    fileprivate func checkedKey() throws(JournalError) -> [UInt8] {
        try withRecord { key, _ throws(JournalError) in key.copy() }
    }
}
