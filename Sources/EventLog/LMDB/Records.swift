import CLMDB
import Events

/// Records: values that carry the first 8 bytes of their own checksum at the end.
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
            let length = try contentLength(of: stored, database, key)
            return try body(stored.extracting(0..<length))
        }
    }

    /// The length of the content in a stored value, or an error if the checksum is wrong.
    func contentLength(
        of stored: Span<UInt8>, _ database: Database, _ key: Span<UInt8>
    ) throws(JournalError) -> Int {
        let length = stored.count - 8
        guard length >= 0 else { throw wrong(database, key) }
        var offset = length
        let sum = Checksum.of(
            database.domain, table: database.table, key: key,
            content: stored.extracting(0..<length))
        guard let stored = try? stored.fixed(8, &offset), sum.high == stored else {
            throw wrong(database, key)
        }
        return length
    }

    private func wrong(_ database: Database, _ key: Span<UInt8>) -> JournalError {
        environment.file.damaged(
            "wrong checksum in \(database.name), key \(Hexadecimal.text(key.copy()))")
    }

    /// Stores a record; `content` gets the checksum appended. Answers false if `flags` forbid it
    /// because the key is there.
    @discardableResult
    func putRecord(
        _ database: Database, _ key: Span<UInt8>, _ content: inout [UInt8], flags: CInt = 0
    ) throws(JournalError) -> Bool {
        let sum = Checksum.of(
            database.domain, table: database.table, key: key, content: content.span)
        content.appendFixed(sum.high)
        return try put(database, key, content.span, flags: flags)
    }
}

extension Cursor {
    /// Runs `body` on the key and content of the record here, after its checksum was found right.
    func withRecord<R>(
        _ body: (_ key: Span<UInt8>, _ content: Span<UInt8>) throws(JournalError) -> R
    ) throws(JournalError) -> R {
        try unsafe Span.over(key) { key throws(JournalError) in
            try unsafe Span.over(stored) { stored throws(JournalError) in
                let length = try access.contentLength(of: stored, database, key)
                return try body(key, stored.extracting(0..<length))
            }
        }
    }
}
