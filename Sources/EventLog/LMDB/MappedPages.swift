import Glibc
import Synchronization

/// The pages of one commit where LMDB has mapped them.
///
/// LMDB follows what a page says without a look: a flipped bit in a page's own bytes leads it out of the map, and the process
/// ends there and then. Here each page is looked at first, so that there is an answer whatever they say: a record, nothing,
/// or damage. What a record says is told by its checksum.
@safe
struct MappedPages {
    /// One tree: what is followed of LMDB's `MDB_db`.
    struct Tree: Hashable {
        /// `UInt64.max` where it has no page.
        let root: UInt64
        let depth: Int
        /// Whether its records are databases.
        var listsTrees = false

        static let empty = Tree(root: .max, depth: 0)
    }

    /// A tree is never so deep (LMDB's `CURSOR_STACK`).
    private static let mostLevels = 32

    private let start: UnsafeRawPointer
    private let pageBytes: Int
    private let lastPage: UInt64
    let file: MappedFile
    let main: Tree

    /// Nil if others have committed since, or it is not known where the file is mapped.
    init?(in file: MappedFile, pageBytes: Int, commit: UInt64) {
        guard let start = unsafe UnsafeRawPointer(bitPattern: file.start) else { return nil }
        let meta = unsafe start + Int(commit % 2) * pageBytes
        let other = unsafe start + Int((commit &+ 1) % 2) * pageBytes
        /// Whoever writes over it has committed to the other one before.
        func isThere() -> Bool {
            unsafe meta.loadUnaligned(fromByteOffset: 144, as: UInt64.self) == commit
                && other.loadUnaligned(fromByteOffset: 144, as: UInt64.self) != commit &+ 1
        }
        guard isThere() else { return nil }
        lastPage = unsafe meta.loadUnaligned(fromByteOffset: 136, as: UInt64.self)
        let stored = unsafe Self.tree(UnsafeRawBufferPointer(start: meta + 88, count: 48))
        main = Tree(root: stored.root, depth: stored.depth, listsTrees: true)
        atomicMemoryFence(ordering: .acquiring)
        guard isThere() else { return nil }
        unsafe self.start = start
        self.pageBytes = pageBytes
        self.file = file
    }

    private static func tree(_ stored: UnsafeRawBufferPointer) -> Tree {
        Tree(
            root: unsafe stored.loadUnaligned(fromByteOffset: 40, as: UInt64.self),
            depth: Int(unsafe stored.loadUnaligned(fromByteOffset: 6, as: UInt16.self)))
    }

    // MARK: Trees

    /// The tree of a database; nil if the commit does not have it.
    func tree(of database: Database) throws(Malformed) -> Tree? {
        if let tree = database.tree { return tree }
        guard database.handle != Database.main.handle else { return main }
        let name = database.name.utf8
        let stored = try unsafe name.span.withUnsafeBytes { name throws(Malformed) in
            try unsafe value(of: name, in: main)
        }
        guard let stored = unsafe stored else { return nil }
        guard stored.count == 48,
            unsafe stored.loadUnaligned(fromByteOffset: 4, as: UInt16.self) == 0
        else { throw Malformed("a database of another kind") }
        return unsafe Self.tree(stored)
    }

    /// The stored value of a key; nil if it has none.
    func value(
        of key: UnsafeRawBufferPointer, in tree: Tree
    ) throws(Malformed) -> UnsafeRawBufferPointer? {
        guard var page = try root(of: tree) else { return nil }
        while !page.isLeaf { page = try unsafe child(of: page, page.branch(towards: key), tree) }
        let (index, isExact) = try unsafe page.place(of: key)
        return try unsafe isExact ? value(page, index, of: tree) : nil
    }

    /// The page that a tree begins with; nil if it is empty.
    func root(of tree: Tree) throws(Malformed) -> TreePage? {
        if tree.root == .max, tree.depth == 0 { return nil }
        guard (1...Self.mostLevels).contains(tree.depth) else {
            throw Malformed("a tree of no depth")
        }
        return try page(tree.root, of: tree, height: tree.depth)
    }

    /// Where a branch leads: to keys that are not less than its own, and less than the next one's, or as the page's own bounds say.
    func child(of page: TreePage, _ index: Int, _ tree: Tree) throws(Malformed) -> TreePage {
        var child = try self.page(page.child(index), of: tree, height: page.height - 1)
        unsafe child.low = try index > 0 ? page.key(index) : page.low
        unsafe child.high = try index + 1 < page.count ? page.key(index + 1) : page.high
        try child.checkBounds()
        return child
    }

    private func page(
        _ number: UInt64, of tree: Tree, height: Int
    ) throws(Malformed) -> TreePage {
        let page = try unsafe TreePage(
            at: address(of: number), number: number, height: height, pageBytes: pageBytes)
        if file.contains(number) { return page }
        try page.check()
        for index in 0..<page.count {
            // The pages of a large record are looked at with that.
            let next = try page.isLeaf ? page.apart(index) : page.child(index)
            if let next, !has(next) { throw Malformed("a page outside the file") }
        }
        file.insert(number)
        return page
    }

    /// What a leaf's record stores.
    func value(
        _ page: TreePage, _ index: Int, of tree: Tree
    ) throws(Malformed) -> UnsafeRawBufferPointer {
        switch try page.value(index) {
        case .here(let bytes) where !tree.listsTrees, .tree(let bytes) where tree.listsTrees:
            return unsafe bytes
        case .apart(let number, let bytes) where !tree.listsTrees:
            let first = try unsafe address(of: number)
            let count = unsafe UInt64(first.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
            guard unsafe first.loadUnaligned(as: UInt64.self) == number,
                unsafe UInt64(first.loadUnaligned(fromByteOffset: 10, as: UInt16.self))
                    == PageCheck.overflowFlag, count >= Self.pages(for: bytes, pageBytes),
                count - 1 <= lastPage - number, file.reaches(number + count - 1, pageBytes)
            else { throw Malformed("a large record whose pages are others") }
            return unsafe UnsafeRawBufferPointer(
                start: first + PageCheck.headerBytes, count: bytes)
        default: throw Malformed("a record of another kind")
        }
    }

    /// How many pages of its own a value takes.
    private static func pages(for bytes: Int, _ pageBytes: Int) -> UInt64 {
        UInt64((PageCheck.headerBytes + bytes - 1) / pageBytes + 1)
    }

    /// Whether a record has more pages than it needs: that may be so, where a longer value was there within one transaction,
    /// and LMDB frees all of them.
    func hasSpare(_ page: TreePage, _ index: Int, _ tree: Tree) throws(Malformed) -> Bool {
        _ = try unsafe value(page, index, of: tree)
        guard case .apart(let number, let bytes) = try page.value(index) else { return false }
        let first = try unsafe address(of: number)
        return unsafe UInt64(first.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
            > Self.pages(for: bytes, pageBytes)
    }

    private func has(_ number: UInt64) -> Bool { number >= 2 && number <= lastPage }

    private func address(of number: UInt64) throws(Malformed) -> UnsafeRawPointer {
        guard has(number), file.reaches(number, pageBytes) else {
            throw Malformed("a page outside the file")
        }
        return unsafe start + Int(number) * pageBytes
    }
}

/// A place in a tree, moved from record to record.
@safe
struct PageCursor {
    private let pages: MappedPages
    private let tree: MappedPages.Tree
    typealias Level = (page: TreePage, index: Int)

    /// From the root to a leaf; empty where it is nowhere.
    private(set) var levels: [Level] = []

    init(_ pages: MappedPages, _ tree: MappedPages.Tree) {
        self.pages = pages
        self.tree = tree
    }

    mutating func first() throws(Malformed) -> Bool { try begin(atLast: false) }
    mutating func last() throws(Malformed) -> Bool { try begin(atLast: true) }
    mutating func next() throws(Malformed) -> Bool { try move(isForward: true) }
    mutating func previous() throws(Malformed) -> Bool { try move(isForward: false) }

    private mutating func begin(atLast isLast: Bool) throws(Malformed) -> Bool {
        levels.removeAll(keepingCapacity: true)
        guard let root = try pages.root(of: tree) else { return false }
        levels.append((root, isLast ? root.count - 1 : 0))
        try descend(toLast: isLast)
        return true
    }

    /// The deepest level that can, moves, and those beneath begin anew.
    private mutating func move(isForward: Bool) throws(Malformed) -> Bool {
        while let level = levels.popLast() {
            let index = level.index + (isForward ? 1 : -1)
            guard (0..<level.page.count).contains(index) else { continue }
            levels.append((level.page, index))
            try descend(toLast: !isForward)
            return true
        }
        return false
    }

    /// From the last level down to a leaf.
    private mutating func descend(toLast isLast: Bool) throws(Malformed) {
        while let level = levels.last, !level.page.isLeaf {
            let page = try pages.child(of: level.page, level.index, tree)
            levels.append((page, isLast ? page.count - 1 : 0))
        }
    }

    /// Moves to the least key that is not less than `key`.
    mutating func seek(_ key: UnsafeRawBufferPointer) throws(Malformed) -> Bool {
        levels.removeAll(keepingCapacity: true)
        guard var page = try pages.root(of: tree) else { return false }
        while !page.isLeaf {
            let index = try unsafe page.branch(towards: key)
            levels.append((page, index))
            page = try pages.child(of: page, index, tree)
        }
        let index = try unsafe page.place(of: key).index
        levels.append((page, min(index, page.count - 1)))
        return try index < page.count ? true : next()
    }

    /// Moves to the first record of the next leaf, or to the last one of the leaf before.
    mutating func moveToLeaf(isForward: Bool) throws(Malformed) -> Bool {
        guard let leaf = levels.last else { return false }
        levels[levels.count - 1].index = isForward ? leaf.page.count - 1 : 0
        return try move(isForward: isForward)
    }

    /// Of the leaf's page.
    func leafNumber() throws(Malformed) -> UInt64 {
        guard let branch = levels.dropLast().last else { return tree.root }
        return try branch.page.child(branch.index)
    }

    /// Whether the record here has more pages than it needs.
    func hasSpare() throws(Malformed) -> Bool {
        guard let leaf = levels.last else { return false }
        return try pages.hasSpare(leaf.page, leaf.index, tree)
    }

    /// The key and the stored value here; valid as long as the commit's pages are.
    func record() throws(Malformed) -> TreePage.Record? {
        guard let leaf = levels.last else { return nil }
        return try unsafe TreePage.Record(
            key: leaf.page.key(leaf.index),
            value: pages.value(leaf.page, leaf.index, of: tree))
    }
}
