import EventLog
import Core
import Folding
import Projections
import Proofs

/// Makes the tree's leaves out of a journal's events: each is the event's line of an export, without clear
/// text of personal fields (docs/audit.md, The leaf). For one thread at a time.
final class LeafMaker {
    private let journal: Journal
    private let snapshot: JournalSnapshot
    private let history: JournalHistory
    private let symbols: JournalSymbols
    private var output: JSONOutput

    init(_ journal: Journal, _ registry: Registry, _ snapshot: JournalSnapshot) throws {
        self.journal = journal
        self.snapshot = snapshot
        symbols = JournalSymbols(journal)
        let names = Names(source: symbols, stored: snapshot.head.symbolCount)
        history = JournalHistory(
            snapshot: snapshot, types: try JournalTypes(snapshot.types(), registry),
            keys: PersonKeys(of: journal),
            // A leaf holds boxes and no clear text: none is opened.
            hides: { _, _ in true }, names: names,
            scope: Scope(through: snapshot.head.position), faults: TableSpace())
        output = JSONOutput(names: names, reservingCapacity: 4096)
    }

    /// The leaf of an event, as it is hashed; nil beyond the end.
    func leaf(at position: Position) throws -> [UInt8]? {
        var leaf: [UInt8]?
        try forEach(index(of: position)..<index(of: position) + 1) { leaf = $0 }
        return leaf
    }

    /// The leaves with these indexes, which count from 0.
    func leaves(_ indexes: Range<Int>) throws -> [[UInt8]] {
        var leaves: [[UInt8]] = []
        try forEach(indexes) { leaves.append($0) }
        return leaves
    }

    /// The hashes of the leaves with these indexes, which count from 0.
    func hashes(_ indexes: Range<Int>) throws -> [TreeHash] {
        var hashes: [TreeHash] = []
        hashes.reserveCapacity(indexes.count)
        try forEach(indexes) { hashes.append(TreeHash.leaf($0)) }
        return hashes
    }

    private func index(of position: Position) -> Int { Int(position.number) - 1 }

    private func forEach(_ indexes: Range<Int>, _ body: ([UInt8]) throws -> Void) throws {
        guard !indexes.isEmpty else { return }
        let first = Position(UInt64(indexes.lowerBound) + 1)
        var metadata = EventMetadata.nowhere
        try symbols.holdingSnapshot {
            try snapshot.forEachEvent(
                from: first, through: Position(UInt64(indexes.upperBound))
            ) { event, bytes in
                guard let found = history.envelope(event, bytes, &metadata) else {
                    throw JournalError.damaged("an event of an unknown type", at: event.position)
                }
                output.json.removeAll()
                EventDocument.write(found, .leaf, to: &output)
                try body(output.json.bytes)
                return true
            }
        }
        try history.checkFault()
    }
}
