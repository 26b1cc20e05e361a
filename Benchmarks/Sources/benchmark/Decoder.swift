import EventLog
import Events

/// Decodes payloads of one type into its Swift values, as a fold does: what is personal stays sealed.
struct Decoder {
    private let decode: (consuming BinaryReader) -> Bool
    private let names = Names()

    init(_ record: TypeRecord) throws {
        guard let known = PeerEvents.payloads.first(where: { $0.name == record.name }) else {
            throw Workloads.Failure(what: "\(record.name) is in no vocabulary")
        }
        func opened<P: Payload>(_ type: P.Type) -> (consuming BinaryReader) -> Bool {
            let version = UInt16(record.version)
            return { reader in
                var reader = reader
                return P.decode(version: version, from: &reader) != nil
            }
        }
        decode = opened(known.payload)
    }

    func decode(_ event: EventRecord, _ body: [UInt8]) -> Bool {
        decode(
            BinaryReader(
                body, stored: event.payload, flags: event.flags,
                at: SealingPlace(position: event.position, recordedAt: event.recordedAt),
                opener: nil, names: names))
    }
}
