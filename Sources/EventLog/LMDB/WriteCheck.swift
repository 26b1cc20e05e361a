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
        try undamaged(.main) { () throws(Malformed) in try former.check(former.main) }
    }

    /// Before anything is written: the list of databases, and once that of free pages.
    func checkLists() throws(JournalError) {
        try checkList()
        guard let former, !former.file.hasSeenFree.load(ordering: .relaxed) else { return }
        try PageCheck.checkFree(environment, commit: unsafe UInt64(mdb_txn_id(raw)) &- 1)
        former.file.hasSeenFree.store(true, ordering: .relaxed)
    }

    /// Before LMDB goes to a key, or to one beside it.
    func check(_ database: Database, towards key: Span<UInt8>) throws(JournalError) {
        try check(database) { former, tree throws(Malformed) in
            try unsafe key.withUnsafeBytes { key throws(Malformed) in
                try unsafe former.check(tree, around: key)
            }
        }
    }

    /// Before LMDB goes to the first or the last key.
    func checkEdges(_ database: Database) throws(JournalError) {
        try check(database) { former, tree throws(Malformed) in
            if let root = try former.root(of: tree) { try former.checkEdges(beneath: root, tree) }
        }
    }

    /// Before LMDB goes over all of it.
    func checkAll(_ database: Database) throws(JournalError) {
        try check(database) { former, tree throws(Malformed) in try former.check(tree) }
    }

    private func check(
        _ database: Database, _ body: (MappedPages, MappedPages.Tree) throws(Malformed) -> Void
    ) throws(JournalError) {
        guard let former else { return }
        try undamaged(database) { () throws(Malformed) in
            if let tree = try former.tree(of: database) { try body(former, tree) }
        }
    }
}

extension MappedPages {
    /// Looks at all pages of a tree.
    fileprivate func check(_ tree: Tree) throws(Malformed) {
        if let root = try root(of: tree) { try check(beneath: root, tree) }
    }

    private func check(beneath page: TreePage, _ tree: Tree) throws(Malformed) {
        guard !page.isLeaf else { return }
        for index in 0..<page.count { try check(beneath: child(of: page, index, tree), tree) }
    }

    /// Looks at the pages that lead to a key, those beside them, with which LMDB may merge them, and the first and the last
    /// pages beneath all of these, which it goes to for their keys and to move on.
    fileprivate func check(
        _ tree: Tree, around key: UnsafeRawBufferPointer
    ) throws(Malformed) {
        guard var page = try root(of: tree) else { return }
        var leaf = tree.root
        while !page.isLeaf {
            let index = try unsafe page.branch(towards: key)
            leaf = try page.child(index)
            page = try child(of: page, index, tree)
        }
        let reached = MappedFile.Reached(root: tree.root, leaf: leaf)
        guard file.last.withLock({ $0 != reached }), let root = try root(of: tree) else { return }
        page = root
        while !page.isLeaf {
            let index = try unsafe page.branch(towards: key)
            for beside in max(0, index - 1)...min(page.count - 1, index + 1) {
                try checkEdges(beneath: child(of: page, beside, tree), tree)
            }
            page = try child(of: page, index, tree)
        }
        file.last.withLock { $0 = reached }
    }

    fileprivate func checkEdges(beneath page: TreePage, _ tree: Tree) throws(Malformed) {
        for isLast in [false, true] {
            var page = page
            while !page.isLeaf { page = try child(of: page, isLast ? page.count - 1 : 0, tree) }
        }
    }
}
