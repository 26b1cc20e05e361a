import EventLog
import Events

/// Decodes payloads of one type into its Swift values, as a fold does.
struct Decoder {
    let decode: (consuming BinaryReader) -> Bool

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
}
