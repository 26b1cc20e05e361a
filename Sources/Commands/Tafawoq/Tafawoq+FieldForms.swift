import Commands
import Core
import Folding
import TafawoqEvents
import TafawoqFacts

/// The forms of a command's fields (page, Commands): narrower than those of events.
extension Tafawoq {
    /// A value that is encoded as another, and accepted only in a certain form.
    protocol Form: FieldValue {
        associatedtype Value: FieldValue
        static var expectation: String { get }
        static func accepts(_ value: Value) -> Bool
        init(_ value: Value)
        var value: Value { get }
    }

    /// A text of 1 to 20000 Unicode scalars, as an element of a list.
    struct BoundedText: Form {
        static let length = 1...Bounds.text.upperBound
        static var expectation: String { "expected \(length.characters)" }
        let value: String

        init(_ value: String) { self.value = value }

        static func accepts(_ text: String) -> Bool { length ~= text.unicodeScalars.count }
    }

    /// A whole number from 0 to 1000000000, as an element of a list.
    struct BoundedInt: Form {
        static var expectation: String { "expected \(Bounds.count.wholeNumbers)" }
        let value: Int

        init(_ value: Int) { self.value = value }

        static func accepts(_ number: Int) -> Bool { Bounds.count ~= number }
    }

    /// A SHA-256 in hexadecimal.
    struct Digest: Form {
        static let expectation = "expected 64 lower-case hex digits"
        let value: String

        init(_ value: String) { self.value = value }

        static func accepts(_ text: String) -> Bool {
            text.utf8.count == 64
                && text.utf8.allSatisfy {
                    UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
                        || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
                }
        }
    }
}

extension Tafawoq.Form {
    static var empty: Self { Self(.empty) }
    static var schema: String { Value.schema }

    func write(to writer: inout BinaryWriter) { value.write(to: &writer) }

    static func read(from reader: inout BinaryReader) -> Self {
        Self(Value.read(from: &reader))
    }

    func write(to output: inout JSONOutput) { value.write(to: &output) }

    static func read(_ json: JSON, from input: inout JSONInput) -> Self? {
        guard let value = Value.read(json, from: &input) else { return nil }
        guard accepts(value) else {
            input.fail(expectation)
            return nil
        }
        return Self(value)
    }
}

extension Coder {
    /// A field that may be left out or null, which is the same.
    mutating func given<V: FieldValue>(_ name: String, _ value: inout V?) {
        var given: V?? = value.map { .some($0) }
        optional(name, &given)
        value = given ?? nil
    }

    mutating func bounded(_ name: String, _ value: inout String) {
        text(name, &value, of: Tafawoq.BoundedText.length)
    }

    mutating func givenText(_ name: String, _ value: inout String?) {
        given(name, &value)
        let length = Tafawoq.BoundedText.length
        expect(
            name, length.characters, value.map { length ~= $0.unicodeScalars.count } ?? true)
    }

    mutating func bounded(_ name: String, _ value: inout Int) { number(name, &value) }

    mutating func givenInt(_ name: String, _ value: inout Int?) {
        given(name, &value)
        expect(name, Bounds.count.wholeNumbers, value.map { Bounds.count ~= $0 } ?? true)
    }

    mutating func digest(_ name: String, _ value: inout String) {
        var digest = Tafawoq.Digest(value)
        field(name, &digest)
        value = digest.value
    }
}
