import EventLog
import Core
import Proofs

/// A checkpoint that is kept beside the journal.
public struct KeptCheckpoint: Sendable {
    /// How many events it covers.
    public let size: UInt64
    /// The name of the log.
    public let origin: String
    /// The root of the tree, in base 64.
    public let root: String
    /// The signed note.
    public let bytes: [UInt8]

    init(_ signed: SignedCheckpoint) {
        size = UInt64(signed.checkpoint.size)
        origin = signed.checkpoint.origin
        root = signed.checkpoint.root.base64
        bytes = signed.bytes
    }
}

/// What C2SP tlog-tiles asks of a log.
extension EventEngine {
    /// Begins to hash the events that the journal's tree lacks, beside everything else: a journal that was filled by
    /// copying has none of it, and whoever asks for a proof waits for all of it. Writes nothing where the engine only reads.
    public func growTree() throws(EngineError) {
        guard !isReadOnly else { return }
        tree.grow(try head())
    }

    /// The checkpoints that are kept and not beyond the journal's end, the smallest first.
    public func keptCheckpoints() throws(EngineError) -> [KeptCheckpoint] {
        try whileOpen {
            let head = try journal.snapshot().head.position.number
            return try CheckpointStore(journal).all().map(\.checkpoint).filter {
                UInt64($0.checkpoint.size) <= head
            }.map { KeptCheckpoint($0) }
        }
    }

    /// The first `width` hashes, of 256, of a tile; level 0 has those of leaves, level 1 those of 256 leaves each.
    ///
    /// Nil where the newest kept checkpoint does not cover all of them: what nobody signed is not given out.
    public func tile(level: Int, index: Int, width: Int) throws(EngineError) -> [UInt8]? {
        try whileOpen {
            let snapshot = try journal.snapshot()
            guard let part = try signedPart(level, index, width, snapshot) else { return nil }
            let tree = try JournalTree(journal, registry, snapshot)
            return try tree.hashes(level: level * Tile.height, part).flatMap(\.bytes)
        }
    }

    /// The leaves below the first `width` hashes of a tile of level 0; nil as for ``tile(level:index:width:)``.
    public func leaves(ofTile index: Int, width: Int) throws(EngineError) -> [[UInt8]]? {
        try whileOpen {
            let snapshot = try journal.snapshot()
            guard let part = try signedPart(0, index, width, snapshot) else { return nil }
            return try LeafMaker(journal, registry, snapshot).leaves(part)
        }
    }

    /// The indexes of a tile's hashes, if a kept checkpoint covers them.
    private func signedPart(
        _ level: Int, _ index: Int, _ width: Int, _ snapshot: JournalSnapshot
    ) throws -> Range<Int>? {
        guard (0..<8).contains(level), (1...Tile.width).contains(width),
            (0..<1 << 50).contains(index)
        else { return nil }
        let head = Int(snapshot.head.position.number)
        let size =
            try CheckpointStore(journal).all().map(\.checkpoint.checkpoint.size)
            .last { $0 <= head } ?? 0
        let first = index << Tile.height
        guard first + width <= size >> (level * Tile.height) else { return nil }
        return first..<first + width
    }
}
