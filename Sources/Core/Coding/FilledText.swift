/// A text that is not empty: what commands take where the contract says `text`.
public struct FilledText: FieldValue {
    /// The text as it was given.
    public let text: String

    @inlinable
    public init(_ text: String) {
        self.text = text
    }

    public static var empty: FilledText { FilledText("") }
    public static var schema: String { String.schema }
    public static var jsonForm: JSONForm { .text }

    @inlinable
    public func write(to writer: inout BinaryWriter) { text.write(to: &writer) }

    @inlinable
    public static func read(from reader: inout BinaryReader) -> FilledText {
        FilledText(String.read(from: &reader))
    }

    public func write(to output: inout JSONOutput) { text.write(to: &output) }

    public static func read(_ json: JSON, from input: inout JSONInput) -> FilledText? {
        guard let text = String.read(json, from: &input) else { return nil }
        if text.isEmpty {
            input.fail("expected a text that is not empty")
            return nil
        }
        if !input.isRecorded, !(Bounds.text ~= text.unicodeScalars.count) {
            input.fail("expected \(Bounds.text.characters)")
            return nil
        }
        return FilledText(text)
    }
}

/// A field that `filled` or `optionalFilled` takes.
public typealias Filled = String

extension Coder {
    /// A text that is always there, and never empty.
    public mutating func filled(_ name: String, _ value: inout String) {
        var text = FilledText(value)
        field(name, &text)
        value = text.text
    }

    /// A text that may be left out, and is never empty.
    public mutating func optionalFilled(_ name: String, _ value: inout String?) {
        var text = value.map { FilledText($0) }
        optional(name, &text)
        value = text?.text
    }
}
