import Proofs
import Testing

@Suite struct `A tree` {
    /// Made once for all cases.
    private static let sample = SampleTree(300)
    private static let roots = (0...300).map { TreeReference.root(sample.leaves[..<$0]) }

    private var sample: SampleTree { Self.sample }
    private var roots: [TreeHash] { Self.roots }

    @Test func `of any size has the root of the definition`() throws {
        let tree = TiledTree(sample)
        var builder = TreeBuilder()
        for size in 0...sample.leaves.count {
            #expect(builder.root == roots[size])
            #expect(try tree.root(size: size) == roots[size])
            if size < sample.leaves.count { builder.append(sample.leaves[size]) }
        }
    }

    @Test(arguments: 1...16)
    func `of few leaves proves each leaf, and nothing after any one bit is changed`(
        size: Int
    ) throws {
        for index in 0..<size {
            let proof = try #require(
                InclusionProof(index: index, size: size, hash: sample.hash))
            let leaf = sample.leaves[index]
            #expect(proof.hashes == TreeReference.path(index, sample.leaves[..<size]))
            #expect(proof.verifies(leaf: leaf, root: roots[size]))
            for bit in 0..<256 {
                #expect(!proof.verifies(leaf: leaf.flipping(bit), root: roots[size]))
                #expect(!proof.verifies(leaf: leaf, root: roots[size].flipping(bit)))
                for at in proof.hashes.indices {
                    let changed = InclusionProof(
                        index: index, size: size, hashes: proof.hashes.flipping(bit, at: at))
                    #expect(!changed.verifies(leaf: leaf, root: roots[size]))
                }
            }
            for bit in 0..<Int.bitWidth {
                let moved = InclusionProof(
                    index: index ^ 1 << bit, size: size, hashes: proof.hashes)
                #expect(!moved.verifies(leaf: leaf, root: roots[size]))
            }
        }
    }

    @Test(arguments: 1...16)
    func `of few leaves proves each beginning, and nothing after any one bit is changed`(
        to: Int
    ) throws {
        for from in 1..<to {
            let proof = try #require(
                ConsistencyProof(from: from, to: to, hash: sample.hash))
            let (old, new) = (roots[from], roots[to])
            #expect(proof.hashes == TreeReference.subproof(from, sample.leaves[..<to]))
            #expect(proof.verifies(old: old, new: new))
            for bit in 0..<256 {
                #expect(!proof.verifies(old: old.flipping(bit), new: new))
                #expect(!proof.verifies(old: old, new: new.flipping(bit)))
                for at in proof.hashes.indices {
                    let changed = ConsistencyProof(
                        from: from, to: to, hashes: proof.hashes.flipping(bit, at: at))
                    #expect(!changed.verifies(old: old, new: new))
                }
            }
            for bit in 0..<Int.bitWidth {
                let moved = ConsistencyProof(
                    from: from ^ 1 << bit, to: to, hashes: proof.hashes)
                #expect(!moved.verifies(old: old, new: new))
            }
        }
    }

    @Test func `of up to 300 leaves proves every leaf, and nothing after a bit is changed`() throws
    {
        let tree = TiledTree(sample)
        var dice = Dice(seed: 6962)
        for size in 1...sample.leaves.count {
            for index in 0..<size {
                let proof = try #require(
                    InclusionProof(index: index, size: size, hash: sample.hash))
                if index % 29 == size % 29 {
                    #expect(try tree.inclusionProof(index: index, size: size) == proof)
                }
                let leaf = sample.leaves[index]
                let isRight = proof.verifies(leaf: leaf, root: roots[size])
                var isWrong = false
                let bit = dice.below(256)
                switch dice.below(4) {
                case 0: isWrong = proof.verifies(leaf: leaf.flipping(bit), root: roots[size])
                case 1: isWrong = proof.verifies(leaf: leaf, root: roots[size].flipping(bit))
                case 2:
                    let moved = InclusionProof(
                        index: index ^ 1 << dice.below(63), size: size, hashes: proof.hashes)
                    isWrong = moved.verifies(leaf: leaf, root: roots[size])
                default:
                    guard !proof.hashes.isEmpty else { break }
                    let at = dice.below(proof.hashes.count)
                    let changed = InclusionProof(
                        index: index, size: size, hashes: proof.hashes.flipping(bit, at: at))
                    isWrong = changed.verifies(leaf: leaf, root: roots[size])
                }
                if !isRight || isWrong { Issue.record("leaf \(index) of \(size)") }
            }
        }
    }

    @Test func `of up to 300 leaves proves every beginning, and nothing after a bit is changed`()
        throws
    {
        let tree = TiledTree(sample)
        var dice = Dice(seed: 9162)
        for to in 1...sample.leaves.count {
            for from in 0...to {
                let proof = try #require(ConsistencyProof(from: from, to: to, hash: sample.hash))
                if from % 29 == to % 29 {
                    #expect(try tree.consistencyProof(from: from, to: to) == proof)
                }
                let (old, new) = (roots[from], roots[to])
                let isRight = proof.verifies(old: old, new: new)
                var isWrong = false
                let bit = dice.below(256)
                switch dice.below(4) {
                case 0: isWrong = proof.verifies(old: old.flipping(bit), new: new)
                // From nothing, everything is a continuation.
                case 1: isWrong = from > 0 && proof.verifies(old: old, new: new.flipping(bit))
                case 2:
                    let moved = ConsistencyProof(
                        from: from ^ 1 << dice.below(63), to: to, hashes: proof.hashes)
                    isWrong = moved.verifies(old: old, new: new)
                default:
                    guard !proof.hashes.isEmpty else { break }
                    let at = dice.below(proof.hashes.count)
                    let changed = ConsistencyProof(
                        from: from, to: to, hashes: proof.hashes.flipping(bit, at: at))
                    isWrong = changed.verifies(old: old, new: new)
                }
                if !isRight || isWrong { Issue.record("from \(from) to \(to)") }
            }
        }
    }

    @Test func `makes no proof of what is outside of it`() throws {
        let tree = TiledTree(sample)
        #expect(try tree.inclusionProof(index: 5, size: 5) == nil)
        #expect(try tree.inclusionProof(index: -1, size: 5) == nil)
        #expect(try tree.consistencyProof(from: 6, to: 5) == nil)
        #expect(try tree.consistencyProof(from: -1, to: 5) == nil)
        #expect(try tree.root(size: -1) == nil)
    }

    @Test func `takes no sizes that no tree can have`() {
        let leaf = sample.leaves[0]
        for (index, size) in [(-1, 1), (Int.min, Int.max), (Int.max, Int.max), (0, -1), (0, 0)] {
            let proof = InclusionProof(index: index, size: size, hashes: [leaf])
            #expect(!proof.verifies(leaf: leaf, root: leaf))
        }
        for (from, to) in [(-1, 1), (Int.min, Int.max), (Int.max, 1), (1, -1)] {
            let proof = ConsistencyProof(from: from, to: to, hashes: [leaf])
            #expect(!proof.verifies(old: leaf, new: leaf))
        }
        #expect(!ConsistencyProof(from: 0, to: 0, hashes: []).verifies(old: leaf, new: leaf))
        #expect(ConsistencyProof(from: 0, to: 0, hashes: []).verifies(old: .empty, new: .empty))
    }
}

@Suite struct `Tiles` {
    /// Counts what is read of the leaves.
    private final class Counting: TreeHashes {
        let sample: SampleTree
        var reads: [Range<Int>] = []

        init(_ sample: SampleTree) {
            self.sample = sample
        }

        func hashes(level: Int, _ indexes: Range<Int>) -> [TreeHash] {
            if level == 0 { reads.append(indexes) }
            return sample.hashes(level: level, indexes)
        }
    }

    private struct Cut: TreeHashes {
        func hashes(level: Int, _ indexes: Range<Int>) -> [TreeHash] { [] }
    }

    @Test func `of 70,000 leaves give the proofs of the whole tree`() throws {
        let sample = SampleTree(70_000)
        let counting = Counting(sample)
        let tree = TiledTree(counting)
        var dice = Dice(seed: 8)
        for size in [65_535, 65_536, 65_537, 69_999, 70_000] {
            let root = TreeReference.root(sample.leaves[..<size])
            counting.reads = []
            #expect(try tree.root(size: size) == root)
            #expect(counting.reads.map(\.count).reduce(0, +) <= 255)
            for _ in 0..<8 {
                let index = dice.below(size)
                counting.reads = []
                let proof = try #require(try tree.inclusionProof(index: index, size: size))
                #expect(counting.reads.map(\.count).reduce(0, +) <= 256 + 255)
                #expect(proof.verifies(leaf: sample.leaves[index], root: root))
                counting.reads = []
                let from = dice.below(size) + 1
                let continuation = try #require(
                    try tree.consistencyProof(from: from, to: size))
                #expect(counting.reads.map(\.count).reduce(0, +) <= 256 + 255)
                let old = try #require(try tree.root(size: from))
                #expect(continuation.verifies(old: old, new: root))
            }
        }
    }

    @Test func `let a tree be continued where it was left`() throws {
        let sample = SampleTree(1_500)
        let tree = TiledTree(sample)
        for size in [0, 1, 255, 256, 257, 1_023, 1_024, 1_499] {
            var builder = try #require(try tree.builder(size: size))
            var stored = 0
            for leaf in sample.leaves[size...] {
                builder.append(leaf) { part, hash in
                    stored += 1
                    #expect(sample.stored[part] == hash)
                }
            }
            #expect(stored == 1_500 / 256 - size / 256)
            #expect(try tree.root(size: 1_500) == builder.root)
        }
    }

    @Test func `that are missing are said, not guessed`() {
        let tree = TiledTree(Cut())
        #expect(throws: TreeFault<Never>.self) { try tree.root(size: 3) }
        #expect(throws: TreeFault<Never>.self) { try tree.inclusionProof(index: 0, size: 300) }
    }
}

extension [TreeHash] {
    fileprivate func flipping(_ bit: Int, at index: Int) -> [TreeHash] {
        var changed = self
        changed[index] = changed[index].flipping(bit)
        return changed
    }
}
