import Events

/// The forms of a command's fields (page, Commands): narrower than those of events.
extension Tafawoq {
    /// A text of 1 to 20000 Unicode scalars.
    struct BoundedText: FieldValue {
        let text: String

        static let lengths = 1...20_000
        static var empty: BoundedText { BoundedText(text: "") }
        static var schema: String { String.schema }

        func write(to writer: inout BinaryWriter) { text.write(to: &writer) }

        static func read(from reader: inout BinaryReader) -> BoundedText {
            BoundedText(text: String.read(from: &reader))
        }

        func write(to output: inout JSONOutput) { text.write(to: &output) }

        static func read(_ json: JSON, from input: inout JSONInput) -> BoundedText? {
            guard let text = String.read(json, from: &input) else { return nil }
            guard lengths ~= text.unicodeScalars.count else {
                input.fail("expected a text of 1 to 20000 characters")
                return nil
            }
            return BoundedText(text: text)
        }
    }

    /// A whole number from 0 to 1000000000.
    struct BoundedInt: FieldValue {
        let value: Int

        static let values = 0...1_000_000_000
        static var empty: BoundedInt { BoundedInt(value: 0) }
        static var schema: String { Int.schema }

        func write(to writer: inout BinaryWriter) { value.write(to: &writer) }

        static func read(from reader: inout BinaryReader) -> BoundedInt {
            BoundedInt(value: Int.read(from: &reader))
        }

        func write(to output: inout JSONOutput) { value.write(to: &output) }

        static func read(_ json: JSON, from input: inout JSONInput) -> BoundedInt? {
            guard let value = Int.read(json, from: &input) else { return nil }
            guard values ~= value else {
                input.fail("expected a whole number from 0 to 1000000000")
                return nil
            }
            return BoundedInt(value: value)
        }
    }

    /// A SHA-256: 64 lower-case hex digits.
    struct Digest: FieldValue {
        let text: String

        static var empty: Digest { Digest(text: "") }
        static var schema: String { String.schema }

        static func accepts(_ text: String) -> Bool {
            text.utf8.count == 64
                && text.utf8.allSatisfy {
                    UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
                        || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
                }
        }

        func write(to writer: inout BinaryWriter) { text.write(to: &writer) }

        static func read(from reader: inout BinaryReader) -> Digest {
            Digest(text: String.read(from: &reader))
        }

        func write(to output: inout JSONOutput) { text.write(to: &output) }

        static func read(_ json: JSON, from input: inout JSONInput) -> Digest? {
            guard let text = String.read(json, from: &input) else { return nil }
            guard accepts(text) else {
                input.fail("expected 64 lower-case hex digits")
                return nil
            }
            return Digest(text: text)
        }
    }
}

extension Coder {
    /// A field that may be left out or null, which is the same.
    mutating func given<V: FieldValue>(_ name: String, _ value: inout V?) {
        var told: V?? = value.map { .some($0) }
        optional(name, &told)
        value = told ?? nil
    }

    mutating func bounded(_ name: String, _ value: inout String) {
        var text = Tafawoq.BoundedText(text: value)
        field(name, &text)
        value = text.text
    }

    mutating func givenText(_ name: String, _ value: inout String?) {
        var text = value.map { Tafawoq.BoundedText(text: $0) }
        given(name, &text)
        value = text?.text
    }

    mutating func bounded(_ name: String, _ value: inout Int) {
        var number = Tafawoq.BoundedInt(value: value)
        field(name, &number)
        value = number.value
    }

    mutating func givenInt(_ name: String, _ value: inout Int?) {
        var number = value.map { Tafawoq.BoundedInt(value: $0) }
        given(name, &number)
        value = number?.value
    }

    mutating func digest(_ name: String, _ value: inout String) {
        var digest = Tafawoq.Digest(text: value)
        field(name, &digest)
        value = digest.text
    }
}
