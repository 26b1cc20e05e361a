package import Core

extension Tafawoq {
    /// Times by name, in milliseconds: a JSON object of names that have the form of an id.
    package struct Metrics: FieldValue {
        /// One time, by the name of its metric.
        package struct Entry: Hashable, Sendable {
            package let metric: MetricID
            package let milliseconds: Int

            package init(metric: MetricID, milliseconds: Int) {
                self.metric = metric
                self.milliseconds = milliseconds
            }
        }

        package private(set) var entries: [Entry]

        package init(entries: [Entry]) {
            self.entries = entries
        }

        package static var empty: Metrics { Metrics(entries: []) }
        package static var schema: String { "{id:int}" }
        /// The largest whole number that the page takes.
        package static let largest = 1_000_000_000

        package func write(to writer: inout BinaryWriter) {
            writer.varint(UInt64(entries.count))
            for entry in entries {
                entry.metric.write(to: &writer)
                entry.milliseconds.write(to: &writer)
            }
        }

        package static func read(from reader: inout BinaryReader) -> Metrics {
            let count = reader.count()
            var entries: [Entry] = []
            for _ in 0..<count where !reader.failed {
                let metric = MetricID.read(from: &reader)
                entries.append(Entry(metric: metric, milliseconds: Int.read(from: &reader)))
            }
            return Metrics(entries: entries)
        }

        package func write(to output: inout JSONOutput) {
            output.json.beginObject()
            for entry in entries {
                output.member(output.names.text(entry.metric), entry.milliseconds)
            }
            output.json.endObject()
        }

        package static func read(_ json: JSON, from input: inout JSONInput) -> Metrics? {
            guard let members = json.members else {
                input.fail("expected an object")
                return nil
            }
            var entries: [Entry] = []
            for member in members {
                guard IdentifierForm.accepts(member.name) else {
                    input.fail(IdentifierForm.expectation)
                    return nil
                }
                guard let value = Int.read(member.value, from: &input) else { return nil }
                guard value <= largest else {
                    input.fail("expected a whole number from 0 to \(largest)")
                    return nil
                }
                entries.append(
                    Entry(
                        metric: MetricID(input.names.intern(member.name)), milliseconds: value))
            }
            return Metrics(entries: entries)
        }
    }
}
