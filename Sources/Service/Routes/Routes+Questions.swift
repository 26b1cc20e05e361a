import Core
import Engine
import HTTPTypes
import Hummingbird

/// What differs, and why (docs/service.md, Questions).
extension Routes {
    var questions: [Endpoint] {
        let span: [Endpoint.Parameter] = [
            .init(name: "from", form: .moment, summary: "The first of two moments."),
            .init(
                name: "to", form: .moment, summary: "The second one; the present if it is left out."
            ),
        ]
        let reason: [Endpoint.Parameter] = [
            .init(
                name: "path", form: .text,
                summary: "JSONPath (RFC 9535) of a value; the whole document if it is left out."),
            .init(name: "as-of", form: .position, summary: "The last event that counts."),
            .init(
                name: "limit", form: .number(0...1_000),
                summary: "At most this many events, the last ones."),
            .init(
                name: "now", form: .instant, summary: "The present that all documents are asked at."
            ),
        ]
        let near: [Endpoint.Parameter] = [
            .init(
                name: "as-of", form: .position,
                summary: "Those nearest to it are given; the last ones if it is left out."),
            .init(
                name: "limit", form: .number(1...1_000), summary: "At most this many."),
        ]
        let first: [Endpoint.Parameter] = [
            .init(name: "from", form: .text, summary: "From this key on."),
            .init(name: "limit", form: .number(1...1_000), summary: "At most this many."),
        ]
        return [
            Endpoint(
                method: .get, path: "/keys/{model}",
                summary: "The keys of which a read model has documents, in order of code point.",
                right: .question, query: first, answers: [200, 202, 400, 403, 404, 503], run: keys),
            Endpoint(
                method: .post, path: "/what-if",
                summary:
                    "How documents would differ had other policies been in force from the first event on.",
                right: .question, body: ["application/json"],
                answers: [200, 202, 400, 403, 404, 413, 503], run: whatIf),
        ]
            + ["", "/{key+}"].flatMap { key in
                [
                    Endpoint(
                        method: .get, path: "/steps/{model}" + key,
                        summary:
                            "The events that touched a document: no other can have changed it.",
                        right: .question, query: near, takesArguments: true,
                        answers: [200, 202, 400, 403, 404, 503], run: steps),
                    Endpoint(
                        method: .get, path: "/diff/{model}" + key,
                        summary:
                            "What differs in a document between two moments, as a JSON Patch (RFC 6902).",
                        right: .question, query: span, takesArguments: true,
                        answers: [200, 202, 400, 403, 404, 503], run: diff),
                    Endpoint(
                        method: .get, path: "/why/{model}" + key,
                        summary:
                            "The events that made a document, or a value in it, what it is, the last first.",
                        right: .question, query: reason, takesArguments: true,
                        answers: [200, 202, 400, 403, 404, 503], run: why),
                ]
            }
    }

    private func asked(_ call: Call, besides names: [String]) throws -> DocumentQuestion {
        let question = try question(call, besides: names)
        var asked = DocumentQuestion(
            question.model, key: question.key, arguments: question.request.arguments)
        asked.now = question.request.now
        asked.viewer = question.request.viewer
        return asked
    }

    @Sendable private func diff(_ call: Call) async throws -> Response {
        let question = try asked(call, besides: ["from", "to"])
        guard let from = try call.query.moment("from") else {
            throw Problem.badRequest("\"from\" is missing: a position or an instant")
        }
        let engine = try call.journal.engine(for: call.identity)
        let to = try call.query.moment("to") ?? .position(try engine.head())
        return try await past(call) { _ in
            let compared = try engine.diff(question, from: from, to: to)
            return Answer(compared.difference.patch.bytes, at: .zero)
        }.response
    }

    @Sendable private func why(_ call: Call) async throws -> Response {
        let question = try asked(call, besides: ["path", "as-of", "limit", "now"])
        let path = call.query["path"]
        let asOf = try call.query.position("as-of")
        let limit = try call.query.number("limit", in: 0...1_000, default: 20)
        let engine = try call.journal.engine(for: call.identity)
        return try await past(call) { _ in
            let explained = try engine.why(question, path: path, asOf: asOf, limit: limit)
            let causes = try explained.causes.map { try JSON(parsing: $0.document.bytes) }
            let body = JSON.object(of: [
                ("basis", explained.basis.map { .integer(Int64($0)) } ?? .null),
                ("causes", .array(causes)),
                ("isExact", .bool(explained.isExact)), ("now", .string("\(explained.now)")),
            ])
            return Answer(body.canonical, at: .zero)
        }.response
    }

    // MARK: Around a document

    /// What of it is counted one by one costs a document each: beyond so many, an event that touched it is taken for a change.
    private static let mostDocuments = 256

    @Sendable private func steps(_ call: Call) async throws -> Response {
        let question = try asked(call, besides: ["as-of", "limit"])
        let asOf = try call.query.position("as-of")
        let limit = try call.query.number("limit", in: 1...1_000, default: 500)
        let engine = try call.journal.engine(for: call.identity)
        return try await past(call) { _ in
            Answer(
                try Self.steps(of: question, around: asOf, atMost: limit, engine).canonical,
                at: .zero)
        }.response
    }

    private static func steps(
        of question: DocumentQuestion, around asOf: Position?, atMost limit: Int,
        _ engine: EventEngine
    ) throws -> JSON {
        guard let found = try engine.touches(question, around: asOf, atMost: limit) else {
            // All events touch it.
            return JSON.object(of: [
                ("before", .integer(0)), ("changes", .bool(false)), ("count", .null),
                ("places", .array([])),
            ])
        }
        guard found.count <= mostDocuments, found.count <= limit else {
            return places(
                found.around.map { ($0.position, $0.at, $0.type) }, found.before, found.count,
                areChanges: false)
        }
        let steps = try engine.steps(question)
        return places(
            steps.places.map { ($0.position, $0.at, $0.type) }, 0, steps.places.count,
            areChanges: true)
    }

    private static func places(
        _ places: [(Position, Instant, String)], _ before: Int, _ count: Int, areChanges: Bool
    ) -> JSON {
        let list = places.map { position, at, type in
            JSON.object(of: [
                ("at", .string("\(at)")), ("position", .integer(Int64(position.number))),
                ("type", .string(type)),
            ])
        }
        return .object(of: [
            ("before", .integer(Int64(before))), ("changes", .bool(areChanges)),
            ("count", .integer(Int64(count))),
            ("places", .array(list)),
        ])
    }

    @Sendable private func keys(_ call: Call) async throws -> Response {
        try call.query.checkNames(["from", "limit"])
        let model = try question(call, besides: ["from", "limit"]).model
        let limit = try call.query.number("limit", in: 1...1_000, default: 100)
        let from = call.query["from"] ?? ""
        let engine = try call.journal.engine(for: call.identity)
        guard engine.takesKey(model) else { throw Problem.notFound("the keys of \(model)") }
        return try await past(call) { _ in
            let all = try engine.keys(of: model)
            let found = all.drop { $0.precedes(from) }.prefix(limit)
            return Answer(
                JSON.object(of: [
                    ("count", .integer(Int64(all.count))),
                    ("keys", .array(found.map { .string($0) })),
                ]).canonical, at: .zero)
        }.response
    }

    // MARK: What if

    @Sendable private func whatIf(_ call: Call) async throws -> Response {
        try call.query.checkNames([])
        var body = try await Self.body(call, "an alternative")
        let policies = body.take("policies")?.members ?? []
        let models = try Self.names(body.take("models"))
        let count = try body.text("count")
        try body.end()
        guard !policies.isEmpty else {
            throw Problem.badRequest(
                "\"policies\" is an object of products and their policies' values")
        }
        for name in policies.map(\.name) + models {
            guard Self.isShared(name) ? call.identity.products == nil : call.identity.knows(name)
            else {
                throw Problem.notFound(name)
            }
        }
        guard count == nil || !models.isEmpty else {
            throw Problem.badRequest("\"count\" is about the documents of \"models\": name one")
        }
        let text = "\(JSON.object(policies)) \(models) \(count ?? "")"
        var alternative = Alternative()
        for product in policies {
            alternative.policies[product.name] = Document.Value(json: product.value.description)
        }
        // Of no other product can anything differ, so that who may not see it learns nothing.
        let names = models.isEmpty ? try Self.models(of: policies.map(\.name), call) : models
        let engine = try call.journal.engine(for: call.identity)
        let asked = (alternative, names, count, call.identity.viewer)
        return try await past(call, body: text) { tell in
            let found: AlternativeOutcome
            do {
                found = try engine.whatIf(
                    asked.0, models: asked.1, counting: asked.2, as: asked.3
                ) { tell($0) }
            } catch {
                throw Self.problem(of: error)
            }
            let list = found.models.map(Self.json)
            return Answer(JSON.object(of: [("models", .array(list))]).canonical, at: .zero)
        }.response
    }

    /// A name of a read model, or a list of such; none where nothing is said.
    private static func names(_ value: JSON?) throws -> [String] {
        guard let value, !value.isNull else { return [] }
        if let name = value.string { return [name] }
        let names = value.array?.compactMap(\.string) ?? []
        guard let list = value.array, list.count == names.count else {
            throw Problem.badRequest("\"models\" is a name of a read model, or a list of names")
        }
        return names
    }

    /// A policy that cannot be in force is the client's doing.
    private static func problem(of error: any Error) -> any Error {
        guard let wrong = error as? EngineError, case .policyNotPossible = wrong.reason else {
            return error
        }
        return Problem.badRequest(wrong.message)
    }

    private static func json(_ model: ModelComparison) -> JSON {
        let holds = model.holding.map { holding in
            JSON.object(of: [
                ("new", .integer(Int64(holding.new))), ("old", .integer(Int64(holding.old))),
            ])
        }
        return .object(of: [
            ("differing", .integer(Int64(model.differing.count))),
            ("documents", .integer(Int64(model.documents))), ("holds", holds ?? .null),
            ("keys", .array(model.differing.prefix(20).map { .string($0.key) })),
            ("model", .string(model.model)),
        ])
    }

    private static func models(of products: [String], _ call: Call) throws -> [String] {
        let engine = try call.journal.engine(for: call.identity)
        return try engine.listedModels.map(\.name).filter { name in
            products.contains { name.hasPrefix($0 + ".") }
        }
    }
}
