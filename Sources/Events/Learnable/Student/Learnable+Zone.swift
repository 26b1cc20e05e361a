package import Core

extension Learnable {
    /// A time-zone name that the time-zone data base knows.
    package struct Zone: FieldValue {
        package let name: InternedText

        package init(_ name: InternedText) {
            self.name = name
        }

        package static var empty: Zone { Zone(.empty) }
        package static var schema: String { "zone" }

        package func write(to writer: inout BinaryWriter) { name.write(to: &writer) }

        package static func read(from reader: inout BinaryReader) -> Zone {
            Zone(InternedText.read(from: &reader))
        }

        package func write(to output: inout JSONOutput) { name.write(to: &output) }

        package static func read(_ json: JSON, from input: inout JSONInput) -> Zone? {
            guard case .string(let text) = json, TimeZones.zone(named: text) != nil else {
                input.fail("expected the name of an IANA time zone")
                return nil
            }
            return Zone(InternedText(input.names.intern(text)))
        }

        package func rules(_ names: Names) -> TimeZoneRules {
            TimeZones.zone(named: names.text(name)) ?? .utc
        }
    }
}
