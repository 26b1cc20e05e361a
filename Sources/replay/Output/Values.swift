internal import Engine

extension Document.Value {
    /// A single thing rather than a structure.
    var isScalar: Bool {
        switch self {
        case .null, .bool, .number, .string: true
        case .array, .object: false
        }
    }

    var isNumber: Bool {
        if case .number = self { true } else { false }
    }

    /// In a line, for people: `title=Algebra, points=4`.
    var short: String {
        switch self {
        case .null: "–"
        case .bool(let isTrue): isTrue ? "yes" : "no"
        case .number(let digits): digits
        case .string(let text): text
        case .array(let items): items.isEmpty ? "none" : items.map(\.short).joined(separator: ", ")
        case .object(let members):
            members.map { "\($0.name)=\($0.value.nested)" }.joined(separator: ", ")
        }
    }

    /// As `short`, with brackets where it stands inside something else.
    private var nested: String {
        switch self {
        case .array(let items): "[\(items.map(\.nested).joined(separator: ", "))]"
        case .object: "{\(short)}"
        default: short
        }
    }

    /// The member of an object, or null.
    subscript(name: String) -> Document.Value {
        guard case .object(let members) = self else { return .null }
        return members.first { $0.name == name }?.value ?? .null
    }

    /// The text of a string member, else nil.
    var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// As canonical JSON: object members sorted by code point, nothing between the signs.
    var canonical: [UInt8] {
        Array(canonicalText.utf8)
    }

    private var canonicalText: String {
        switch self {
        case .null: return "null"
        case .bool(let isTrue): return isTrue ? "true" : "false"
        case .number(let digits): return digits
        case .string(let text): return Self.quoted(text)
        case .array(let items):
            return "[\(items.map(\.canonicalText).joined(separator: ","))]"
        case .object(let members):
            let sorted = members.sorted { left, right in
                left.name.unicodeScalars.lexicographicallyPrecedes(right.name.unicodeScalars)
            }
            let texts = sorted.map { "\(Self.quoted($0.name)):\($0.value.canonicalText)" }
            return "{\(texts.joined(separator: ","))}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\u{8}": result += "\\b"
            case "\u{C}": result += "\\f"
            case "\u{0}"..<"\u{20}":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
