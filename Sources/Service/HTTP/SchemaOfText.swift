import Core

/// JSON Schema (2020-12) of what a schema text says, such as `{student:id(student),seconds?:int}`: the text is what a record's own
/// list of fields gives, so that the two cannot differ.
struct SchemaOfText {
    private var rest: Substring

    static func schema(of text: String) -> JSON {
        var schema = SchemaOfText(rest: text[...])
        return schema.value()
    }

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

    private mutating func value() -> JSON {
        let value = oneValue()
        guard rest.hasPrefix("|null") else { return value }
        rest.removeFirst("|null".count)
        return .object(of: [("anyOf", .array([value, Self.type("null")]))])
    }

    private mutating func oneValue() -> JSON {
        if rest.hasPrefix("{*:") {
            rest.removeFirst("{*:".count)
            let member = value()
            _ = take("}")
            return .object(of: [
                ("type", .string("object")), ("additionalProperties", member),
            ])
        }
        if take("{") { return record() }
        if take("[") {
            let item = value()
            _ = take("]")
            return Self.list(item)
        }
        if take("(") {
            let words = word(until: ")").split(separator: "|").map { JSON.string(String($0)) }
            _ = take(")")
            return .object(of: [("enum", .array(words))])
        }
        let form = word(until: "({[]},|")
        if form == "id", take("(") {
            _ = word(until: ")")
            _ = take(")")
        }
        if take("{") {
            let value = record()
            return form == "blocks" ? Self.list(value) : value
        }
        return Self.plain(form)
    }

    private mutating func record() -> JSON {
        var members: [(String, JSON)] = []
        var required: [JSON] = []
        while !rest.isEmpty, rest.first != "}" {
            let name = word(until: "?!:")
            let marks = word(until: ":")
            guard take(":") else { break }
            let schema = value()
            // A personal value is null once its person is erased, and for who may not see it.
            let isPersonal = marks.contains("!")
            members.append(
                (
                    name,
                    isPersonal
                        ? .object(of: [("anyOf", .array([schema, Self.type("null")]))]) : schema
                ))
            if !marks.contains("?") { required.append(.string(name)) }
            _ = take(",")
        }
        _ = take("}")
        var object: [(String, JSON)] = [
            ("type", .string("object")), ("properties", .object(of: members)),
        ]
        if !required.isEmpty { object.append(("required", .array(required))) }
        return .object(of: object)
    }

    private static func list(_ item: JSON) -> JSON {
        .object(of: [("type", .string("array")), ("items", item)])
    }

    private static func type(_ name: String) -> JSON { .object(of: [("type", .string(name))]) }

    private static func plain(_ form: String) -> JSON {
        switch form {
        case "bool": type("boolean")
        case "number": type("number")
        case "int": .object(of: [("type", .string("integer")), ("minimum", .integer(0))])
        case "signed", "position": type("integer")
        case "percent":
            .object(of: [
                ("type", .string("number")), ("minimum", .integer(0)), ("maximum", .integer(100)),
            ])
        case "instant":
            .object(of: [("type", .string("string")), ("format", .string("date-time"))])
        case "date": .object(of: [("type", .string("string")), ("format", .string("date"))])
        case "id":
            .object(of: [
                ("type", .string("string")), ("minLength", .integer(1)),
                ("maxLength", .integer(64)),
                ("pattern", .string("^[A-Za-z0-9._:-]+$")),
            ])
        case "json": .object([])
        default: type("string")
        }
    }
}
