import Dispatch
import EventLog
import Core
import Proofs
import Synchronization

/// Keeps the tree of a journal near its head, on a thread of its own, while others append: no commit
/// waits for it, and the next reader of a tree that is behind waits a moment.
final class TreeKeeper: Sendable {
    /// How many leaves are hashed in one step.
    private static let stepLeaves = 8192
    /// Appends that outrun the tree help to grow it.
    private static let urgentLeaves = 16 * stepLeaves

    private let journal: Journal
    private let isBusy = Atomic<Bool>(false)
    /// Much is missing, and is being hashed: no append helps.
    private let isGrowing = Atomic<Bool>(false)
    /// The size that is stored, as far as this process knows.
    private let known = Atomic<Int>(0)
    private let isStopped = Atomic<Bool>(false)
    private let background = DispatchGroup()
    private let registry: Registry
    private let observation: Observation

    init(_ journal: Journal, _ registry: Registry, _ observation: Observation = .none) {
        self.journal = journal
        self.registry = registry
        self.observation = observation
    }

    private static let queue = DispatchQueue(
        label: "sijill.tree", qos: .utility, attributes: .concurrent)

    /// The journal stands at `head` now. A failure is reported, and left to the next reader of the tree: what it hangs on
    /// is the events, which are durable.
    func follow(_ head: Position) {
        let missing = Int(head.number) - known.load(ordering: .relaxed)
        guard missing >= Self.stepLeaves, !isGrowing.load(ordering: .relaxed) else { return }
        if missing >= Self.urgentLeaves {
            tryExtending()
            return
        }
        guard !isBusy.exchange(true, ordering: .acquiringAndReleasing) else { return }
        Self.queue.async(group: background) { [self] in
            defer { isBusy.store(false, ordering: .releasing) }
            tryExtending()
        }
    }

    /// Begins to hash what is missing, however much it is.
    func grow(_ head: Position) {
        guard Int(head.number) - known.load(ordering: .relaxed) >= Self.stepLeaves,
            !isGrowing.exchange(true, ordering: .acquiringAndReleasing)
        else { return }
        Self.queue.async(group: background) { [self] in
            defer { isGrowing.store(false, ordering: .releasing) }
            tryExtending()
        }
    }

    private func tryExtending() {
        _ = observation.attempt(.extendTree) {
            while !isStopped.load(ordering: .relaxed), try step() {}
        }
    }

    /// No further step begins beside the callers; `done` is called once none is under way.
    func stop(_ done: @escaping @Sendable () -> Void = {}) {
        isStopped.store(true, ordering: .sequentiallyConsistent)
        background.notify(queue: Self.queue, execute: done)
    }

    /// Hashes all events that are not in the tree yet, but for the last few.
    func extend() throws {
        while try step() {}
    }

    /// What takes long is made ready in a read transaction.
    private func step() throws -> Bool {
        let snapshot = try journal.snapshot()
        let size = Int(try snapshot.treeSize())
        known.store(size, ordering: .relaxed)
        let head = Int(snapshot.head.position.number)
        let end = min(size + Self.stepLeaves, head) & ~(Tile.width - 1)
        guard end > size else { return false }
        let tree = try JournalTree(journal, registry, snapshot)
        guard var builder = try TiledTree(tree).builder(size: size) else { return false }
        var entries: [TreeEntry] = []
        for leaf in try tree.hashes(level: 0, size..<end) {
            builder.append(leaf) { part, hash in
                entries.append(
                    TreeEntry(
                        level: UInt8(part.level), index: UInt64(part.index), hash: hash.bytes))
            }
        }
        // Where nothing can be written, or somebody else was quicker, that is all.
        return try journal.extendTree(from: UInt64(size), entries)
    }
}
