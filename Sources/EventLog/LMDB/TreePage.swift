import Glibc

/// A page of one of LMDB's trees, in memory; what it says is looked at before it is followed.
///
/// Offsets as in LMDB 0.9's `MDB_page` and `MDB_node` on a 64-bit little-endian machine: a header of 16 bytes, the places of
/// the nodes, room, the nodes.
@safe
struct TreePage {
    /// Of a leaf's value that lies in pages of its own.
    static let largeFlag: UInt16 = 0x01
    /// Of a leaf's value that is an `MDB_db`.
    static let treeFlag: UInt16 = 0x02

    /// The longest key (LMDB's `MDB_MAXKEYSIZE`).
    static let keyBytes = 511

    private let start: UnsafeRawPointer
    private let pageBytes: Int
    /// Above the leaves, whose height is 1.
    let height: Int
    /// Where its keys lie, as the branches say that led to it: not less than the one, less than the other.
    var low: UnsafeRawBufferPointer?
    var high: UnsafeRawBufferPointer?
    /// How many nodes it has.
    let count: Int
    /// Where they begin.
    let upper: Int

    /// - Parameter start: of a page that can be read to its end.
    init(
        at start: UnsafeRawPointer, number: UInt64, height: Int, pageBytes: Int
    ) throws(Malformed) {
        unsafe self.start = start
        self.pageBytes = pageBytes
        self.height = height
        let flag = UInt16(height == 1 ? PageCheck.leafFlag : PageCheck.branchFlag)
        guard unsafe start.loadUnaligned(as: UInt64.self) == number,
            unsafe start.loadUnaligned(fromByteOffset: 10, as: UInt16.self) == flag
        else { throw Malformed("a page that is another one") }
        let lower = unsafe Int(start.loadUnaligned(fromByteOffset: 12, as: UInt16.self))
        upper = unsafe Int(start.loadUnaligned(fromByteOffset: 14, as: UInt16.self))
        guard lower >= PageCheck.headerBytes, lower.isMultiple(of: 2), lower <= upper,
            upper <= pageBytes
        else { throw Malformed("a page with wrong bounds") }
        count = (lower - PageCheck.headerBytes) / 2
        guard count >= (height == 1 ? 1 : 2) else { throw Malformed("a page without records") }
    }

    var isLeaf: Bool { height == 1 }

    /// Where a node stands. Its key lies in the page.
    func node(_ index: Int) throws(Malformed) -> Int {
        let place = PageCheck.headerBytes + 2 * index
        let node = unsafe Int(start.loadUnaligned(fromByteOffset: place, as: UInt16.self))
        guard index < count, node >= upper, node.isMultiple(of: 2), node + 8 <= pageBytes,
            keyEnd(node) <= pageBytes
        else { throw Malformed("a record outside its page") }
        return node
    }

    /// Behind the key of a node that was looked at.
    func keyEnd(_ node: Int) -> Int {
        unsafe node + 8 + Int(start.loadUnaligned(fromByteOffset: node + 6, as: UInt16.self))
    }

    func key(_ index: Int) throws(Malformed) -> UnsafeRawBufferPointer {
        let node = try node(index)
        return unsafe UnsafeRawBufferPointer(
            start: start + node + 8, count: keyEnd(node) - node - 8)
    }

    /// Where a branch leads.
    func child(_ index: Int) throws(Malformed) -> UInt64 {
        let node = try node(index)
        let low = unsafe start.loadUnaligned(fromByteOffset: node, as: UInt32.self)
        let high = unsafe start.loadUnaligned(fromByteOffset: node + 4, as: UInt16.self)
        return UInt64(low) | UInt64(high) << 32
    }

    /// The key and the stored value of a leaf's record, where they lie.
    @safe
    struct Record {
        let key: UnsafeRawBufferPointer
        let value: UnsafeRawBufferPointer
    }

    /// The first of a leaf's record's own pages; nil if it lies in the leaf.
    func apart(_ index: Int) throws(Malformed) -> UInt64? {
        guard case .apart(let first, _) = try value(index) else { return nil }
        return first
    }

    /// What a leaf's record stores.
    @safe
    enum Value {
        case here(UnsafeRawBufferPointer)
        /// An `MDB_db`.
        case tree(UnsafeRawBufferPointer)
        /// In pages of its own.
        case apart(first: UInt64, bytes: Int)
    }

    func value(_ index: Int) throws(Malformed) -> Value {
        let node = try node(index)
        let bytes = unsafe Int(start.loadUnaligned(fromByteOffset: node, as: UInt32.self))
        let flags = unsafe start.loadUnaligned(fromByteOffset: node + 4, as: UInt16.self)
        let data = keyEnd(node)
        guard data + (flags == Self.largeFlag ? 8 : bytes) <= pageBytes else {
            throw Malformed("a record outside its page")
        }
        let here = unsafe UnsafeRawBufferPointer(start: start + data, count: bytes)
        switch flags {
        case 0: return unsafe .here(here)
        case Self.treeFlag: return unsafe .tree(here)
        case Self.largeFlag:
            let first = unsafe start.loadUnaligned(fromByteOffset: data, as: UInt64.self)
            return .apart(first: first, bytes: bytes)
        default: throw Malformed("a record of another kind")
        }
    }

    /// Throws unless the keys ascend, and the nodes fill the page from where they begin, each apart from the others, as LMDB leaves
    /// them: so none is missing, and who moves them moves nothing else.
    func check() throws(Malformed) {
        // The first key of a branch says nothing.
        for index in stride(from: isLeaf ? 1 : 2, to: count, by: 1) {
            guard try unsafe Self.order(key(index - 1), key(index)) < 0 else {
                throw Malformed("keys that do not ascend")
            }
        }
        var nodes: [Range<Int>] = []
        var start = pageBytes
        for index in 0..<count {
            let node = try bounds(index)
            if nodes.isEmpty, node.upperBound == start {
                start = node.lowerBound  // as rows that were appended lie
            } else {
                nodes.append(node)
            }
        }
        nodes.sort { $0.lowerBound > $1.lowerBound }
        for node in nodes {
            guard node.upperBound == start else { throw Malformed("records that overlap") }
            start = node.lowerBound
        }
        guard start == upper else { throw Malformed("a page that lacks records") }
    }

    /// Where a node lies.
    private func bounds(_ index: Int) throws(Malformed) -> Range<Int> {
        let node = try node(index)
        guard keyEnd(node) - node - 8 <= Self.keyBytes else {
            throw Malformed("a key that is too long")
        }
        var bytes = keyEnd(node) - node
        if isLeaf {
            switch try value(index) {
            case .here(let value), .tree(let value): bytes += value.count
            case .apart: bytes += 8
            }
        }
        return node..<node + (bytes + 1) / 2 * 2
    }

    /// Of a thousand parts, how many are in use; LMDB merges a page of less than a quarter.
    var fill: Int {
        let room = pageBytes - PageCheck.headerBytes
        return 1000 * (room - (upper - PageCheck.headerBytes - 2 * count)) / room
    }

    /// Throws unless its keys lie where the branches say.
    func checkBounds() throws(Malformed) {
        let first = isLeaf ? 0 : 1
        if let low = unsafe low, try unsafe Self.order(low, key(first)) > 0 {
            throw Malformed("a branch that leads elsewhere")
        }
        if let high = unsafe high, try unsafe Self.order(key(count - 1), high) >= 0 {
            throw Malformed("a branch that leads elsewhere")
        }
    }

    // MARK: Searching

    /// The least of a leaf's keys that is not less; `count` where there is none.
    func place(
        of key: UnsafeRawBufferPointer
    ) throws(Malformed) -> (index: Int, isExact: Bool) {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            let order = try unsafe Self.order(self.key(middle), key)
            if order == 0 { return (middle, true) }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return (low, false)
    }

    /// The branch that a key is under; the first one's own key stands for all that are less.
    func branch(towards key: UnsafeRawBufferPointer) throws(Malformed) -> Int {
        var (low, high) = (1, count)
        while low < high {
            let middle = (low + high) / 2
            if try unsafe Self.order(self.key(middle), key) <= 0 {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low - 1
    }

    /// Less than, equal to or greater than zero, as LMDB compares keys.
    static func order(
        _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
    ) -> Int {
        let shared = min(left.count, right.count)
        if shared > 0, let one = left.baseAddress, let other = right.baseAddress {
            let order = unsafe memcmp(one, other, shared)
            if order != 0 { return Int(order) }
        }
        return left.count - right.count
    }
}
