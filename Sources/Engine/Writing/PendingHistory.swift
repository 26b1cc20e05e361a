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
    private let own: [DecidedEvent]
    private let faults: TableSpace

    init(
        _ session: Session, _ snapshot: JournalSnapshot, _ pending: PendingBatch,
        _ own: [DecidedEvent],
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
    private var count: Int { pending.batch.events.count + own.count }

    private func event(at place: Int) -> EventEnvelope? {
        let batch = pending.batch
        if place < batch.events.count { return event(of: batch, at: place) }
        guard place < count else { return nil }
        let fact = own[place - batch.events.count]
        guard let type = session.types.registry.payload(fact.type) else { return nil }
        let isHidden = hides(type.product, fact.subject)
        // A decision's own facts have no revisions before they are in the batch.
        return pending.envelope(
            EventRecord(
                type: 0, stream: fact.stream, at: fact.at, actor: fact.actor, device: fact.device,
                cause: fact.cause, subject: fact.subject, flags: fact.flags, tags: fact.tags),
            type, at: position(place),
            BinaryReader(
                fact.payload, personal: isHidden ? [] : fact.personal, names: session.names))
    }

    private func event(of batch: Batch, at place: Int) -> EventEnvelope {
        let record = batch.events[place]
        let kind = pending.kinds[place]
        let isHidden = hides(kind.type.product, record.subject) || kind.personal.isEmpty
        return pending.envelope(
            record, kind.type, at: position(place),
            BinaryReader(
                batch.payloads, stored: record.payload, flags: record.flags,
                at: SealingContext(position: position(place), recordedAt: batch.recordedAt),
                opener: nil, opened: isHidden ? nil : PersonalValues(clear: kind.personal),
                names: session.names))
    }

    private func position(_ place: Int) -> Position { snapshot.head.position + place + 1 }
}
