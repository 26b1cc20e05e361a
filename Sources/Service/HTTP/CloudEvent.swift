import Core
import Engine

/// An event in the form of CloudEvents 1.0.2.
enum CloudEvent {
    static func json(of event: Event, source: String) throws -> JSON {
        let whole = try JSON(parsing: event.document.bytes)
        var members: [(String, JSON)] = [
            ("specversion", .string("1.0")), ("id", .string("\(event.position)")),
            ("source", .string(source)),
            ("type", .string(event.type)), ("subject", .string(event.stream)),
            ("datacontenttype", .string("application/json")),
        ]
        // Extension names are lower-case letters and digits; one without a value is left out.
        for (name, member) in [
            ("time", "at"), ("data", "data"), ("revision", "revision"),
            ("recordedat", "recordedAt"),
            ("command", "command"), ("actor", "by"), ("cause", "cause"),
            ("schemaversion", "version"),
        ] {
            if let value = whole[member], !value.isNull { members.append((name, value)) }
        }
        return .object(of: members)
    }
}
