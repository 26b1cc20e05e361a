/// A proof that a tree is the beginning of a later one: nothing was changed, taken out or put in
/// between (RFC 6962 §2.1.2, RFC 9162 §2.1.4).
///
/// As with an inclusion proof, some other sizes of the later tree fit as well; the checkpoints'
/// signatures bind the sizes.
package struct ConsistencyProof: Hashable, Sendable {
    /// Size of the earlier tree, in leaves.
    package let from: Int
    /// Size of the later tree.
    package let to: Int
    package let hashes: [TreeHash]

    package init(from: Int, to: Int, hashes: [TreeHash]) {
        self.from = from
        self.to = to
        self.hashes = hashes
    }

    /// Makes the proof; `hash` is asked for each subtree that it needs, each once. nil unless
    /// 0 ≤ from ≤ to. From an empty or an equal tree there is nothing to prove, so no hashes.
    package init?<Failure: Error>(
        from: Int, to: Int, hash: (Subtree) throws(Failure) -> TreeHash
    ) throws(Failure) {
        guard from >= 0, from <= to else { return nil }
        guard from > 0, from < to else {
            self.init(from: from, to: to, hashes: [])
            return
        }
        var hashes: [TreeHash] = []
        // SUBPROOF of RFC 6962 §2.1.2, from the root down.
        var tree = 0..<to
        while from < tree.upperBound {
            let split = tree.lowerBound + InclusionProof.split(tree.count)
            if from <= split {
                hashes.append(try InclusionProof.root(of: split..<tree.upperBound, hash))
                tree = tree.lowerBound..<split
            } else {
                hashes.append(try InclusionProof.root(of: tree.lowerBound..<split, hash))
                tree = split..<tree.upperBound
            }
        }
        // The verifier knows a whole earlier tree.
        if tree.lowerBound > 0 { hashes.append(try InclusionProof.root(of: tree, hash)) }
        self.init(from: from, to: to, hashes: hashes.reversed())
    }

    /// Whether the tree with the root `old` is the beginning of the one with the root `new`:
    /// RFC 9162 §2.1.4.2, and for an empty or equal earlier tree that there is nothing to prove.
    package func verifies(old: TreeHash, new: TreeHash) -> Bool {
        guard from >= 0, from <= to else { return false }
        guard from < to else { return hashes.isEmpty && old == new && (to > 0 || old == .empty) }
        guard from > 0 else { return hashes.isEmpty && old == .empty }
        var path = hashes[...]
        // Which child the node on the way is, and the last one of its row.
        var node = from - 1
        var last = to - 1
        while node & 1 == 1 {
            node >>= 1
            last >>= 1
        }
        let isWhole = from & (from - 1) == 0
        guard !hashes.isEmpty, let first = isWhole ? old : path.popFirst() else { return false }
        var oldHash = first
        var newHash = first
        for sibling in path {
            guard last > 0 else { return false }
            if node & 1 == 1 || node == last {
                oldHash = TreeHash.node(sibling, oldHash)
                newHash = TreeHash.node(sibling, newHash)
                while node & 1 == 0, node != 0 {
                    node >>= 1
                    last >>= 1
                }
            } else {
                newHash = TreeHash.node(newHash, sibling)
            }
            node >>= 1
            last >>= 1
        }
        return last == 0 && oldHash == old && newHash == new
    }
}
