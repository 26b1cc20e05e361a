import EventLog
import Core
import Folding

/// Which of its two sets of tables a product's state is in: while one is read, a large rebuild fills the other
/// (``StateOverflow``).
enum TableSet: UInt8 {
    case first = 0
    case second = 1

    var other: TableSet { self == .first ? .second : .first }

    /// Products are 1,000 numbers apart.
    var firstTable: UInt16 { self == .first ? 0 : 500 }
}

/// Under what, and how far, a product's state is stored.
struct Mark {
    let position: Position
    /// Where its rows are.
    let set: TableSet
    private let fingerprint: [UInt8]
    private let checksum: String

    private init(position: Position, fingerprint: [UInt8], checksum: String) {
        self.position = position
        self.fingerprint = fingerprint
        self.checksum = checksum
        set = .first
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

    /// Which rebuild fills the set of tables that is not read.
    static func overflowName(of runtime: any ProductRuntime) -> String {
        "rebuild of \(runtime.product)"
    }

    init?(_ bytes: [UInt8]) {
        var reader = BinaryReader(bytes)
        position = Position(reader.varint())
        fingerprint = Array(reader.countedBytes())
        checksum = reader.countedText()
        guard let set = TableSet(rawValue: reader.offset < reader.end ? reader.byte() : 0),
            reader.isComplete
        else { return nil }
        self.set = set
    }

    /// Said of rows in this set; of the first as before there were two.
    func bytes(_ set: TableSet) -> [UInt8] {
        var writer = BinaryWriter()
        writer.varint(position.number)
        writer.counted(fingerprint)
        writer.counted(checksum)
        if set != .first { writer.byte(set.rawValue) }
        return writer.bytes
    }

    /// Whether another is of the same fold of the same journal, and further.
    func isBehind(_ other: Mark?) -> Bool {
        guard let other else { return false }
        return other.position > position && other.fingerprint == fingerprint
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
final class StoredRows: RowSource {
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

    func scanKeys(
        table: UInt16, from first: [UInt8], _ body: (ArraySlice<UInt8>) -> Bool
    ) throws {
        try view.scanKeys(table: firstTable + table, from: first) { body($0[...]) }
    }
}
