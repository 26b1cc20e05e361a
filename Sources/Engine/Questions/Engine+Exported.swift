import Core
import EventLog

extension EventEngine {
    /// Every document of the read models, a JSON line each, by model and key: what another build's answers are compared with.
    ///
    /// The first line says where they stand, `{"now":…,"position":…}`; the others are
    /// `{"arguments":{…},"document":…,"key":…,"model":…}`. No names: every model of every product.
    public func exportDocuments(
        of names: [String] = [], _ write: ([UInt8]) throws(EngineError) -> Void
    ) throws(EngineError) {
        let (models, state, now) = try whileOpen {
            let snapshot = try journal.snapshot()
            let head = snapshot.head.position
            let models = try ComparedModels(registry, names)
            return (
                models, try comparedState(models.products, through: head, of: head),
                try snapshot.instant(at: head)
            )
        }
        let place = ExportedDocuments(position: state.scope.through, now: now)
        try write(place.header.bytes + [UInt8(ascii: "\n")])
        for model in models.models {
            let documents = try whileOpen {
                try models.documents(of: model, state, now: now)
            }
            for key in documents.keys.sorted(by: { $0.precedes($1) }) {
                for (arguments, document) in documents[key] ?? [] {
                    let line = ExportedDocuments.line(model.name, key, arguments, document)
                    try write(line.bytes + [UInt8(ascii: "\n")])
                }
            }
        }
    }

    /// Compares every document of an export of documents, as another build made it of this journal, with what this build says
    /// at the same position and present.
    ///
    /// - Parameters:
    ///   - names: the models; none means all that the export has.
    ///   - next: the export's lines, without their ends; nil behind the last.
    public func diff(
        models names: [String] = [], exported next: () throws(EngineError) -> [UInt8]?
    ) throws(EngineError) -> [ModelComparison] {
        let exported = try ExportedDocuments(next)
        return try whileOpen {
            let models = try ComparedModels(registry, names.isEmpty ? exported.models : names)
            let snapshot = try journal.snapshot()
            try snapshot.checkReached(exported.position)
            let state = try comparedState(
                models.products, through: exported.position, of: snapshot.head.position)
            return try models.models.map { model in
                let before = exported.documents[model.name] ?? [:]
                let after = try models.documents(of: model, state, now: exported.now)
                let unknown = try models.unknown(
                    after, before, of: model, state, now: exported.now)
                return try models.comparison(
                    of: model.name, before, after, unknown: ([:], unknown))
            }
        }
    }
}

/// Documents as another build printed them.
private struct ExportedDocuments {
    /// Of the last event that counts in them.
    let position: Position
    /// The present that they were asked at.
    let now: Instant
    /// By model.
    private(set) var documents: [String: ComparedModels.Documents] = [:]
    /// In the order in which they come.
    private(set) var models: [String] = []

    init(position: Position, now: Instant) {
        self.position = position
        self.now = now
    }

    init(_ next: () throws(EngineError) -> [UInt8]?) throws(EngineError) {
        var number = 0
        func nextLine() throws(EngineError) -> [UInt8]? {
            while let line = try next() {
                number += 1
                if !line.isEmpty { return line }
            }
            return nil
        }
        let first = try nextLine().flatMap { try? JSON(parsing: $0) }.map { Document.Value($0) }
        guard let first, let position = first["position"].integer.flatMap(UInt64.init(exactly:)),
            let now = first["now"].string.flatMap(Instant.init(recorded:))
        else { throw Self.wrong(line: max(1, number), "where its documents stand") }
        self.init(position: Position(position), now: now)
        while let bytes = try nextLine() {
            guard let line = (try? JSON(parsing: bytes)).map({ Document.Value($0) }),
                let model = line["model"].string, let arguments = Self.arguments(line)
            else { throw Self.wrong(line: number, "a document") }
            if documents[model] == nil { models.append(model) }
            documents[model, default: [:]][line["key"].string ?? "", default: []].append(
                (arguments, Document(value: line["document"])))
        }
    }

    private static func arguments(_ line: Document.Value) -> [String: String]? {
        guard case .object(let members) = line["arguments"] else { return nil }
        var found: [String: String] = [:]
        for member in members {
            guard let value = member.value.string else { return nil }
            found[member.name] = value
        }
        return found
    }

    private static func wrong(line: Int, _ expected: String) -> EngineError {
        EngineError(
            .badInput,
            "line \(line) does not say \(expected); give what an export of documents wrote")
    }

    var header: Document {
        Document(
            value: .object([
                (name: "now", value: .string("\(now)")),
                (name: "position", value: .number("\(position)")),
            ]))
    }

    static func line(
        _ model: String, _ key: String, _ arguments: [String: String], _ document: Document
    ) -> Document {
        Document(
            value: .object([
                (
                    name: "arguments",
                    value: .object(arguments.map { (name: $0.key, value: .string($0.value)) })
                ),
                (name: "document", value: document.value),
                (name: "key", value: key.isEmpty ? .null : .string(key)),
                (name: "model", value: .string(model)),
            ]))
    }
}
