import Core

/// The schema of a record as text, `{student:id(student),seconds?:int}`, read back: for people who look up a command.
struct SchemaText {
    private var rest: Substring
    /// Whether an example has the field, which may be left out.
    private let includes: (String) -> Bool
    /// Every field that may be left out, as it is met.
    private var optional: [String] = []

    private init(_ schema: String, including includes: @escaping (String) -> Bool) {
        rest = schema[...]
        self.includes = includes
    }

    struct Field {
        let name: String
        let form: String
        let isOptional: Bool
    }

    /// The fields of a record, each with the text of its form.
    static func fields(of schema: String) -> [Field] {
        var text = SchemaText(schema) { _ in true }
        guard text.take("{") else { return [] }
        var fields: [Field] = []
        while let (name, isOptional) = text.fieldName() {
            let start = text.rest
            _ = text.value(named: name)
            let form = String(start[..<text.rest.startIndex])
            fields.append(Field(name: name, form: form, isOptional: isOptional))
            _ = text.take(",")
        }
        return fields
    }

    /// Values of that form: the smallest, then those with some of what may be left out, since some commands want one of two.
    static func examples(of schema: String) -> [JSON] {
        var whole = SchemaText(schema) { _ in true }
        let all = whole.value(named: "")
        func example(_ includes: @escaping (String) -> Bool) -> JSON {
            var text = SchemaText(schema, including: includes)
            return text.value(named: "")
        }
        let names = whole.optional
        return [example { _ in false }, all] + names.map { name in example { $0 == name } }
            + names.map { name in example { $0 != name } }
    }

    // MARK: Reading

    private mutating func take(_ sign: Character) -> Bool {
        guard rest.first == sign else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func word(until ends: String) -> String {
        let word = rest.prefix { !ends.contains($0) }
        rest = rest[word.endIndex...]
        return String(word)
    }

    /// The name before a colon, without the marks `?` and `!`; nil at the end of the record.
    private mutating func fieldName() -> (name: String, isOptional: Bool)? {
        guard !rest.isEmpty, rest.first != "}" else { return nil }
        let name = word(until: "?!:")
        let marks = word(until: ":")
        guard take(":") else { return nil }
        return (name, marks.contains("?"))
    }

    private mutating func value(named name: String) -> JSON {
        let value = oneValue(named: name)
        if rest.hasPrefix("|null") { rest.removeFirst("|null".count) }
        return value
    }

    private mutating func oneValue(named name: String) -> JSON {
        if take("{") { return record() }
        if take("[") {
            let item = value(named: name)
            _ = take("]")
            return .array(item.string == Self.text ? [item, .string("another")] : [item])
        }
        if take("(") {
            let first = word(until: "|)")
            _ = word(until: ")")
            _ = take(")")
            return .string(first)
        }
        let form = word(until: "({[]},|")
        if form == "id", take("(") {
            let kind = word(until: ")")
            _ = take(")")
            return .string(Self.id(of: kind))
        }
        // A record with a name of its own, such as a list of blocks.
        if take("{") {
            let value = record()
            return form == "blocks" ? .array([value]) : value
        }
        return Self.plain(form, named: name)
    }

    private mutating func record() -> JSON {
        var members: [(String, JSON)] = []
        while let (name, isOptional) = fieldName() {
            let value = value(named: name)
            if isOptional { optional.append(name) }
            if !isOptional || includes(name) { members.append((name, value)) }
            _ = take(",")
        }
        _ = take("}")
        return .object(of: members)
    }

    // MARK: Values

    /// `EX-1` for an exam.
    private static func id(of kind: String) -> String { "\(kind.prefix(2).uppercased())-1" }

    private static let text = "text"

    private static func plain(_ form: String, named name: String) -> JSON {
        switch form {
        case "bool": .bool(true)
        case "int", "signed", "position": .integer(named[name] ?? 1)
        case "percent": .integer(50)
        case "instant": .string("2026-02-02T09:00:00Z")
        case "date": .string("2026-02-02")
        case "zone": .string(zone)
        case "topic": .string("1.1")
        case "recipient": .string("student:S-1")
        case "id": .string(isDigest(name) ? digest : id(of: name))
        case "json": .object(of: [("name", .integer(1))])
        default: .string(texts[name] ?? (isDigest(name) ? digest : text))
        }
    }

    private static let zone = "Asia/Riyadh"
    private static let digest = String(repeating: "0123456789abcdef", count: 4)

    private static func isDigest(_ name: String) -> Bool {
        name == "hash" || name == "digest" || name.hasSuffix("Hash") || name.hasSuffix("Digest")
    }

    /// Texts and numbers that have a form or a range of their own, by the names that all products give them.
    private static let texts = [
        "by": "student:S-1", "currency": "SAR", "email": "amal@example.org", "timeZone": zone,
    ]
    private static let named: [String: Int64] = ["minutes": 30, "textSize": 100]
}
