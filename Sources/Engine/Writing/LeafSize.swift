import Commands
import EventLog
import Core
import Projections

/// How long an event's leaf will be, which is its line in a sealed export (docs/audit.md).
struct LeafSize {
    let session: Session
    let pending: PendingBatch
    let command: CommandName

    /// The longest of these leaves, or nil if none can be too long.
    func largest(_ facts: [DecidedEvent]) throws -> Int? {
        var largest: Int?
        for fact in facts where Self.isDoubtful(fact) {
            largest = max(largest ?? 0, size(of: fact))
        }
        return largest
    }

    /// A byte of a payload becomes at most six of JSON; most events are far from that.
    private static func isDoubtful(_ fact: DecidedEvent) -> Bool {
        fact.payload.count * 6 + fact.personal.count * 2 + fact.tags.count * 140 > 50_000
    }

    private func size(of fact: DecidedEvent) -> Int {
        guard let type = session.types.registry.payload(fact.type) else { return 0 }
        var payload = fact.payload
        var flags = fact.flags
        if !fact.personal.isEmpty {
            let box = [UInt8](
                repeating: 0, count: PersonalPart.padded(fact.personal).count + 16)
            payload = PersonalPart.join(payload, sealed: SealedPart.bytes(slot: 1, box: box))
            flags |= PersonalPart.flag
        }
        let place = SealingContext(
            position: pending.next, recordedAt: pending.batch.recordedAt,
            salt: pending.batch.salt)
        var reader = BinaryReader(
            payload, stored: 0..<payload.count, flags: flags, at: place, opener: nil,
            names: session.names)
        let event = EventEnvelope(
            metadata: EventMetadata(
                position: pending.next, at: fact.at, actor: fact.actor, device: fact.device,
                stream: fact.stream, subject: fact.subject, cause: fact.cause, command: command,
                origin: Origin.read(from: &reader, flags: fact.flags)),
            type: type, version: type.version, revision: 0,
            recordedAt: pending.batch.recordedAt, tags: fact.tags, place: place, payload: reader)
        return Document(names: session.names) { EventDocument.write(event, .leaf, to: &$0) }
            .bytes.count + Self.growth
    }

    /// What positions and revisions may still take more.
    private static let growth = 32
}
