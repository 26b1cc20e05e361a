import Core
import EventLog

/// An event that a document rests on: it may have changed it, and no other event can have.
package struct Touch: Sendable, Hashable {
    package let position: Position
    package let at: Instant
    package let type: String
}

/// The events that a document rests on, around a position.
package struct Touches: Sendable {
    /// In the order of the journal.
    package let around: [Touch]
    /// How many there are in all.
    package let count: Int
    /// How many are before the first of ``around``.
    package let before: Int
}

extension EventEngine {
    /// The events that a document rests on, found in the indexes without a fold; nil where that is every event, or nearly.
    ///
    /// - Parameters:
    ///   - position: those nearest to it are given, half of them behind it; the last ones if nil.
    ///   - most: how many are given.
    package func touches(
        _ question: DocumentQuestion, around position: Position?, atMost most: Int
    ) throws(EngineError) -> Touches? {
        try read { reader in
            let snapshot = try reader.journal.snapshot()
            let last = snapshot.head.position
            let walk = try DocumentWalk(reader, question, snapshot, through: last)
            guard let basis = walk.basis else { return nil }
            let here = position.map { position in basis.firstIndex { $0 > position } ?? basis.count
            }
            let end = min(basis.count, max(most, (here ?? basis.count) + most / 2))
            let start = max(0, end - most)
            let types = try JournalTypes(snapshot.types(), reader.registry)
            var around: [Touch] = []
            try snapshot.forEachEvent(at: Array(basis[start..<end])) { event, _ in
                around.append(
                    Touch(
                        position: event.position, at: event.at,
                        type: types[event.type]?.payload.name ?? ""))
                return true
            }
            return Touches(around: around, count: basis.count, before: start)
        }
    }
}
