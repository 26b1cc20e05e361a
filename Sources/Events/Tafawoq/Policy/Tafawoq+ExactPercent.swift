package import Core

extension Tafawoq {
    /// A number with at most two decimals, taken as it is given and never rounded.
    package struct ExactPercent: FieldValue {
        package let percent: Percent

        package init(_ percent: Percent) {
            self.percent = percent
        }

        package init(whole: Int) {
            percent = Percent(whole: whole)
        }

        package static var empty: ExactPercent { ExactPercent(.zero) }
        package static var schema: String { Percent.schema }

        package func write(to writer: inout BinaryWriter) { percent.write(to: &writer) }

        package static func read(from reader: inout BinaryReader) -> ExactPercent {
            ExactPercent(Percent.read(from: &reader))
        }

        package func write(to output: inout JSONOutput) { percent.write(to: &output) }

        package static func read(_ json: JSON, from input: inout JSONInput) -> ExactPercent? {
            if case .number(let number) = json, let hundredths = number.exactHundredths {
                return ExactPercent(Percent(hundredths: hundredths))
            }
            input.fail("expected a number with at most two decimals")
            return nil
        }
    }
}
