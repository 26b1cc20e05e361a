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

/// The folded states as they are kept in `views.mdb`, each with the position it stands at.
///
/// A stored state is found only under the fingerprint of its fold and the journal's identity, so
/// nobody has to remember to invalidate it.
final class StoredState {
    private let journal: Journal
    private let registry: Registry
    private let views: ViewStore
    private let isReadOnly: Bool
    private let observation: Observation
    private let rebuilds: Rebuilds
    /// What ``Rebuilds/last`` was when the state was attached.
    private var attached = 0

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

    /// Lets the runtimes read their rows from what is stored now; gives the position of that.
    ///
    /// Without a usable stored state the runtimes stand at the beginning.
    func attach(_ runtimes: [any ProductRuntime], _ snapshot: JournalSnapshot) throws -> Position {
        attached = rebuilds.last
        let view = try views.snapshot()
        guard let mark = try view.meta(Mark.name).flatMap(Mark.init),
            mark.fits(runtimes, journal, snapshot, observation)
        else {
            for runtime in runtimes { runtime.space.source = nil }
            return .zero
        }
        for runtime in runtimes {
            runtime.space.source = StoredRows(view, firstTable: firstTable(runtime))
        }
        return mark.position
    }

    /// Whether the stored state was made again since it was attached.
    var isSuperseded: Bool { rebuilds.count != attached }

    /// Stores what changed since the runtimes were attached, in one transaction with the position; false where
    /// there was nothing to store.
    func save(
        _ runtimes: [any ProductRuntime], _ snapshot: JournalSnapshot,
        _ checkFaults: () throws -> Void
    ) throws -> Bool {
        try write(runtimes, snapshot, checkFaults) { standing, mark in
            if isSuperseded {
                throw EngineError(.busy, "the stored views were made again meanwhile")
            }
            guard let standing, standing.fits(runtimes, journal, snapshot, observation)
            else { return .replace }
            // Another process stored as far or further: what it stored is the same.
            return standing.position >= mark.position ? .leave : .update
        }
    }

    /// Stores a state that was folded from the first event on, in place of whatever is there.
    func replace(
        _ runtimes: [any ProductRuntime], _ snapshot: JournalSnapshot,
        _ checkFaults: () throws -> Void
    ) throws {
        _ = try rebuilds.rebuilding {
            try write(runtimes, snapshot, checkFaults) { _, _ in .replace }
        }
    }

    private enum Plan {
        case leave, update, replace
    }

    private func write(
        _ runtimes: [any ProductRuntime], _ snapshot: JournalSnapshot,
        _ checkFaults: () throws -> Void,
        _ plan: (Mark?, Mark) throws -> Plan
    ) throws -> Bool {
        guard !isReadOnly else { return false }
        let mark = try Mark(runtimes, journal, snapshot)
        for runtime in runtimes {
            runtime.folded.settle()
            runtime.space.withoutUndo { runtime.timers.settle() }
        }
        let isWritten = try views.write { views in
            let plan = try plan(try views.meta(Mark.name).flatMap(Mark.init), mark)
            if plan == .leave { return false }
            let tables = runtimes.flatMap { runtime in
                runtime.space.tables.map { (number: firstTable(runtime) + $0.number, table: $0) }
            }
            if plan == .replace { for (number, _) in tables { try views.clear(table: number) } }
            // What was cleared holds nothing to remove.
            try RowEncoding(tables, removals: plan == .update).forEach {
                try views.put(table: $0, $1)
            }
            // A key that could not be read sealed nothing: such rows would read null for good.
            try checkFaults()
            try views.setMeta(Mark.name, mark.bytes)
            return true
        }
        for runtime in runtimes { for table in runtime.space.tables { table.didStore() } }
        return isWritten
    }

    /// Forgets everything stored.
    func reset() throws {
        try views.reset()
    }

    private func firstTable(_ runtime: any ProductRuntime) -> UInt16 {
        registry.product(runtime.product)?.firstTable ?? 0
    }
}

/// Under what, and how far, the state is stored.
private struct Mark {
    static let name = "state"
    let position: Position
    private let fingerprint: [UInt8]
    private let checksum: String

    init(_ runtimes: [any ProductRuntime], _ journal: Journal, _ snapshot: JournalSnapshot) throws {
        position = snapshot.head.position
        fingerprint = Self.fingerprint(runtimes, journal)
        checksum = try Self.checksum(at: position, snapshot)
    }

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
        _ runtimes: [any ProductRuntime], _ journal: Journal, _ snapshot: JournalSnapshot,
        _ observation: Observation
    ) -> Bool {
        guard position <= snapshot.head.position,
            fingerprint == Self.fingerprint(runtimes, journal)
        else { return false }
        return checksum
            == observation.attempt(.openViews) { try Self.checksum(at: position, snapshot) }
    }

    private static func fingerprint(_ runtimes: [any ProductRuntime], _ journal: Journal) -> [UInt8]
    {
        SHA256Digest.of(Array(journal.identity.utf8) + runtimes.flatMap(\.fingerprint))
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
