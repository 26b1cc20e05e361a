import CLMDB
import Core
import Synchronization

/// The pages that LMDB goes over in a write transaction, looked at before it does.
///
/// It reads what it changes by itself: the pages that were committed before lead it, and a flipped bit in one leads it out of
/// the map. Each is looked at once while the file is open; what a transaction writes is its own.
struct CheckedPages {
    private var words: [UInt64] = []
    /// The list of free pages was looked at.
    fileprivate var hasSeenFree = false
    /// The leaf that was reached last, and its tree's root: those around it have been looked at.
    fileprivate var last: (root: UInt64, leaf: UInt64)?

    fileprivate mutating func insert(_ page: UInt64) -> Bool {
        let (word, bit) = (Int(page / 64), UInt64(1) << (page % 64))
        if word >= words.count {
            words += [UInt64](repeating: 0, count: word + 1 - words.count)
        }
        defer { words[word] |= bit }
        return words[word] & bit == 0
    }

    fileprivate mutating func remove(_ page: UInt64) {
        words[Int(page / 64)] &= ~(UInt64(1) << (page % 64))
    }

}

extension TransactionAccess {
    /// The operations of a write transaction.
    static func writing(_ environment: LMDBEnvironment, _ raw: OpaquePointer) -> TransactionAccess {
        var access = unsafe TransactionAccess(environment: environment, raw: raw, usedBytes: nil)
        access.former = unsafe environment.pages(of: UInt64(mdb_txn_id(raw)) &- 1)
        return access
    }

    /// Before a database is opened: the list of them.
    func checkList() throws(JournalError) {
        guard let former = former ?? pages else { return }
        try look(.main) { checked throws(Malformed) in try former.check(former.main, &checked) }
    }

    /// Before anything is written: the list of databases, and once that of free pages.
    func checkLists() throws(JournalError) {
        try checkList()
        guard former != nil, !environment.checkedPages.withLock({ $0.hasSeenFree }) else { return }
        try PageCheck.checkFree(environment, commit: unsafe UInt64(mdb_txn_id(raw)) &- 1)
        environment.checkedPages.withLock { $0.hasSeenFree = true }
    }

    /// Before LMDB goes to a key, or to one beside it.
    func check(_ database: Database, towards key: Span<UInt8>) throws(JournalError) {
        guard let former else { return }
        try look(database) { checked throws(Malformed) in
            guard let tree = try former.tree(of: database) else { return }
            try unsafe key.withUnsafeBytes { key throws(Malformed) in
                try unsafe former.check(tree, around: key, &checked)
            }
        }
    }

    /// Before LMDB goes to the first or the last key.
    func checkEdges(_ database: Database) throws(JournalError) {
        guard let former else { return }
        try look(database) { checked throws(Malformed) in
            guard let tree = try former.tree(of: database), tree.depth > 0 else { return }
            try former.checkEdges(of: tree, tree.root, height: tree.depth, &checked)
        }
    }

    /// Before LMDB goes over all of it.
    func checkAll(_ database: Database) throws(JournalError) {
        guard let former else { return }
        try look(database) { checked throws(Malformed) in
            guard let tree = try former.tree(of: database) else { return }
            try former.check(tree, &checked)
        }
    }

    private func look(
        _ database: Database, _ body: (inout CheckedPages) throws(Malformed) -> Void
    ) throws(JournalError) {
        try undamaged(database) { () throws(Malformed) in
            try environment.checkedPages.withLock { checked throws(Malformed) in
                try body(&checked)
            }
        }
    }
}

extension MappedPages {
    /// Looks at all pages of a tree.
    fileprivate func check(_ tree: Tree, _ checked: inout CheckedPages) throws(Malformed) {
        guard try root(of: tree) != nil else { return }
        try check(tree, tree.root, height: tree.depth, &checked)
    }

    private func check(
        _ tree: Tree, _ number: UInt64, height: Int, _ checked: inout CheckedPages
    ) throws(Malformed) {
        let page = try look(at: number, of: tree, height: height, &checked)
        guard height > 1 else { return }
        for index in 0..<page.count {
            try check(tree, page.child(index), height: height - 1, &checked)
        }
    }

    /// Looks at the pages that lead to a key, those beside them, with which LMDB may merge them, and the first and the last
    /// pages beneath all of these, which it goes to for their keys and to move on.
    fileprivate func check(
        _ tree: Tree, around key: UnsafeRawBufferPointer, _ checked: inout CheckedPages
    ) throws(Malformed) {
        guard try root(of: tree) != nil else { return }
        var path = [tree.root]
        for height in stride(from: tree.depth, to: 1, by: -1) {
            let page = try look(at: path[path.count - 1], of: tree, height: height, &checked)
            path.append(try unsafe page.child(page.branch(towards: key)))
        }
        let last = (root: tree.root, leaf: path[path.count - 1])
        if let former = checked.last, former == last { return }
        for (level, number) in path.enumerated() {
            let height = tree.depth - level
            let page = try look(at: number, of: tree, height: height, &checked)
            guard height > 1 else { break }
            let index = try unsafe page.branch(towards: key)
            for beside in max(0, index - 1)...min(page.count - 1, index + 1) {
                try checkEdges(of: tree, page.child(beside), height: height - 1, &checked)
            }
        }
        checked.last = last
    }

    fileprivate func checkEdges(
        of tree: Tree, _ number: UInt64, height: Int, _ checked: inout CheckedPages
    ) throws(Malformed) {
        for isLast in [false, true] {
            var (number, height) = (number, height)
            while height > 1 {
                let page = try look(at: number, of: tree, height: height, &checked)
                number = try page.child(isLast ? page.count - 1 : 0)
                height -= 1
            }
            _ = try look(at: number, of: tree, height: height, &checked)
        }
    }

    private func look(
        at number: UInt64, of tree: Tree, height: Int, _ checked: inout CheckedPages
    ) throws(Malformed) -> TreePage {
        let page = try page(number, isLeaf: height == 1)
        guard checked.insert(number) else { return page }
        do throws(Malformed) {
            try page.check()
            for index in 0..<page.count {
                if height == 1 {
                    _ = try unsafe value(page, index, of: tree)
                } else if !has(try page.child(index)) {
                    throw Malformed("a page outside the file")
                }
            }
        } catch {
            checked.remove(number)
            throw error
        }
        return page
    }
}
