/// A complete subtree: leaves `index << level` up to `(index + 1) << level`, this one left out.
package struct Subtree: Hashable, Sendable {
    package let level: Int
    package let index: Int

    package init(level: Int, index: Int) {
        self.level = level
        self.index = index
    }

    /// How many leaves it has.
    package var width: Int { 1 << level }
    package var leaves: Range<Int> { index << level..<(index + 1) << level }

    /// The subtrees of which the first `size` leaves consist, widest first: one for each bit of
    /// the number (RFC 6962 §2.1 splits at the largest power of two).
    package static func covering(_ size: Int) -> [Subtree] {
        covering(0..<size)
    }

    /// The fewest subtrees of which the leaves consist, from the left.
    package static func covering(_ leaves: Range<Int>) -> [Subtree] {
        var parts: [Subtree] = []
        var start = leaves.lowerBound
        while start < leaves.upperBound {
            let room = Int.bitWidth - 1 - (leaves.upperBound - start).leadingZeroBitCount
            let level = start == 0 ? room : min(room, start.trailingZeroBitCount)
            parts.append(Subtree(level: level, index: start >> level))
            start += 1 << level
        }
        return parts
    }
}

/// A tree that grows leaf by leaf and remembers only the roots of its complete subtrees, one for
/// each bit of its size. A leaf costs two hashes on average, its own included.
package struct TreeBuilder: Sendable {
    /// How many leaves there are.
    package private(set) var size = 0
    /// Of `Subtree.covering(size)`.
    private var roots: [TreeHash] = []

    package init() {
        roots.reserveCapacity(64)
    }

    /// A tree of this many leaves, continued from the hashes of `Subtree.covering(size)`.
    init(size: Int, roots: [TreeHash]) {
        self.size = size
        self.roots = roots
    }

    /// Appends the hash of a leaf.
    package mutating func append(_ leaf: TreeHash) {
        append(leaf) { _, _ in }
    }

    /// Appends the hash of a leaf. Of the subtrees that it completes, those of levels 8, 16, 24 …
    /// are handed out: they are what is worth storing (`TreeHashes`).
    @inline(__always)
    package mutating func append<Failure: Error>(
        _ leaf: TreeHash, storing: (Subtree, TreeHash) throws(Failure) -> Void
    ) throws(Failure) {
        var hash = leaf
        var level = 0
        while size >> level & 1 == 1, let left = roots.popLast() {
            hash = TreeHash.node(left, hash)
            level += 1
            if level % Tile.height == 0 {
                try storing(Subtree(level: level, index: size >> level), hash)
            }
        }
        roots.append(hash)
        size += 1
    }

    /// The root of the tree as it stands; at most 63 hashes.
    package var root: TreeHash { Self.root(of: roots) }

    /// The root above neighbouring subtrees, whose widths fall from left to right.
    static func root(of parts: [TreeHash]) -> TreeHash {
        guard var root = parts.last else { return .empty }
        for part in parts.dropLast().reversed() {
            root = TreeHash.node(part, root)
        }
        return root
    }
}
