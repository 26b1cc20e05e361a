/// A text that is not empty: what commands take where the contract says `text`.
package struct FilledText: FieldValue {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static var empty: FilledText { FilledText("") }
    package static var schema: String { String.schema }
    package static var jsonForm: JSONForm { .text }

    package func write(to writer: inout BinaryWriter) { text.write(to: &writer) }

    package static func read(from reader: inout BinaryReader) -> FilledText {
        FilledText(String.read(from: &reader))
    }

    package func write(to output: inout JSONOutput) { text.write(to: &output) }

    package static func read(_ json: JSON, from input: inout JSONInput) -> FilledText? {
        guard let text = String.read(json, from: &input) else { return nil }
        if text.isEmpty {
            input.fail("expected a text that is not empty")
            return nil
        }
        return FilledText(text)
    }
}

extension Coder {
    /// A text that is always there, and never empty.
    package mutating func filled(_ name: String, _ value: inout String) {
        var text = FilledText(value)
        field(name, &text)
        value = text.text
    }

    /// A text that may be left out, and is never empty.
    package mutating func optionalFilled(_ name: String, _ value: inout String?) {
        var text = value.map { FilledText($0) }
        optional(name, &text)
        value = text?.text
    }
}
