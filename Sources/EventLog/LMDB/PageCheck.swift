import Core
import Glibc
import Synchronization

/// Walks the trees of an LMDB file page by page, reading the file and not the map.
///
/// So it finds what no look at one page does (`MappedPages`): counts that are wrong, pages with two uses. The file of a small
/// journal is walked whenever it is opened, that of a large one by `verify`; its end is looked at whenever it is opened.
struct PageCheck {
    /// What was found first.
    struct Damage {
        var database: String
        /// At or after this position, if it is in `frames`.
        var position: Position?
        var what: String
    }

    /// Files up to this length are checked when they are opened (a few milliseconds).
    private static let smallBytes: UInt64 = 8 << 20

    static let branchFlag: UInt64 = 0x01
    static let leafFlag: UInt64 = 0x02
    static let overflowFlag: UInt64 = 0x04
    static let headerBytes = 16
    private static let none = UInt64.max

    /// One tree: LMDB's `MDB_db`.
    private struct Tree {
        var name: String
        var flags: UInt64
        var depth: UInt64
        var branchPages: UInt64
        var leafPages: UInt64
        var overflowPages: UInt64
        var entries: UInt64
        var root: UInt64

        init(_ bytes: Span<UInt8>, _ offset: Int, name: String) {
            self.name = name
            flags = MetaPages.little(bytes, offset + 4, 2)
            depth = MetaPages.little(bytes, offset + 6, 2)
            branchPages = MetaPages.little(bytes, offset + 8, 8)
            leafPages = MetaPages.little(bytes, offset + 16, 8)
            overflowPages = MetaPages.little(bytes, offset + 24, 8)
            entries = MetaPages.little(bytes, offset + 32, 8)
            root = MetaPages.little(bytes, offset + 40, 8)
        }
    }

    /// What a walk has met of a tree so far.
    private struct Tally {
        var branchPages: UInt64 = 0
        var leafPages: UInt64 = 0
        var overflowPages: UInt64 = 0
        var entries: UInt64 = 0
        var lastKey: [UInt8] = []
        /// The branches say that no key from here on is less.
        var leastKey: [UInt8]?
    }

    private let descriptor: CInt
    private let pageBytes: Int
    private let lastPage: UInt64
    /// How many pages the file has; those behind them, up to `lastPage`, must be free.
    private let filePages: UInt64
    private var missingFree: UInt64 = 0
    private var isSeen: [Bool]
    private var treeName = "meta"
    private var lastFrame: Position?
    private var subtrees: [Tree] = []

    // MARK: Entry points

    /// Throws if the pages of a small file are damaged, or pages are missing at the end of a large one that are not
    /// free. Then fills up the end, so that no address below the used length lies outside the file.
    static func check(opened environment: LMDBEnvironment) throws(JournalError) {
        let transaction = try ReadTransaction(environment, isPooled: false)
        let isSmall = environment.usedBytes() <= smallBytes
        try check(environment, commit: transaction.commit, isSmall ? .whole : .end)
        if isSmall {
            environment.hasSeenFree.store(true, ordering: .relaxed)
            environment.isWalked.store(true, ordering: .relaxed)
        }
        let (path, used) = (environment.path, Int(environment.usedBytes()))
        guard !environment.isReadOnly, case .file(let length) = try FileSystem.entry(at: path),
            length < used
        else { return }
        try FileSystem.lengthen(path, from: length, to: used)
    }

    /// Throws if that of a commit is damaged.
    static func check(
        _ environment: LMDBEnvironment, commit: UInt64, _ extent: Extent
    ) throws(JournalError) {
        if let damage = try damage(environment, commit: commit, extent) {
            throw environment.file.damaged(
                "\(environment.path): \(damage.what) (\(damage.database))")
        }
    }

    /// What is wrong with the pages that a transaction sees, if anything is.
    ///
    /// If it is not to be the whole, only what is missing at the end is looked for.
    static func damage(
        _ environment: LMDBEnvironment, _ transaction: borrowing ReadTransaction,
        isWhole: Bool = true
    ) throws(JournalError) -> Damage? {
        try damage(environment, commit: transaction.commit, isWhole ? .whole : .end)
    }

    /// How much is looked at.
    enum Extent {
        case whole
        /// LMDB's list of free pages, which a write transaction takes its pages from.
        case free
        /// Whether pages are missing at the end that are not free.
        case end
    }

    private static func damage(
        _ environment: LMDBEnvironment, commit: UInt64, _ extent: Extent
    ) throws(JournalError) -> Damage? {
        let descriptor = environment.descriptor
        var bytes = [UInt8](repeating: 0, count: 2 * 65536)
        let filled = read(descriptor, 0, into: &bytes)
        let pageBytes = Int(MetaPages.little(bytes.span, 40, 4))
        guard pageBytes.nonzeroBitCount == 1, pageBytes >= 512, pageBytes * 2 <= filled else {
            return Damage(database: "meta", what: "its page size makes no sense")
        }
        for start in [0, pageBytes]
        where MetaPages.little(bytes.span, start + 144, 8) == commit
            && MetaPages.little(bytes.span, pageBytes - start + 144, 8) != commit &+ 1
        {
            let last = MetaPages.little(bytes.span, start + 136, 8)
            guard let length = FileSystem.length(of: descriptor), last >= 1,
                case let pages = UInt64(length / pageBytes), last < pages + MetaPages.unwrittenPages
            else {
                return Damage(database: "meta", what: "its length makes no sense")
            }
            if extent == .end, last < pages { return nil }
            var check = PageCheck(descriptor, pageBytes, lastPage: last, filePages: pages)
            return check.run(
                free: Tree(bytes.span, start + 40, name: "free pages"),
                main: extent == .whole
                    ? Tree(bytes.span, start + 88, name: "list of databases") : nil)
        }
        // Others have committed since the transaction began, and may write over its meta page just now; what it sees
        // is still there, but cannot be found from here. It was whole for those who wrote on it.
        return nil
    }

    private init(_ descriptor: CInt, _ pageBytes: Int, lastPage: UInt64, filePages: UInt64) {
        self.descriptor = descriptor
        self.pageBytes = pageBytes
        self.lastPage = lastPage
        self.filePages = filePages
        isSeen = [Bool](repeating: false, count: Int(lastPage) + 1)
    }

    private mutating func run(free: Tree, main: Tree?) -> Damage? {
        do throws(Malformed) {
            try walk(free, kind: .free)
            if let main { try walk(main, kind: .main) }
            for tree in subtrees { try walk(tree, kind: .records) }
            try checkEnd()
            return nil
        } catch {
            let position = treeName == "frames" ? Position((lastFrame?.number ?? 0) + 1) : nil
            let place = position.map { " at or after position \($0.number)" } ?? ""
            return Damage(
                database: treeName, position: position, what: "\(error.what)\(place)")
        }
    }

    /// LMDB does not write pages that a transaction took at the end of the file and gave back; they are free then.
    /// Any other page that is missing was cut off.
    private mutating func checkEnd() throws(Malformed) {
        treeName = "meta"
        guard filePages <= lastPage, missingFree < lastPage + 1 - filePages else { return }
        throw Malformed("it was cut short")
    }

    // MARK: Walking

    private enum Kind {
        /// LMDB's list of free pages, by commit.
        case free
        /// LMDB's list of named databases.
        case main
        case records
    }

    private mutating func walk(_ tree: Tree, kind: Kind) throws(Malformed) {
        treeName = tree.name
        // The flags of the tree of free pages are the file's (`MetaPages`).
        guard kind == .free || tree.flags == 0 else {
            throw Malformed("a database of another kind")
        }
        var tally = Tally()
        if tree.root == Self.none {
            guard tree.depth == 0 else { throw Malformed("a tree without its root") }
        } else {
            guard tree.depth >= 1, tree.depth <= 32 else { throw Malformed("a tree of no depth") }
            try walk(page: tree.root, depth: Int(tree.depth), kind, &tally)
        }
        guard tally.branchPages == tree.branchPages, tally.leafPages == tree.leafPages,
            tally.overflowPages == tree.overflowPages, tally.entries == tree.entries
        else { throw Malformed("a tree of another size than stated") }
    }

    private mutating func walk(
        page number: UInt64, depth: Int, _ kind: Kind, _ tally: inout Tally
    ) throws(Malformed) {
        let bytes = try page(number)
        let flags = MetaPages.little(bytes.span, 10, 2)
        guard MetaPages.little(bytes.span, 0, 8) == number,
            flags == (depth > 1 ? Self.branchFlag : Self.leafFlag)
        else { throw Malformed("a page that is another one") }
        let lower = Int(MetaPages.little(bytes.span, 12, 2))
        let upper = Int(MetaPages.little(bytes.span, 14, 2))
        guard lower >= Self.headerBytes, lower.isMultiple(of: 2), lower <= upper,
            upper <= pageBytes
        else { throw Malformed("a page with wrong bounds") }
        let count = (lower - Self.headerBytes) / 2
        guard count >= (depth > 1 ? 2 : 1) else { throw Malformed("a page without records") }
        if depth > 1 { tally.branchPages += 1 } else { tally.leafPages += 1 }
        for index in 0..<count {
            let node = Int(MetaPages.little(bytes.span, Self.headerBytes + 2 * index, 2))
            guard node >= upper, node.isMultiple(of: 2), node + 8 <= pageBytes else {
                throw Malformed("a record outside its page")
            }
            let keyBytes = Int(MetaPages.little(bytes.span, node + 6, 2))
            guard node + 8 + keyBytes <= pageBytes else {
                throw Malformed("a key outside its page")
            }
            if depth > 1 {
                let child =
                    MetaPages.little(bytes.span, node, 4)
                    | MetaPages.little(bytes.span, node + 4, 2) << 32
                if index > 0 {
                    let key = Array(bytes[node + 8..<node + 8 + keyBytes])
                    guard Self.ascends(tally.lastKey, key, kind) else {
                        throw Malformed("a branch that leads elsewhere")
                    }
                    tally.leastKey = key
                }
                try walk(page: child, depth: depth - 1, kind, &tally)
            } else {
                try readLeaf(bytes, node, keyBytes, kind, &tally)
            }
        }
    }

    private mutating func readLeaf(
        _ bytes: [UInt8], _ node: Int, _ keyBytes: Int, _ kind: Kind, _ tally: inout Tally
    ) throws(Malformed) {
        let key = Array(bytes[node + 8..<node + 8 + keyBytes])
        try checkOrder(key, kind, &tally)
        tally.entries += 1
        let dataBytes = MetaPages.little(bytes.span, node, 4)
        let flags = MetaPages.little(bytes.span, node + 4, 2)
        let data = node + 8 + keyBytes
        if flags == 0x01 {
            guard kind != .main, data + 8 <= pageBytes else {
                throw Malformed("a record outside its page")
            }
            let first = MetaPages.little(bytes.span, data, 8)
            tally.overflowPages += try readOverflow(first, dataBytes, kind)
        } else {
            guard flags == (kind == .main ? 0x02 : 0), dataBytes <= UInt64(pageBytes - data) else {
                throw Malformed("a record outside its page")
            }
            switch kind {
            case .main:
                guard dataBytes == 48 else { throw Malformed("a database of another kind") }
                let name = String(decoding: key, as: UTF8.self)
                subtrees.append(Tree(bytes.span, data, name: name))
            case .free:
                try checkFree(Array(bytes[data..<data + Int(dataBytes)]))
            case .records: break
            }
        }
        if kind == .records, treeName == "frames", let frame = try? FrameKey(key.span) {
            lastFrame = frame.first
        }
    }

    private func checkOrder(
        _ key: [UInt8], _ kind: Kind, _ tally: inout Tally
    ) throws(Malformed) {
        guard kind == .free ? key.count == 8 : (1...TreePage.keyBytes).contains(key.count) else {
            throw Malformed("a key of a wrong length")
        }
        guard tally.entries == 0 || Self.ascends(tally.lastKey, key, kind) else {
            throw Malformed("keys that do not ascend")
        }
        if let least = tally.leastKey, Self.ascends(key, least, kind) {
            throw Malformed("a branch that leads elsewhere")
        }
        tally.leastKey = nil
        tally.lastKey = key
    }

    private static func ascends(_ left: [UInt8], _ right: [UInt8], _ kind: Kind) -> Bool {
        guard kind == .free else { return left.lexicographicallyPrecedes(right) }
        return MetaPages.little(left.span, 0, 8) < MetaPages.little(right.span, 0, 8)
    }

    /// The pages of a value too large for a leaf; answers how many.
    private mutating func readOverflow(
        _ first: UInt64, _ dataBytes: UInt64, _ kind: Kind
    ) throws(Malformed) -> UInt64 {
        let bytes = try page(first)
        let needed = (UInt64(Self.headerBytes) + dataBytes - 1) / UInt64(pageBytes) + 1
        let count = MetaPages.little(bytes.span, 12, 4)  // more, if a larger value was there
        guard MetaPages.little(bytes.span, 0, 8) == first,
            MetaPages.little(bytes.span, 10, 2) == Self.overflowFlag,
            count >= needed, count <= lastPage + 1 - first
        else { throw Malformed("a large record whose pages are others") }
        for page in first + 1..<first + count { try mark(page) }
        if kind == .free {
            var value = [UInt8](repeating: 0, count: Int(dataBytes))
            let offset = Int(first) * pageBytes + Self.headerBytes
            guard Self.read(descriptor, offset, into: &value) == value.count else {
                throw Malformed("a page beyond the end of the file")
            }
            try checkFree(value)
        }
        return count
    }

    /// A list of free pages: their count, then their numbers, descending. Writers use them.
    private mutating func checkFree(_ value: [UInt8]) throws(Malformed) {
        let count = MetaPages.little(value.span, 0, 8)
        guard value.count >= 8, count <= UInt64(value.count / 8 - 1) else {
            throw Malformed("a list of free pages cut short")
        }
        var before = Self.none
        for index in 0..<Int(count) {
            let page = MetaPages.little(value.span, 8 + 8 * index, 8)
            guard page < before else { throw Malformed("free pages that do not descend") }
            try mark(page)
            if page >= filePages { missingFree += 1 }
            before = page
        }
    }

    // MARK: Pages

    /// No page has two uses.
    private mutating func mark(_ number: UInt64) throws(Malformed) {
        guard number >= 2, number <= lastPage else { throw Malformed("a page outside the file") }
        guard !isSeen[Int(number)] else { throw Malformed("a page with two uses") }
        isSeen[Int(number)] = true
    }

    private mutating func page(_ number: UInt64) throws(Malformed) -> [UInt8] {
        try mark(number)
        var bytes = [UInt8](repeating: 0, count: pageBytes)
        guard Self.read(descriptor, Int(number) * pageBytes, into: &bytes) == pageBytes else {
            throw Malformed("a page beyond the end of the file")
        }
        return bytes
    }

    /// Fills `bytes` from a place in the file; answers how many it got.
    private static func read(
        _ descriptor: CInt, _ offset: Int, into bytes: inout [UInt8]
    ) -> Int {
        var filled = 0
        while filled < bytes.count {
            let count = unsafe bytes.withUnsafeMutableBytes { buffer in
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                return unsafe pread(descriptor, rest.baseAddress, rest.count, offset + filled)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            filled += count
        }
        return filled
    }
}
