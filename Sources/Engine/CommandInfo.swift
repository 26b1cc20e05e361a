import Commands
import Core
import Folding

/// A command as it can be sent.
public struct CommandInfo: Sendable {
    /// A field of a command's data.
    public struct Field: Sendable {
        /// As the data has it.
        public let name: String
        /// What its value must look like, such as `id(exam)`, `[text]` or `(instant|after)`.
        public let form: String
        /// Whether it may be left out.
        public let isOptional: Bool
    }

    /// As it is sent: `PRODUCT.NOUN.VERB`.
    public let name: String
    /// What its data holds, in the order of the page.
    public let fields: [Field]
    /// The kinds of actor that may send it.
    public let senders: [String]
    /// A command line of the right form; what it names need not exist.
    public let example: Document

    init(name: String, schema: String, senders: [Actor.Kind], data: JSON) {
        self.name = name
        self.senders = senders.map(\.rawValue)
        fields = SchemaText.fields(of: schema).map {
            Field(name: $0.name, form: $0.form, isOptional: $0.isOptional)
        }
        let by = senders.first.map { $0 == .system ? "system" : "\($0.rawValue):X-1" } ?? "system"
        let line = JSON.object(of: [
            ("at", .string("2026-02-02T09:00:00Z")), ("by", .string(by)),
            ("command", .string(name)), ("data", data), ("id", .string("c-1")),
        ])
        example = Document(bytes: line.canonical)
    }

    /// Who may send `clock.advance`.
    static let clockAdvancers: Senders = .any(.system, .service)
    /// Who may send `account.erase`; each product says which of them.
    static let erasers: Senders = .any(.system, .admin, .student, .coach)

    /// The commands of no product (shared page).
    static let shared = [
        CommandInfo(
            name: "clock.advance", schema: "{}", senders: clockAdvancers.kinds,
            data: .object([])),
        CommandInfo(
            name: "account.erase", schema: "{subject:text}",
            senders: erasers.kinds,
            data: .object(of: [("subject", .string("examroom/S-1"))])),
    ]

    static func all<P: Rules>(of rules: P.Type) -> [CommandInfo] {
        P.commands.map { command in
            describe(command.type) { data in
                var input = JSONInput(names: Names(), path: "data")
                return command.read(data, &input) != nil
            }
        }
    }

    private static func describe<C: ProductCommand>(
        _ type: C.Type, _ canRead: (JSON) -> Bool
    ) -> CommandInfo {
        let state = C.Product.State(space: TableSpace(), names: Names())
        let examples = SchemaText.examples(of: C.schema)
        return CommandInfo(
            name: C.type, schema: C.schema, senders: C.kinds(in: state),
            data: examples.first(where: canRead) ?? .object([]))
    }
}

extension [Product] {
    /// The event types that an engine of these products may record now: name, version, and the schema of the data as text.
    package var eventSchemas: [(name: String, version: Int, schema: String)] {
        let newest = Dictionary(
            flatMap(\.payloads).map { ($0.name, $0) },
            uniquingKeysWith: { $1.version > $0.version ? $1 : $0 })
        return newest.values.map { ($0.name, Int($0.version), $0.schema) }.sorted {
            $0.name.precedes($1.name)
        }
    }

    /// What happened, as a sentence in English, by the event types.
    package var eventSentences: [String: String] {
        Dictionary(flatMap(\.payloads).map { ($0.name, $0.sentence) }, uniquingKeysWith: { $1 })
    }

    /// The commands that an engine of these products takes and that begin so, by name; throws where there is none.
    public func commands(
        beginningWith prefix: String = ""
    ) throws(EngineError) -> [CommandInfo] {
        let all = CommandInfo.shared + flatMap { $0.describeCommands() }
        let found = all.filter { $0.name.hasPrefix(prefix) }
        guard !found.isEmpty else {
            let nearest = NearestName.of(prefix, in: all.map(\.name))
            throw EngineError(
                .wrongUse,
                "no command begins with \"\(prefix)\"; "
                    + (nearest.map { "did you mean \($0)?" } ?? "without a beginning all are listed")
            )
        }
        return found.sorted { $0.name.precedes($1.name) }
    }
}
