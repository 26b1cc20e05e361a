import Core

extension Document {
    /// A JSON value. Literals make one: `["exam": "EX-1", "chosen": ["a"], "seconds": 9]`.
    public indirect enum Value: Sendable {
        /// Nothing.
        case null
        /// True or false.
        case bool(Bool)
        /// A number, as JSON writes it: no digit is lost.
        case number(String)
        /// A text.
        case string(String)
        /// Values in an order.
        case array([Value])
        /// Values by their names.
        case object([(name: String, value: Value)])
    }
}

extension Document.Value {
    init(_ json: JSON) {
        switch json {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .number: self = .number(json.description)
        case .string(let text): self = .string(text)
        case .array(let items): self = .array(items.map { Document.Value($0) })
        case .object(let members):
            self = .object(members.map { (name: $0.name, value: Document.Value($0.value)) })
        }
    }

    /// What a JSON text says; nil for what is none.
    public init?(json text: String) {
        guard let json = try? JSON(parsing: text) else { return nil }
        self.init(json)
    }

    // MARK: Reading

    /// The member of an object; null where there is none.
    public subscript(name: String) -> Document.Value {
        guard case .object(let members) = self else { return .null }
        return members.first { $0.name == name }?.value ?? .null
    }

    /// The text of a string; nil for anything else.
    public var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// A whole number that an `Int` can hold; nil for anything else.
    public var integer: Int? {
        if case .number(let digits) = self { Int(digits) } else { nil }
    }

    /// Whether it is true; nil for anything else than true and false.
    public var bool: Bool? {
        if case .bool(let isTrue) = self { isTrue } else { nil }
    }

    /// The items of an array; nil for anything else.
    public var items: [Document.Value]? {
        if case .array(let items) = self { items } else { nil }
    }

    /// Whether it is null.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    // MARK: Writing

    /// As canonical JSON: object members sorted by code point, nothing between the signs.
    public var canonical: [UInt8] {
        Array(canonicalText.utf8)
    }

    private var canonicalText: String {
        switch self {
        case .null: return "null"
        case .bool(let isTrue): return isTrue ? "true" : "false"
        case .number(let digits): return digits
        case .string(let text): return text.quoted(by: "\"")
        case .array(let items):
            return "[\(items.map(\.canonicalText).joined(separator: ","))]"
        case .object(let members):
            let sorted = members.sorted { left, right in
                left.name.unicodeScalars.lexicographicallyPrecedes(right.name.unicodeScalars)
            }
            let texts = sorted.map { "\($0.name.quoted(by: "\"")):\($0.value.canonicalText)" }
            return "{\(texts.joined(separator: ","))}"
        }
    }
}

extension Document.Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }

    /// A whole number.
    public init(integerLiteral value: Int) { self = .number("\(value)") }

    /// True or false.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// An array.
    public init(arrayLiteral elements: Document.Value...) { self = .array(elements) }

    /// An object; a name that comes twice makes it one that no command takes.
    public init(dictionaryLiteral elements: (String, Document.Value)...) {
        self = .object(elements.map { (name: $0.0, value: $0.1) })
    }
}
