/// A whole number that may be negative, such as a difference of points.
package struct SignedInt: FieldValue {
    package let value: Int

    package init(_ value: Int) {
        self.value = value
    }

    package static var empty: SignedInt { SignedInt(0) }
    package static var schema: String { "signed" }
    package static var jsonForm: JSONForm { .integer }

    package func write(to writer: inout BinaryWriter) { writer.zigzag(Int64(value)) }

    package static func read(from reader: inout BinaryReader) -> SignedInt {
        SignedInt(Int(reader.zigzag()))
    }

    package func write(to output: inout JSONOutput) { output.json.integer(Int64(value)) }

    package static func read(_ json: JSON, from input: inout JSONInput) -> SignedInt? {
        if case .number(let number) = json, let whole = number.wholeNumber {
            return SignedInt(Int(whole))
        }
        input.fail("expected a whole number")
        return nil
    }
}
