import Core

/// The hashes of the tree over all events that are worth keeping: of complete subtrees of 256, 65,536,
/// 16,777,216 … leaves, 32 bytes each (ADR 0021; docs/journal-format.md, The tree).
///
/// They can be made again from the events; the journal only keeps them.
enum TreeHashStore {
    static let hashBytes = 32
    static let levels: [UInt8] = [8, 16, 24, 32, 40, 48, 56]

    /// A record holds the hashes below one subtree eight levels up, as many as there are.
    static func key(level: UInt8, record: UInt64) -> [9 of UInt8] {
        [9 of UInt8] { place in
            place == 0 ? level : UInt8(truncatingIfNeeded: record >> (8 * UInt64(8 - place)))
        }
    }

    /// How many leaves are under hashes of level 8.
    static func size(
        _ access: TransactionAccess, _ databases: JournalDatabases
    ) throws(JournalError) -> UInt64 {
        var cursor = try Cursor(access, databases.tree)
        let edge = key(level: 9, record: 0)
        guard try cursor.seekBack(edge.span) else { return 0 }
        return try cursor.withRecord { key, content throws(JournalError) in
            guard key.count == 9, key[0] == 8 else {
                throw .damaged("the tree has no hashes of level 8")
            }
            var record: UInt64 = 0
            for place in 1..<9 { record = record << 8 | UInt64(key[place]) }
            return (record << 8 + UInt64(content.count / hashBytes)) << 8
        }
    }

    /// The hashes of a level with these indexes, one after the other; fewer where the store ends.
    static func hashes(
        level: UInt8, _ indexes: Range<UInt64>, _ access: TransactionAccess,
        _ databases: JournalDatabases
    ) throws(JournalError) -> [UInt8] {
        var bytes: [UInt8] = []
        var index = indexes.lowerBound
        while index < indexes.upperBound {
            let key = key(level: level, record: index >> 8)
            let first = Int(index & 255)
            let wanted = min(indexes.upperBound - index, 256 - UInt64(first))
            let part = try access.record(databases.tree, key.span) { content throws(JournalError) in
                let end = min(content.count, (first + Int(wanted)) * hashBytes)
                let start = min(first * hashBytes, end)
                return content.extracting(start..<end).copy()
            }
            bytes += part ?? []
            guard part?.count == Int(wanted) * hashBytes else { break }
            index += wanted
        }
        return bytes
    }

    /// Adds the hash of the next subtree of its level.
    static func append(
        _ hash: TreeEntry, _ access: TransactionAccess, _ databases: JournalDatabases
    ) throws(JournalError) {
        let key = key(level: hash.level, record: hash.index >> 8)
        var content =
            try access.record(databases.tree, key.span) { content throws(JournalError) in
                content.copy()
            } ?? []
        guard content.count == Int(hash.index & 255) * hashBytes,
            hash.hash.count == hashBytes
        else { throw .damaged("the tree has a gap at level \(hash.level), index \(hash.index)") }
        content += hash.hash
        try access.putRecord(databases.tree, key.span, &content)
    }
}

/// The hash of one complete subtree.
package struct TreeEntry: Sendable {
    package let level: UInt8
    package let index: UInt64
    /// 32 bytes.
    package let hash: [UInt8]

    package init(level: UInt8, index: UInt64, hash: [UInt8]) {
        self.level = level
        self.index = index
        self.hash = hash
    }
}

extension Journal {
    /// Keeps hashes of the subtrees that the events after the first `size` completed, in the order in
    /// which they were completed. False, with nothing written, if somebody else was quicker.
    package func extendTree(
        from size: UInt64, _ entries: [TreeEntry]
    ) throws(JournalError) -> Bool {
        guard access == .readWrite, !entries.isEmpty else { return false }
        while true {
            do throws(JournalError) {
                return try environment.writing { () throws(JournalError) in
                    try appendTree(entries, at: size)
                }
            } catch {
                guard error.code == mapFullCode else { throw error }
                try environment.growMap()
            }
        }
    }

    private func appendTree(
        _ entries: [TreeEntry], at size: UInt64
    ) throws(JournalError) -> Bool {
        let transaction = try WriteTransaction(environment)
        let isNext = try transaction.withAccess { access throws(JournalError) in
            guard try TreeHashStore.size(access, databases) == size else { return false }
            for entry in entries { try TreeHashStore.append(entry, access, databases) }
            return true
        }
        if isNext { try transaction.commit() }
        return isNext
    }

    /// Forgets the hashes that are kept: they are made again from the events.
    package func dropTree() throws(JournalError) {
        try environment.writing(waitMilliseconds: 10_000) { () throws(JournalError) in
            try removeTree()
        }
    }

    private func removeTree() throws(JournalError) {
        let transaction = try WriteTransaction(environment)
        try transaction.withAccess { access throws(JournalError) in
            while true {
                var cursor = try Cursor(access, databases.tree)
                guard try cursor.first() else { return }
                let key = unsafe Span.over(cursor.key) { $0.copy() }
                try access.delete(databases.tree, key.span)
            }
        }
        try transaction.commit()
    }
}
