import Commands
import EventLog
import Core
import Projections

/// How long an event's leaf will be, which is its line in a sealed export (docs/audit.md).
struct LeafSize {
    let names: Names

    /// The longest of these leaves, or nil if none can be too long.
    func largest(_ events: [EventEnvelope]) -> Int? {
        events.lazy.filter(Self.isDoubtful).map(size).max()
    }

    /// A byte of a payload may be an id of 64 characters behind the name of its field, but no more than 200 bytes of JSON. Most events
    /// are far from that.
    private static func isDoubtful(_ event: EventEnvelope) -> Bool {
        !event.type.payload.isNeverTooLarge
            && event.payload.bytes.count * 200 + event.personal.count * 2
                + event.tags.count * 140 > 50_000
    }

    private func size(of event: EventEnvelope) -> Int {
        var payload = event.payload.bytes
        var flags = event.metadata.isMerged ? Origin.flag : 0
        if !event.personal.isEmpty {
            let box = [UInt8](
                repeating: 0, count: PersonalPart.padded(event.personal).count + 16)
            payload = PersonalPart.join(payload, sealed: SealedPart.bytes(slot: 1, box: box))
            flags |= PersonalPart.flag
        }
        var reader = BinaryReader(
            payload, stored: 0..<payload.count, flags: flags, at: event.place, opener: nil)
        _ = Origin.read(from: &reader, flags: flags)
        let sealed = EventEnvelope(
            metadata: event.metadata, type: event.type, version: event.version, revision: 0,
            recordedAt: event.recordedAt, tags: event.tags, place: event.place, payload: reader)
        return Document(names: names) { EventDocument.write(sealed, .leaf, to: &$0) }
            .bytes.count + Self.growth
    }

    /// What positions and revisions may still take more.
    private static let growth = 32
}
