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

/// The folded states as they are kept in `views.mdb`: each product's with the position it stands at.
///
/// A stored state is found only under the fingerprint of its fold and the journal's identity, so
/// nobody has to remember to invalidate it. A product whose fold changed is folded anew, and no other.
final class StoredState {
    private let journal: Journal
    private let registry: Registry
    private let views: ViewStore
    private let isReadOnly: Bool
    private let observation: Observation
    private let rebuilds: Rebuilds

    init(
        journal: Journal, registry: Registry, isReadOnly: Bool, rebuilds: Rebuilds = Rebuilds(),
        observation: Observation = .none
    ) throws(JournalError) {
        self.journal = journal
        self.rebuilds = rebuilds
        self.registry = registry
        self.isReadOnly = isReadOnly
        self.observation = observation
        views = try ViewStore(
            at: journal.path, access: isReadOnly ? .readOnly : .readWrite
        ) { observation.failed(.growViews, $0) }
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
                mark.fits(runtime, journal, snapshot, observation)
            else { return former }
            runtime.space.source = StoredRows(view, firstTable: firstTable(runtime))
            return mark.position
        }
    }

    /// What ``isSuperseded(since:)`` is asked with by whoever attaches now.
    var lastRebuild: Int { rebuilds.last }

    /// Whether the stored state was made again since it was attached.
    func isSuperseded(since attached: Int) -> Bool { rebuilds.count != attached }

    /// What became of a product's state that was to be stored.
    enum Saved {
        /// It is stored now.
        case written
        /// Another stored the same, as far or further.
        case isThere
        /// What is stored is of another fold, or of events that this state does not have: it keeps its changes.
        case left
    }

    /// Stores what changed since the runtimes were attached at `former`, behind the rebuild `attached`, in one
    /// transaction with the position.
    func save(
        _ runtimes: [any ProductRuntime], _ former: [Position], _ attached: Int,
        _ snapshot: JournalSnapshot, _ checkFaults: () throws -> Void
    ) throws -> [Saved] {
        try write(runtimes, snapshot, checkFaults) { index, standing, mark in
            if isSuperseded(since: attached) {
                throw EngineError(.busy, "the stored views were made again meanwhile")
            }
            guard let standing, standing.fits(runtimes[index], journal, snapshot, observation)
            else {
                // Rows that were never read are in what is stored alone.
                return former[index] == .zero ? .replace : .leave(.left)
            }
            return standing.position >= mark.position ? .leave(.isThere) : .update
        }
    }

    /// Stores a state that was folded from the first event on, in place of whatever is there.
    func replace(
        _ runtimes: [any ProductRuntime], _ snapshot: JournalSnapshot,
        _ checkFaults: () throws -> Void
    ) throws {
        _ = try rebuilds.rebuilding {
            try write(runtimes, snapshot, checkFaults) { _, _, _ in .replace }
        }
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
        for runtime in runtimes {
            runtime.folded.settle()
            runtime.space.withoutUndo { runtime.timers.settle() }
        }
        let saved = try views.write { views in
            var saved: [Saved] = []
            /// Those that replace what is stored, and those that add to it.
            var written: (fresh: [NumberedTable], standing: [NumberedTable]) = ([], [])
            for (index, runtime) in runtimes.enumerated() {
                let name = Mark.name(of: runtime)
                let tables = runtime.space.tables.map {
                    NumberedTable(number: firstTable(runtime) + $0.number, table: $0)
                }
                switch try plan(index, try views.meta(name).flatMap(Mark.init), marks[index]) {
                case .leave(let reason):
                    saved.append(reason)
                    continue
                case .update: written.standing += tables
                case .replace:
                    for table in tables { try views.clear(table: table.number) }
                    written.fresh += tables
                }
                try views.setMeta(name, marks[index].bytes)
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
        for (runtime, saved) in zip(runtimes, saved) where saved != .left {
            for table in runtime.space.tables { table.didStore() }
        }
        return saved
    }

    private typealias NumberedTable = (number: UInt16, table: any StoredTable)

    /// Forgets everything stored.
    func reset() throws {
        try views.reset()
    }

    private func firstTable(_ runtime: any ProductRuntime) -> UInt16 {
        registry.product(runtime.product)?.firstTable ?? 0
    }
}

/// Under what, and how far, a product's state is stored.
private struct Mark {
    let position: Position
    private let fingerprint: [UInt8]
    private let checksum: String

    private init(position: Position, fingerprint: [UInt8], checksum: String) {
        self.position = position
        self.fingerprint = fingerprint
        self.checksum = checksum
    }

    /// Those of states that stand at the snapshot's head.
    static func all(
        _ runtimes: [any ProductRuntime], _ journal: Journal, _ snapshot: JournalSnapshot
    ) throws -> [Mark] {
        let position = snapshot.head.position
        let checksum = try checksum(at: position, snapshot)
        return runtimes.map {
            Mark(
                position: position, fingerprint: fingerprint($0, journal), checksum: checksum)
        }
    }

    static func name(of runtime: any ProductRuntime) -> String { "state of \(runtime.product)" }

    init?(_ bytes: [UInt8]) {
        var reader = BinaryReader(bytes)
        position = Position(reader.varint())
        fingerprint = Array(reader.countedBytes())
        checksum = reader.countedText()
        if !reader.isComplete { return nil }
    }

    var bytes: [UInt8] {
        var writer = BinaryWriter()
        writer.varint(position.number)
        writer.counted(fingerprint)
        writer.counted(checksum)
        return writer.bytes
    }

    /// The same folds, the same journal, and the journal's own past up to here: an older copy of
    /// the journal, or another one in its place, is not what was folded.
    func fits(
        _ runtime: any ProductRuntime, _ journal: Journal, _ snapshot: JournalSnapshot,
        _ observation: Observation
    ) -> Bool {
        guard position <= snapshot.head.position,
            fingerprint == Self.fingerprint(runtime, journal)
        else { return false }
        return checksum
            == observation.attempt(.openViews) { try Self.checksum(at: position, snapshot) }
    }

    private static func fingerprint(_ runtime: any ProductRuntime, _ journal: Journal) -> [UInt8] {
        SHA256Digest.of(Array(journal.identity.utf8) + runtime.fingerprint)
    }

    /// The checksum of the frame that holds the position.
    private static func checksum(at position: Position, _ snapshot: JournalSnapshot) throws
        -> String
    {
        guard position > .zero else { return "" }
        var found = ""
        try snapshot.forEachFrame(from: position, through: position) { frame in
            guard frame.eventCount > 0 else { return true }
            found = "\(frame.mark)"
            return false
        }
        return found
    }
}

/// The rows of one product in a snapshot of the stored views.
private final class StoredRows: RowSource {
    private let view: ViewSnapshot
    private let firstTable: UInt16

    init(_ view: ViewSnapshot, firstTable: UInt16) {
        self.view = view
        self.firstTable = firstTable
    }

    func row(table: UInt16, key: [UInt8]) throws -> [UInt8]? {
        try view.get(table: firstTable + table, key: key)
    }

    func scan(
        table: UInt16, from first: [UInt8], _ body: (ArraySlice<UInt8>, [UInt8]) -> Bool
    ) throws {
        try view.scan(table: firstTable + table, from: first) { key, row in body(key[...], row) }
    }
}
