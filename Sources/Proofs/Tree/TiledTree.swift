/// Where the hashes of a tree are kept: at level 0 the leaves', at levels 8, 16, 24 … those of
/// complete subtrees of 256, 65,536, 16,777,216 … leaves. 32 bytes for 256 leaves are an eighth
/// of a byte a leaf; leaf hashes need not be stored if the leaves can be read again.
package protocol TreeHashes<Failure> {
    associatedtype Failure: Error

    /// The hashes of the subtrees of `level` (0, 8, 16, 24 …) with these indexes, in order, as many
    /// as indexes. Only complete subtrees of the tree are asked for, never more than 256 at once.
    func hashes(level: Int, _ indexes: Range<Int>) throws(Failure) -> [TreeHash]
}

/// How a tree is cut into tiles.
package enum Tile {
    /// Levels between those that are stored.
    package static let height = 8
    /// Hashes of a full tile.
    package static let width = 1 << height
}

/// A tree whose hashes are kept at every eighth level, read a tile at a time: the at most 256
/// hashes below a stored one. A root reads the hashes of at most 255 leaves, an inclusion proof or a
/// consistency proof those of one tile of 256 more.
package struct TiledTree<Hashes: TreeHashes> {
    private let hashes: Hashes

    package init(_ hashes: Hashes) {
        self.hashes = hashes
    }

    /// The root of the first `size` leaves; nil for a negative size.
    package func root(size: Int) throws(TreeFault<Hashes.Failure>) -> TreeHash? {
        try builder(size: size)?.root
    }

    /// The tree of the first `size` leaves, to be continued; nil for a negative size.
    package func builder(size: Int) throws(TreeFault<Hashes.Failure>) -> TreeBuilder? {
        guard size >= 0 else { return nil }
        var reader = TileReader(hashes, size: size)
        var roots: [TreeHash] = []
        for part in Subtree.covering(size) { roots.append(try reader.hash(part)) }
        return TreeBuilder(size: size, roots: roots)
    }

    /// Proves that the leaf is in the tree of the first `size` leaves; nil unless 0 ≤ index < size.
    package func inclusionProof(
        index: Int, size: Int
    ) throws(TreeFault<Hashes.Failure>) -> InclusionProof? {
        var reader = TileReader(hashes, size: size)
        return try InclusionProof(index: index, size: size) {
            (part) throws(TreeFault<Hashes.Failure>) in try reader.hash(part)
        }
    }

    /// Proves that the first `from` leaves are the beginning of the first `to`; nil unless
    /// 0 ≤ from ≤ to.
    package func consistencyProof(
        from: Int, to: Int
    ) throws(TreeFault<Hashes.Failure>) -> ConsistencyProof? {
        var reader = TileReader(hashes, size: to)
        return try ConsistencyProof(from: from, to: to) {
            (part) throws(TreeFault<Hashes.Failure>) in try reader.hash(part)
        }
    }
}

extension TiledTree: Sendable where Hashes: Sendable {}

/// Why a tree could not be read.
package enum TreeFault<Failure: Error>: Error {
    /// The storage failed.
    case storage(Failure)
    /// The storage gave fewer or more hashes than it was asked for.
    case incomplete(level: Int, Range<Int>)
}

/// Reads each tile once and combines what lies between the stored levels.
private struct TileReader<Hashes: TreeHashes> {
    private let hashes: Hashes
    private let size: Int
    /// What was read: the hashes of `level` below the stored hash `index` of `level + 8`.
    private var tiles: [Subtree: [TreeHash]] = [:]

    init(_ hashes: Hashes, size: Int) {
        self.hashes = hashes
        self.size = size
    }

    /// The hash of a complete subtree of the tree.
    mutating func hash(_ part: Subtree) throws(TreeFault<Hashes.Failure>) -> TreeHash {
        let above = part.level % Tile.height
        let level = part.level - above
        let first = part.index << above
        let tile = try tile(Subtree(level: level, index: first >> Tile.height))
        let start = first % Tile.width
        guard start + (1 << above) <= tile.count else {
            throw .incomplete(level: level, first..<first + (1 << above))
        }
        var row = Array(tile[start..<start + (1 << above)])
        while row.count > 1 {
            row = stride(from: 0, to: row.count, by: 2).map {
                TreeHash.node(row[$0], row[$0 + 1])
            }
        }
        return row[0]
    }

    private mutating func tile(
        _ tile: Subtree
    ) throws(TreeFault<Hashes.Failure>) -> [TreeHash] {
        if let known = tiles[tile] { return known }
        let start = tile.index << Tile.height
        let indexes = start..<min(start + Tile.width, size >> tile.level)
        let read: [TreeHash]
        do throws(Hashes.Failure) {
            read = try hashes.hashes(level: tile.level, indexes)
        } catch {
            throw .storage(error)
        }
        guard read.count == indexes.count else {
            throw .incomplete(level: tile.level, indexes)
        }
        tiles[tile] = read
        return read
    }
}
