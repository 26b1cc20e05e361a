import EventLog
import Core
import Proofs
import Synchronization

/// Makes the tree anew of all events, on every core, and compares it with what is kept and signed.
struct TreeCheck {
    private let journal: Journal
    private let registry: Registry
    let size: Int
    /// Of level 8, as far as they are complete.
    private let hashes: [TreeHash]

    init(_ journal: Journal, _ registry: Registry, _ progress: (Progress) throws -> Void) throws {
        let size = Int(try journal.head().position.number)
        let work = LeafWork(journal, registry, size)
        _ = try concurrently(work.others) { work.run(progress) }
        self.init(journal, registry, size, try work.hashes())
    }

    private init(_ journal: Journal, _ registry: Registry, _ size: Int, _ hashes: [TreeHash]) {
        self.journal = journal
        self.registry = registry
        self.size = size
        self.hashes = hashes
    }

    /// The check, begun on the other cores while this thread does what says whether it is wanted; nil if not.
    static func begun<R>(
        _ journal: Journal, _ registry: Registry, _ progress: (Progress) throws -> Void,
        while body: () throws -> R, isWanted: (R) -> Bool
    ) throws -> (R, TreeCheck?) {
        let size = Int(try journal.head().position.number)
        let work = LeafWork(journal, registry, size)
        let result = try concurrently(work.others) {
            defer { work.stop() }
            let result = try body()
            if isWanted(result) { work.run(progress) }
            return result
        }.body
        guard isWanted(result) else { return (result, nil) }
        return (result, TreeCheck(journal, registry, size, try work.hashes()))
    }

    /// The root of the first `size` events.
    func root(size: Int) throws -> TreeHash {
        let source = Source(
            hashes: hashes, leaves: try LeafMaker(journal, registry, journal.snapshot()))
        do {
            guard let root = try TiledTree(source).root(size: size) else {
                throw EngineError(.wrongUse, "there is no tree of \(size) events")
            }
            return root
        } catch let fault as TreeFault<any Error> {
            guard case .storage(let error) = fault else {
                throw JournalError.damaged("the tree has a gap")
            }
            throw error
        }
    }

    /// The first of the hashes that the journal keeps that is not what its events give, as a finding.
    func difference() throws -> Finding? {
        let snapshot = try journal.snapshot()
        let (kept, end) = (Int(try snapshot.treeSize()), Int(snapshot.head.position.number))
        guard kept <= end else {
            return Finding("tree: it has \(kept) leaves, the journal \(end)")
        }
        // What came since is for the next check.
        let stored = min(kept, size & ~(Tile.width - 1))
        let source = Source(hashes: hashes, leaves: nil)
        var level = Tile.height
        while stored >> level > 0 {
            var start = 0
            while start < stored >> level {
                let indexes = start..<min(start + Tile.width, stored >> level)
                let kept = try snapshot.treeHashes(
                    level: UInt8(level), UInt64(indexes.lowerBound)..<UInt64(indexes.upperBound))
                let made = try source.hashes(level: level, indexes)
                if kept != Array(made.map(\.bytes).joined()) {
                    let first = indexes.lowerBound << level + 1
                    return Finding(
                        "tree: a hash that is kept is not what the events from position \(first) on give",
                        advice: .rebuildTree)
                }
                start = indexes.upperBound
            }
            level += Tile.height
        }
        return nil
    }

    private struct Source: TreeHashes {
        typealias Failure = any Error

        /// Of level 8.
        let hashes: [TreeHash]
        let leaves: LeafMaker?

        func hashes(level: Int, _ indexes: Range<Int>) throws -> [TreeHash] {
            if level == 0 { return try leaves?.hashes(indexes) ?? [] }
            let span = 1 << (level - Tile.height)
            return indexes.map { index in
                var builder = TreeBuilder()
                for hash in hashes[index * span..<(index + 1) * span] { builder.append(hash) }
                return builder.root
            }
        }
    }
}

/// The hashes of level 8, made by threads that share out the events.
private final class LeafWork: Sendable {
    /// Leaves that a thread takes at a time: whole subtrees of level 8, several blocks of events.
    private static let chunk = 32 * Tile.width

    private let journal: Journal
    private let registry: Registry
    private let size: Int
    private let next = Atomic<Int>(0)
    private let parts: Mutex<[[TreeHash]]>
    private let failure = Mutex<(any Error)?>(nil)

    init(_ journal: Journal, _ registry: Registry, _ size: Int) {
        self.journal = journal
        self.registry = registry
        self.size = size & ~(Tile.width - 1)
        parts = Mutex(Array(repeating: [], count: (self.size + Self.chunk - 1) / Self.chunk))
    }

    /// What the threads of the other cores do.
    var others: [@Sendable () -> Void] {
        Array(repeating: { self.run { _ in } }, count: Processors.count - 1)
    }

    /// Nobody takes another part.
    func stop() { next.store(size / Self.chunk + 1, ordering: .relaxed) }

    /// Takes one part after the other until none is left.
    func run(_ progress: (Progress) throws -> Void) {
        do {
            let leaves = try LeafMaker(journal, registry, journal.snapshot())
            while failure.withLock({ $0 == nil }) {
                let part = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard part * Self.chunk < size else { return }
                let end = min((part + 1) * Self.chunk, size)
                var builder = TreeBuilder()
                var made: [TreeHash] = []
                for leaf in try leaves.hashes(part * Self.chunk..<end) {
                    builder.append(leaf) { subtree, hash in
                        if subtree.level == Tile.height { made.append(hash) }
                    }
                }
                let hashes = made
                parts.withLock { $0[part] = hashes }
                try progress(
                    Progress(done: UInt64(end), total: UInt64(size), what: "hashing the tree"))
            }
        } catch {
            failure.withLock { $0 = $0 ?? error }
        }
    }

    func hashes() throws -> [TreeHash] {
        if let error = failure.withLock({ $0 }) { throw error }
        return parts.withLock { Array($0.joined()) }
    }
}
