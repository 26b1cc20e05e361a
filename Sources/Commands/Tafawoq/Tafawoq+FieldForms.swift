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

    /// A text of 1 to 20000 Unicode scalars.
    struct BoundedText: Form {
        static let expectation = "expected a text of 1 to 20000 characters"
        let value: String

        init(_ value: String) { self.value = value }

        static func accepts(_ text: String) -> Bool { 1...20_000 ~= text.unicodeScalars.count }
    }

    /// A whole number from 0 to 1000000000.
    struct BoundedInt: Form {
        static let expectation = "expected a whole number from 0 to 1000000000"
        let value: Int

        init(_ value: Int) { self.value = value }

        static func accepts(_ number: Int) -> Bool { 0...1_000_000_000 ~= number }
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

    private mutating func formed<F: Tafawoq.Form>(
        _ name: String, _ value: inout F.Value, as form: F.Type
    ) {
        var formed = F(value)
        field(name, &formed)
        value = formed.value
    }

    private mutating func givenFormed<F: Tafawoq.Form>(
        _ name: String, _ value: inout F.Value?, as form: F.Type
    ) {
        var formed = value.map { F($0) }
        given(name, &formed)
        value = formed?.value
    }

    mutating func bounded(_ name: String, _ value: inout String) {
        formed(name, &value, as: Tafawoq.BoundedText.self)
    }

    mutating func givenText(_ name: String, _ value: inout String?) {
        givenFormed(name, &value, as: Tafawoq.BoundedText.self)
    }

    mutating func bounded(_ name: String, _ value: inout Int) {
        formed(name, &value, as: Tafawoq.BoundedInt.self)
    }

    mutating func givenInt(_ name: String, _ value: inout Int?) {
        givenFormed(name, &value, as: Tafawoq.BoundedInt.self)
    }

    mutating func digest(_ name: String, _ value: inout String) {
        formed(name, &value, as: Tafawoq.Digest.self)
    }
}
