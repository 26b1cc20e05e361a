/// What an id names, such as an exam.
public protocol Thing {
    /// `exam` of the stream `examroom/exam/EX-1` and of the tag `exam:EX-1`.
    static var noun: String { get }
    /// Whether events that carry the id are found by such a tag.
    static var isTagged: Bool { get }
}

extension Thing {
    public static var isTagged: Bool { true }

    public static var tag: String? { isTagged ? noun : nil }
}

/// The caller's id of a thing: 1 to 64 characters of `A-Z a-z 0-9 . _ : -` (contract, Commands in).
public struct Identifier<T: Thing>: FieldValue {
    /// The number that stands for the text.
    public let symbol: Symbol

    @inlinable
    public init(_ symbol: Symbol) {
        self.symbol = symbol
    }

    /// The same id, seen as the id of another kind of thing: a student's is that of their account.
    @inlinable
    public init<Other>(_ other: Identifier<Other>) {
        symbol = other.symbol
    }

    @inlinable
    public static func == (left: Self, right: Self) -> Bool { left.symbol == right.symbol }

    @inlinable
    public func hash(into hasher: inout Hasher) { hasher.combine(symbol.number) }

    /// A hash that is cheap (ADR 0076).
    @inlinable
    public func _rawHashValue(seed: Int) -> Int { symbol._rawHashValue(seed: seed) }

    /// No id; nothing has it.
    public static var none: Self { Self(.none) }
    public static var empty: Self { .none }
    public static var schema: String { T.tag.map { "id(\($0))" } ?? "id" }
    public static var jsonForm: JSONForm { .symbol }

    @inlinable
    public func write(to writer: inout BinaryWriter) { writer.varint(UInt64(symbol.number)) }

    @inlinable
    public static func read(from reader: inout BinaryReader) -> Self {
        Self(Symbol(number: UInt32(truncatingIfNeeded: reader.varint())))
    }

    public func write(to output: inout JSONOutput) { output.text(of: symbol) }

    public static func read(_ json: JSON, from input: inout JSONInput) -> Self? {
        guard case .string(let text) = json, IdentifierForm.accepts(text) else {
            input.fail(IdentifierForm.expectation)
            return nil
        }
        return Self(input.names.intern(text))
    }
}

/// The form that all ids have, and what to say of a text that has another.
public enum IdentifierForm: Sendable {
    /// What a refusal says of a text that is no id.
    public static let expectation = "expected an id: 1 to 64 characters of A-Z a-z 0-9 . _ : -"

    /// Whether the text is an id: 1 to 64 of these characters.
    public static func accepts(_ text: String) -> Bool {
        let utf8 = text.utf8
        return (1...64).contains(utf8.count) && utf8.allSatisfy(isAllowed)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: ":"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

/// A text that recurs in many events, such as an exam's title in its attempts: kept once, by number.
public struct InternedText: FieldValue {
    /// The number that stands for the text.
    public let symbol: Symbol

    @inlinable
    public init(_ symbol: Symbol) {
        self.symbol = symbol
    }

    /// A hash that is cheap (ADR 0076).
    @inlinable
    public func _rawHashValue(seed: Int) -> Int { symbol._rawHashValue(seed: seed) }

    public static var empty: InternedText { InternedText(.none) }
    public static var schema: String { "word" }
    public static var jsonForm: JSONForm { .symbol }

    @inlinable
    public func write(to writer: inout BinaryWriter) { writer.varint(UInt64(symbol.number)) }

    @inlinable
    public static func read(from reader: inout BinaryReader) -> InternedText {
        InternedText(Symbol(number: UInt32(truncatingIfNeeded: reader.varint())))
    }

    public func write(to output: inout JSONOutput) { output.text(of: symbol) }

    public static func read(_ json: JSON, from input: inout JSONInput) -> InternedText? {
        String.read(json, from: &input).map { InternedText(input.names.intern($0)) }
    }
}

/// A record that recurs whole, such as a question in the papers of a thousand attempts: its binary
/// form is kept once in the journal's symbol table, events and rows hold the number.
public struct Shared<Value: Record>: FieldValue {
    /// The number that stands for the text.
    public let symbol: Symbol

    public init(_ value: Value, in names: Names) {
        var writer = BinaryWriter()
        value.write(to: &writer)
        symbol = names.intern(bytes: writer.bytes)
    }

    @inlinable
    init(symbol: Symbol) {
        self.symbol = symbol
    }

    /// The record, decoded once for each table of names.
    public func value(in names: Names) -> Value {
        names.shared(symbol)
    }

    /// A hash that is cheap (ADR 0076).
    @inlinable
    public func _rawHashValue(seed: Int) -> Int { symbol._rawHashValue(seed: seed) }

    public static var empty: Self { Self(symbol: .none) }
    public static var schema: String { "shared\(Value.schema)" }

    @inlinable
    public func write(to writer: inout BinaryWriter) { writer.varint(UInt64(symbol.number)) }

    @inlinable
    public static func read(from reader: inout BinaryReader) -> Self {
        Self(symbol: Symbol(number: UInt32(truncatingIfNeeded: reader.varint())))
    }

    public func write(to output: inout JSONOutput) {
        output.names.writeShared(Value.self, symbol, to: &output)
    }

    public static func read(_ json: JSON, from input: inout JSONInput) -> Self? {
        Value.read(json, from: &input).map { Self($0, in: input.names) }
    }
}
