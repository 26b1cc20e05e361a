import EventLog
import Core
import Folding
import Synchronization

/// Tells who stands on a stored state that it was made again, so that they take up the new one.
final class Rebuilds: Sendable {
    /// Counted up before and behind each: odd while one goes on.
    private let number = Atomic<Int>(0)

    /// What holds until the next one begins.
    var last: Int { count & ~1 }

    var count: Int { number.load(ordering: .sequentiallyConsistent) }

    func rebuilding<R>(_ body: () throws -> R) rethrows -> R {
        number.wrappingAdd(1, ordering: .sequentiallyConsistent)
        defer { number.wrappingAdd(1, ordering: .sequentiallyConsistent) }
        return try body()
    }
}

/// Another program stored a later state meanwhile: what is stored never goes back, since others stand on it.
struct StoredFurther: Error {}

/// The folded states as they are kept in `views.mdb`: each product's with the position it stands at.
///
/// A stored state is found only under the fingerprint of its fold and the journal's identity, so
/// nobody has to remember to invalidate it. A product whose fold changed is folded anew, and no other.
final class StoredState {
    let journal: Journal
    private let registry: Registry
    let views: ViewStore
    let isReadOnly: Bool
    private let observation: Observation
    let rebuilds: Rebuilds

    init(
        journal: Journal, registry: Registry, isReadOnly: Bool, in views: ViewStore? = nil,
        rebuilds: Rebuilds = Rebuilds(), observation: Observation = .none
    ) throws(JournalError) {
        self.journal = journal
        self.rebuilds = rebuilds
        self.registry = registry
        self.isReadOnly = isReadOnly
        self.observation = observation
        if let views {
            self.views = views
        } else {
            self.views = try ViewStore(
                at: journal.path, access: isReadOnly ? .readOnly : .readWrite
            ) { observation.failed(.growViews, $0) }
        }
    }

    /// Lets the runtimes read their rows from what is stored now; gives the position of that for each of them.
    ///
    /// Without a usable stored state a runtime goes on reading what it read before, from where `former` says: the
    /// beginning, for a fresh one.
    func attach(
        _ runtimes: [any ProductRuntime], _ former: [Position], _ snapshot: JournalSnapshot
    ) throws -> [Position] {
        let view = try views.snapshot()
        return try zip(runtimes, former).map { runtime, former in
            guard let mark = try view.meta(Mark.name(of: runtime)).flatMap(Mark.init),
                mark.position >= former, mark.fits(runtime, journal, snapshot, observation)
            else { return former }
            runtime.space.source = StoredRows(view, firstTable: firstTable(runtime, in: mark.set))
            runtime.space.newestStoredSymbol = snapshot.head.symbolCount
            return mark.position
        }
    }

    /// The products among these of which a state is stored that is further than the snapshot's head.
    func furtherStored(
        than snapshot: JournalSnapshot, _ runtimes: [any ProductRuntime]
    ) throws -> [String] {
        let view = try views.snapshot()
        return try zip(runtimes, Mark.all(runtimes, journal, snapshot)).filter { runtime, mark in
            mark.isBehind(try view.meta(Mark.name(of: runtime)).flatMap(Mark.init))
        }.map(\.0.product)
    }

    /// What ``isSuperseded(since:)`` is asked with by whoever attaches now.
    var lastRebuild: Int { rebuilds.last }

    /// Whether the stored state was made again since it was attached.
    func isSuperseded(since attached: Int) -> Bool { rebuilds.count != attached }

    /// What became of a product's state that was to be stored.
    enum Saved {
        /// It is stored now.
        case written
        /// Another stored the same.
        case isThere
        /// What is stored is of another fold, or of events that this state does not have: it keeps its changes.
        case left
        /// What is stored is later than what this state's rows come from: rows that follow from others, such as ranks, were
        /// settled in between, so that its changes do not go with it.
        case overtaken
    }

    /// Stores what changed since the runtimes were attached at `former`, behind the rebuild `attached`, in one
    /// transaction with the position.
    func save(
        _ runtimes: [any ProductRuntime], _ former: [Position], _ attached: Int,
        _ snapshot: JournalSnapshot, _ checkFaults: () throws -> Void
    ) throws -> [Saved] {
        if isReadOnly { return try overtaken(runtimes, former, snapshot) }
        return try write(runtimes, snapshot, checkFaults) { index, standing, mark in
            if isSuperseded(since: attached) {
                throw EngineError(.busy, "the stored views were made again meanwhile")
            }
            guard let standing, standing.fits(runtimes[index], journal, snapshot, observation)
            else {
                // Rows that were never read are in what is stored alone.
                guard former[index] == .zero else { return .leave(.left) }
                // What is further does not fit the snapshot, which may be older than it; what lies beyond the journal is of another.
                let isOlder =
                    try mark.isBehind(standing) && journal.snapshot().head.position > mark.position
                return isOlder ? .leave(.left) : .replace
            }
            if standing.position >= mark.position { return .leave(.isThere) }
            // What changed in between is in what the rows came from, and not in memory.
            if standing.position < former[index] { return .leave(.left) }
            if standing.position == former[index] { return .update }
            // All of its rows are in memory.
            return former[index] == .zero ? .replace : .leave(.overtaken)
        }
    }

    /// Stores a state that was folded from the first event on, in place of whatever is there.
    /// - Throws: `StoredFurther`, unless it is the state at the newest head.
    func replace(
        _ runtimes: [any ProductRuntime], _ snapshot: JournalSnapshot, isNewest: Bool,
        _ checkFaults: () throws -> Void
    ) throws {
        try rebuilds.rebuilding {
            _ = try write(runtimes, snapshot, checkFaults) { _, standing, mark in
                try require(isNewest || !mark.isBehind(standing))
                return .replace
            }
            for runtime in runtimes { runtime.didStore() }
        }
    }

    func require(_ isFurthest: Bool) throws(StoredFurther) {
        guard isFurthest else { throw StoredFurther() }
    }

    private enum Plan {
        case update, replace
        case leave(Saved)
    }

    private func write(
        _ runtimes: [any ProductRuntime], _ snapshot: JournalSnapshot,
        _ checkFaults: () throws -> Void,
        _ plan: (_ index: Int, _ standing: Mark?, _ mark: Mark) throws -> Plan
    ) throws -> [Saved] {
        guard !isReadOnly else { return runtimes.map { _ in .left } }
        let marks = try Mark.all(runtimes, journal, snapshot)
        for runtime in runtimes { runtime.settle() }
        let saved = try views.write { views in
            var saved: [Saved] = []
            /// Those that replace what is stored, and those that add to it.
            var written: (fresh: [NumberedTable], standing: [NumberedTable]) = ([], [])
            for (index, runtime) in runtimes.enumerated() {
                let name = Mark.name(of: runtime)
                let standing = try views.meta(name).flatMap(Mark.init)
                let set = standing?.set ?? .first
                let tables = numberedTables(runtime, in: set)
                switch try plan(index, standing, marks[index]) {
                case .leave(let reason):
                    saved.append(reason)
                    continue
                case .update: written.standing += tables
                case .replace:
                    try empty(set, of: runtime, in: &views)
                    written.fresh += tables
                }
                try views.setMeta(name, marks[index].bytes(set))
                saved.append(.written)
            }
            // What was cleared holds nothing to remove.
            for (tables, removals) in [(written.fresh, false), (written.standing, true)] {
                try RowEncoding(tables, removals: removals).forEach {
                    try views.put(table: $0, $1)
                }
            }
            // A key that could not be read sealed nothing: such rows would read null for good.
            try checkFaults()
            return saved
        }
        return saved
    }

    /// Who only reads learns of what others store, and goes on from it.
    private func overtaken(
        _ runtimes: [any ProductRuntime], _ former: [Position], _ snapshot: JournalSnapshot
    ) throws -> [Saved] {
        let view = try views.snapshot()
        return try zip(runtimes, former).map { runtime, former in
            let standing = try view.meta(Mark.name(of: runtime)).flatMap(Mark.init)
            guard let standing, standing.position > former,
                standing.fits(runtime, journal, snapshot, observation)
            else { return .left }
            return .overtaken
        }
    }

    /// Forgets everything stored.
    func reset() throws {
        try views.reset()
    }

    // MARK: Tables

    typealias NumberedTable = (number: UInt16, table: any StoredTable)

    func numberedTables(
        _ runtime: any ProductRuntime, in set: TableSet
    ) -> [NumberedTable] {
        let first = firstTable(runtime, in: set)
        return runtime.space.tables.map { (number: first + $0.number, table: $0) }
    }

    func empty(
        _ set: TableSet, of runtime: any ProductRuntime, in views: inout ViewTransaction
    ) throws {
        for table in numberedTables(runtime, in: set) { try views.clear(table: table.number) }
    }

    func firstTable(_ runtime: any ProductRuntime, in set: TableSet) -> UInt16 {
        (registry.product(runtime.product)?.firstTable ?? 0) + set.firstTable
    }
}
