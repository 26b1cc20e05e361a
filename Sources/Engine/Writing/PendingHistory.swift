import Commands
import EventLog
import Core
import Folding

/// The journal as it will be once what is decided is durable: its events, those of the batch that waits,
/// and those that the decision itself recorded so far (ADR 0016).
///
/// So a decision that quotes what came before finds the same, whether it stands in this batch or not.
struct PendingHistory: History {
    private let session: Session
    private let snapshot: JournalSnapshot
    private let pending: PendingBatch
    /// Not in the batch yet.
    private let own: [EventEnvelope]
    private let faults: TableSpace

    init(
        _ session: Session, _ snapshot: JournalSnapshot, _ pending: PendingBatch,
        _ own: [EventEnvelope],
        faults: TableSpace
    ) {
        self.session = session
        self.snapshot = snapshot
        self.pending = pending
        self.own = own
        self.faults = faults
    }

    func forEach(types wanted: [String], _ body: (EventEnvelope) -> Bool) {
        var goesOn = true
        durable.forEach(types: wanted) { event in
            goesOn = body(event)
            return goesOn
        }
        guard goesOn else { return }
        for place in 0..<count {
            guard let event = event(at: place), wanted.isEmpty || matches(event.type.name, wanted)
            else { continue }
            if !body(event) { return }
        }
    }

    func forEach(tags: [String], _ body: (EventEnvelope) -> Bool) {
        var goesOn = true
        durable.forEach(tags: tags) { event in
            goesOn = body(event)
            return goesOn
        }
        guard goesOn else { return }
        let symbols = Set(tags.compactMap { session.names.known($0) })
        for place in 0..<count {
            guard let event = event(at: place), !symbols.isDisjoint(with: event.tags) else {
                continue
            }
            if !body(event) { return }
        }
    }

    func forEach(at positions: [Position], _ body: (EventEnvelope) -> Bool) {
        let head = snapshot.head.position
        var goesOn = true
        durable.forEach(at: positions.filter { $0 <= head }) { event in
            goesOn = body(event)
            return goesOn
        }
        guard goesOn else { return }
        for position in positions where position > head {
            guard let event = event(at: Int(position.number - head.number) - 1) else { continue }
            if !body(event) { return }
        }
    }

    private func matches(_ type: String, _ patterns: [String]) -> Bool {
        patterns.contains { pattern in
            pattern.hasSuffix("*") ? type.hasPrefix(pattern.dropLast()) : type == pattern
        }
    }

    // MARK: The parts

    private var durable: JournalHistory {
        JournalHistory(
            snapshot: snapshot, types: session.types, keys: session.persons.keys, hides: hides,
            names: session.names,
            scope: Scope(through: snapshot.head.position), faults: faults)
    }

    /// Erasures that are not durable yet are folded already.
    private func hides(_ product: String, _ subject: Symbol) -> Bool {
        session.runtime(of: product)?.hidesPersonal(of: subject) ?? false
    }

    /// How many events are not durable yet.
    private var count: Int { pending.events.count + own.count }

    private func event(at place: Int) -> EventEnvelope? {
        guard place < count else { return nil }
        let decided = pending.events
        // A decision's own events have no revisions before they are in the batch.
        let event = place < decided.count ? decided[place] : own[place - decided.count]
        return hides(event.type.product, event.metadata.subject) ? event.hidingPersonal : event
    }
}
