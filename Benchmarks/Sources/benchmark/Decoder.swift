import EventLog
import Core

/// Decodes payloads of one type into its Swift values, as a fold does: what is personal stays sealed.
final class Decoder {
    private let payload: PayloadType
    private let version: UInt16

    init(_ record: TypeRecord) throws {
        guard let known = PeerEvents.payloads.first(where: { $0.name == record.name }) else {
            throw Workloads.Failure(what: "\(record.name) is in no vocabulary")
        }
        payload = known
        version = UInt16(record.version)
    }

    func decode(_ event: EventRecord, _ body: [UInt8]) -> Bool {
        var reader = BinaryReader(
            body, stored: event.payload, flags: event.flags, at: event.place, opener: nil)
        return payload.decode(version, &reader) != nil
    }
}
