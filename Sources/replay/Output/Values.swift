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
}
