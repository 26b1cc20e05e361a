/// A proof that a leaf stands at an index of a tree: the hashes beside its way up to the root
/// (RFC 6962 §2.1.1, RFC 9162 §2.1.3).
///
/// It binds leaf, index, hashes and root. The size says only how the way turns at the right
/// edge, so that some other sizes fit as well: it is the checkpoint's signature that binds it.
package struct InclusionProof: Hashable, Sendable {
    /// Of the leaf, from 0.
    package let index: Int
    /// Of the tree, in leaves.
    package let size: Int
    /// From the leaf's sibling to the root's child.
    package let hashes: [TreeHash]

    package init(index: Int, size: Int, hashes: [TreeHash]) {
        self.index = index
        self.size = size
        self.hashes = hashes
    }

    /// Makes the proof; `hash` is asked for each subtree that it needs, each once. nil unless
    /// the index lies in a tree of that size.
    package init?<Failure: Error>(
        index: Int, size: Int, hash: (Subtree) throws(Failure) -> TreeHash
    ) throws(Failure) {
        guard index >= 0, index < size else { return nil }
        var hashes: [TreeHash] = []
        // From the root down: the half of the tree in which the leaf is not.
        var tree = 0..<size
        while tree.count > 1 {
            let split = tree.lowerBound + Self.split(tree.count)
            let isLeft = index < split
            let sibling = isLeft ? split..<tree.upperBound : tree.lowerBound..<split
            tree = isLeft ? tree.lowerBound..<split : split..<tree.upperBound
            hashes.append(try Self.root(of: sibling, hash))
        }
        self.init(index: index, size: size, hashes: hashes.reversed())
    }

    /// Whether `leaf` stands at the index of the tree with this root: RFC 9162 §2.1.3.2.
    package func verifies(leaf: TreeHash, root: TreeHash) -> Bool {
        guard index >= 0, index < size else { return false }
        var hash = leaf
        // Which child the node on the way is, and the last one of its row.
        var node = index
        var last = size - 1
        for sibling in hashes {
            guard last > 0 else { return false }
            if node & 1 == 1 || node == last {
                hash = TreeHash.node(sibling, hash)
                // A last node without a sibling moves up as it is.
                while node & 1 == 0, node != 0 {
                    node >>= 1
                    last >>= 1
                }
            } else {
                hash = TreeHash.node(hash, sibling)
            }
            node >>= 1
            last >>= 1
        }
        return last == 0 && hash == root
    }

    /// The largest power of two below `count`, which is at least 2.
    static func split(_ count: Int) -> Int {
        1 << (Int.bitWidth - 1 - (count - 1).leadingZeroBitCount)
    }

    /// The root over leaves that begin where a subtree of their number begins.
    static func root<Failure: Error>(
        of leaves: Range<Int>, _ hash: (Subtree) throws(Failure) -> TreeHash
    ) throws(Failure) -> TreeHash {
        var parts: [TreeHash] = []
        for part in Subtree.covering(leaves) { parts.append(try hash(part)) }
        return TreeBuilder.root(of: parts)
    }
}
