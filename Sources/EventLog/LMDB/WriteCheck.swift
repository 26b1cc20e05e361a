import CLMDB
import Core
import Synchronization

/// The pages that LMDB goes over in a write transaction, looked at before it does.
///
/// It reads what it changes by itself: the pages that were committed before lead it.
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
        try undamaged(.main) { () throws(Malformed) in _ = try former.check(former.main) }
    }

    /// Before anything is written: the list of databases, and once that of free pages.
    func checkLists() throws(JournalError) {
        try checkList()
        guard let former else { return }
        former.file.lastReached.withLock { $0 = nil }  // numbers of pages come again
        if environment.hasSeenFree.load(ordering: .relaxed) { return }
        try walk(.free)
        environment.hasSeenFree.store(true, ordering: .relaxed)
    }

    /// What LMDB begins with of a database; nil where there is nothing to look at.
    func formerTree(of database: Database) throws(JournalError) -> MappedPages.Tree? {
        guard let former else { return nil }
        let tree = try undamaged(database) { () throws(Malformed) in
            try former.tree(of: database)
        }
        return tree?.root == .max ? nil : tree
    }

    /// Before LMDB goes to a key, or to those beside it. A record that is to be appended it compares with the last one.
    func check(
        _ database: Database, _ tree: MappedPages.Tree?, towards key: Span<UInt8>,
        _ flags: CInt = 0
    ) throws(JournalError) {
        if flags & MDB_APPEND != 0 { try checkEdges(database, tree) }
        try check(database, tree) { former, tree throws(Malformed) in
            try unsafe key.withUnsafeBytes { key throws(Malformed) in
                try unsafe former.check(tree, around: key)
            }
        }
    }

    /// Before LMDB goes to the first or the last key.
    func checkEdges(_ database: Database, _ tree: MappedPages.Tree?) throws(JournalError) {
        try check(database, tree) { former, tree throws(Malformed) in
            try former.checkEnds(tree)
        }
    }

    /// Before LMDB goes over all of it.
    func checkAll(_ database: Database) throws(JournalError) {
        try check(database, formerTree(of: database)) { former, tree throws(Malformed) in
            try former.check(tree)
        }
    }

    /// - Parameter body: whether a record was met that has more pages than it needs.
    private func check(
        _ database: Database, _ tree: MappedPages.Tree?,
        _ body: (MappedPages, MappedPages.Tree) throws(Malformed) -> Bool
    ) throws(JournalError) {
        guard let former, let tree else { return }
        let hasSpare = try undamaged(database) { () throws(Malformed) in try body(former, tree) }
        guard hasSpare, !environment.isWalked.load(ordering: .relaxed) else { return }
        // Were they others' pages, LMDB would free them twice.
        try walk(.whole)
        environment.isWalked.store(true, ordering: .relaxed)
    }

    private func walk(_ extent: PageCheck.Extent) throws(JournalError) {
        try PageCheck.check(environment, commit: unsafe UInt64(mdb_txn_id(raw)) &- 1, extent)
    }
}

extension MappedPages {
    /// Looks at all pages of a tree; whether a record has more pages than it needs.
    fileprivate func check(_ tree: Tree) throws(Malformed) -> Bool {
        guard let root = try root(of: tree) else { return false }
        return try check(beneath: root, tree)
    }

    private func check(beneath page: TreePage, _ tree: Tree) throws(Malformed) -> Bool {
        var isSpare = false
        for index in 0..<page.count {
            let isHere =
                try page.isLeaf
                ? hasSpare(page, index, tree) : check(beneath: child(of: page, index, tree), tree)
            if isHere { isSpare = true }
        }
        return isSpare
    }

    /// Looks at the pages that lead to a key, and at those beside them; whether its record has more pages than it needs.
    fileprivate func check(
        _ tree: Tree, around key: UnsafeRawBufferPointer
    ) throws(Malformed) -> Bool {
        var cursor = PageCursor(self, tree)
        var isThere = try unsafe cursor.seek(key)
        if !isThere { isThere = try cursor.last() }
        guard isThere else { return false }
        let leaf = try cursor.leafNumber()
        let reached = MappedFile.Reached(root: tree.root, leaf: leaf)
        let hasSpare = try cursor.hasSpare()
        if file.lastReached.withLock({ $0 == reached }) { return hasSpare }
        try checkBeside(cursor.levels, tree)
        // A page of less than a quarter is merged with the one beside it, and what comes of that may be again.
        for isForward in [true, false] {
            var (beside, fill) = (cursor, 0)
            while fill < 250, try beside.moveToLeaf(isForward: isForward) {
                try checkBeside(beside.levels, tree)
                fill += beside.levels.last?.page.fill ?? 0
            }
        }
        file.lastReached.withLock { $0 = reached }
        return hasSpare
    }

    /// Looks at the pages beside those that lead to a leaf, with which LMDB may merge them, and the first and the last pages beneath
    /// all of these, which it goes to for their keys and to move on.
    private func checkBeside(_ levels: [PageCursor.Level], _ tree: Tree) throws(Malformed) {
        for (page, index) in levels where !page.isLeaf {
            for beside in max(0, index - 1)...min(page.count - 1, index + 1) {
                try checkEdges(beneath: child(of: page, beside, tree), tree)
            }
        }
    }

    /// The first and the last pages beneath a page, and those of the last and the first ones beneath it: LMDB goes to each of them
    /// when it has merged branches.
    private func checkEdges(beneath page: TreePage, _ tree: Tree) throws(Malformed) {
        guard !page.isLeaf else { return }
        for index in [0, page.count - 1] {
            try checkEdges(beneath: child(of: page, index, tree), tree)
        }
    }

    /// Looks at the pages that lead to the first and to the last key; whether either record has more pages than it needs.
    fileprivate func checkEnds(_ tree: Tree) throws(Malformed) -> Bool {
        var cursor = PageCursor(self, tree)
        guard try cursor.first() else { return false }
        let isSpare = try cursor.hasSpare()
        guard try cursor.last() else { return isSpare }
        return try cursor.hasSpare() ? true : isSpare
    }
}
