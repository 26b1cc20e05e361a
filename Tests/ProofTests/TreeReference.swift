import Proofs

/// The tree as RFC 6962 §2.1 defines it, by recursion and slowly: what the others are held against.
enum TreeReference {
    static func root(_ leaves: ArraySlice<TreeHash>) -> TreeHash {
        guard let first = leaves.first else { return .empty }
        guard leaves.count > 1 else { return first }
        let split = leaves.startIndex + split(leaves.count)
        return .node(root(leaves[..<split]), root(leaves[split...]))
    }

    /// PATH(m, D[n]) of §2.1.1.
    static func path(_ index: Int, _ leaves: ArraySlice<TreeHash>) -> [TreeHash] {
        guard leaves.count > 1 else { return [] }
        let split = leaves.startIndex + split(leaves.count)
        return leaves.startIndex + index < split
            ? path(index, leaves[..<split]) + [root(leaves[split...])]
            : path(leaves.startIndex + index - split, leaves[split...]) + [root(leaves[..<split])]
    }

    /// SUBPROOF(m, D[n], b) of §2.1.2.
    static func subproof(
        _ size: Int, _ leaves: ArraySlice<TreeHash>, isWhole: Bool = true
    ) -> [TreeHash] {
        guard size < leaves.count else { return isWhole ? [] : [root(leaves)] }
        let width = split(leaves.count)
        let split = leaves.startIndex + width
        return size <= width
            ? subproof(size, leaves[..<split], isWhole: isWhole) + [root(leaves[split...])]
            : subproof(size - width, leaves[split...], isWhole: false) + [root(leaves[..<split])]
    }

    private static func split(_ count: Int) -> Int {
        var width = 1
        while width * 2 < count { width *= 2 }
        return width
    }
}

/// Leaves with different data, and the hashes of a tree of them as they would be stored.
struct SampleTree: TreeHashes {
    let leaves: [TreeHash]
    /// At levels 8, 16 …
    private(set) var stored: [Subtree: TreeHash] = [:]
    /// Of all complete subtrees, by level.
    private var rows: [[TreeHash]]

    init(_ count: Int) {
        leaves = (0..<count).map { TreeHash.leaf(Array("leaf \($0)".utf8)) }
        rows = [leaves]
        while let row = rows.last, row.count > 1 {
            rows.append(
                stride(from: 0, to: row.count - 1, by: 2).map {
                    TreeHash.node(row[$0], row[$0 + 1])
                })
        }
        var builder = TreeBuilder()
        for leaf in leaves {
            builder.append(leaf) { part, hash in stored[part] = hash }
        }
    }

    func hash(_ part: Subtree) -> TreeHash { rows[part.level][part.index] }

    func hashes(level: Int, _ indexes: Range<Int>) -> [TreeHash] {
        level == 0
            ? Array(leaves[indexes])
            : indexes.compactMap { stored[Subtree(level: level, index: $0)] }
    }
}

extension TreeHash {
    /// With one of its 256 bits turned.
    func flipping(_ bit: Int) -> TreeHash {
        var bytes = bytes
        bytes[bit / 8] ^= 1 << (bit % 8)
        return TreeHash(bytes) ?? .empty
    }

    init?(hex: String) {
        let digits = Array(hex.utf8)
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count - 1, by: 2) {
            let pair = String(decoding: digits[index...index + 1], as: UTF8.self)
            guard let byte = UInt8(pair, radix: 16) else { return nil }
            bytes.append(byte)
        }
        self.init(bytes)
    }

    var hex: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// SplitMix64, so that every run changes the same bits.
struct Dice {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
