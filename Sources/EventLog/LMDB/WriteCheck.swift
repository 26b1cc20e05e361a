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
        former.file.last.withLock { $0 = nil }  // numbers of pages come again
        if environment.hasSeenFree.load(ordering: .relaxed) { return }
        try walk(isWhole: false)
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
            if let root = try former.root(of: tree) { try former.checkEdges(beneath: root, tree) }
            return .exact
        }
    }

    /// Before LMDB goes over all of it.
    func checkAll(_ database: Database) throws(JournalError) {
        try check(database, formerTree(of: database)) { former, tree throws(Malformed) in
            try former.check(tree)
        }
    }

    private func check(
        _ database: Database, _ tree: MappedPages.Tree?,
        _ body: (MappedPages, MappedPages.Tree) throws(Malformed) -> MappedPages.Seen
    ) throws(JournalError) {
        guard let former, let tree else { return }
        let seen = try undamaged(database) { () throws(Malformed) in try body(former, tree) }
        guard seen == .spare, !environment.isWalked.load(ordering: .relaxed) else { return }
        // Were they others' pages, LMDB would free them twice.
        try walk(isWhole: true)
        environment.isWalked.store(true, ordering: .relaxed)
    }

    private func walk(isWhole: Bool) throws(JournalError) {
        try PageCheck.check(
            environment, commit: unsafe UInt64(mdb_txn_id(raw)) &- 1, isWhole: isWhole)
    }
}

extension MappedPages {
    /// What was found of records that LMDB may free the pages of.
    fileprivate enum Seen {
        case exact
        /// One has more pages than it needs.
        case spare
    }

    /// Looks at all pages of a tree.
    fileprivate func check(_ tree: Tree) throws(Malformed) -> Seen {
        guard let root = try root(of: tree) else { return .exact }
        return try check(beneath: root, tree)
    }

    private func check(beneath page: TreePage, _ tree: Tree) throws(Malformed) -> Seen {
        var seen = Seen.exact
        for index in 0..<page.count {
            if page.isLeaf {
                if try hasSpare(page, index) { seen = .spare }
            } else if try check(beneath: child(of: page, index, tree), tree) == .spare {
                seen = .spare
            }
        }
        return seen
    }

    /// Looks at the pages that lead to a key, and at those beside them.
    fileprivate func check(
        _ tree: Tree, around key: UnsafeRawBufferPointer
    ) throws(Malformed) -> Seen {
        var cursor = PageCursor(self, tree)
        var isThere = try unsafe cursor.seek(key)
        if !isThere { isThere = try cursor.last() }
        guard isThere else { return .exact }
        let leaf = try cursor.leafNumber()
        let reached = MappedFile.Reached(root: tree.root, leaf: leaf)
        let seen = try cursor.hasSpare() ? Seen.spare : .exact
        if file.last.withLock({ $0 == reached }) { return seen }
        try checkBeside(cursor.levels, tree)
        // A page of less than a quarter is merged with the one beside it, and what comes of that may be again.
        for isForward in [true, false] {
            var (beside, fill) = (cursor, 0)
            while fill < 250, try beside.moveToLeaf(isForward: isForward) {
                try checkBeside(beside.levels, tree)
                fill += beside.levels.last?.page.fill ?? 0
            }
        }
        file.last.withLock { $0 = reached }
        return seen
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

    fileprivate func checkEdges(beneath page: TreePage, _ tree: Tree) throws(Malformed) {
        for isLast in [false, true] {
            var page = page
            while !page.isLeaf { page = try child(of: page, isLast ? page.count - 1 : 0, tree) }
        }
    }
}
