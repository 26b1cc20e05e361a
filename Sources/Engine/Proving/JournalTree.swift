import EventLog
import Core
import Proofs

/// The tree over all events of a snapshot (RFC 6962). What the journal keeps of it is read; what it does
/// not keep yet is made of the events and remembered. For one thread at a time.
final class JournalTree: TreeHashes {
    typealias Failure = any Error

    /// How many events there are.
    let size: Int
    private let snapshot: JournalSnapshot
    private let leaves: LeafMaker
    /// Of the hashes that the journal keeps.
    private let storedSize: Int
    private var made: [Subtree: TreeHash] = [:]

    init(_ journal: Journal, _ registry: Registry, _ snapshot: JournalSnapshot) throws {
        self.snapshot = snapshot
        size = Int(snapshot.head.position.number)
        leaves = try LeafMaker(journal, registry, snapshot)
        storedSize = min(Int(try snapshot.treeSize()), size)
    }

    func hashes(level: Int, _ indexes: Range<Int>) throws -> [TreeHash] {
        guard level > 0 else { return try leaves.hashes(indexes) }
        let kept = max(indexes.lowerBound, min(indexes.upperBound, storedSize >> level))
        let bytes = try snapshot.treeHashes(
            level: UInt8(level), UInt64(indexes.lowerBound)..<UInt64(kept))
        var hashes = stride(from: 0, to: bytes.count, by: TreeHash.byteCount).compactMap {
            TreeHash(bytes[$0..<min($0 + TreeHash.byteCount, bytes.count)])
        }
        guard hashes.count == kept - indexes.lowerBound else {
            throw JournalError.damaged("hashes of the tree are missing at level \(level)")
        }
        for index in kept..<indexes.upperBound {
            hashes.append(try hash(Subtree(level: level, index: index)))
        }
        return hashes
    }

    private func hash(_ part: Subtree) throws -> TreeHash {
        if let hash = made[part] { return hash }
        let below = part.index << Tile.height..<(part.index + 1) << Tile.height
        var builder = TreeBuilder()
        for hash in try hashes(level: part.level - Tile.height, below) { builder.append(hash) }
        made[part] = builder.root
        return builder.root
    }

    // MARK: Asking

    func root(size: Int) throws -> TreeHash {
        try storage { try TiledTree(self).root(size: size) }
    }

    func inclusionProof(index: Int, size: Int) throws -> InclusionProof {
        try storage { try TiledTree(self).inclusionProof(index: index, size: size) }
    }

    func consistencyProof(from: Int, to: Int) throws -> ConsistencyProof {
        try storage { try TiledTree(self).consistencyProof(from: from, to: to) }
    }

    func leaf(at position: Position) throws -> [UInt8]? { try leaves.leaf(at: position) }

    /// The callers keep to the tree's size: nil would be a defect.
    private func storage<R>(_ body: () throws -> R?) throws -> R {
        do {
            guard let result = try body() else {
                throw EngineError(.wrongUse, "the journal has \(size) events")
            }
            return result
        } catch let fault as TreeFault<any Error> {
            switch fault {
            case .storage(let error): throw error
            case .incomplete(let level, _):
                throw JournalError.damaged("hashes of the tree are missing at level \(level)")
            }
        }
    }
}
