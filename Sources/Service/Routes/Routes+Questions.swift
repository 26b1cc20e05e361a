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
        return ["", "/{key+}"].flatMap { key in
            [
                Endpoint(
                    method: .get, path: "/diff/{model}" + key,
                    summary:
                        "What differs in a document between two moments, as a JSON Patch (RFC 6902).",
                    right: .question, query: span, takesArguments: true,
                    answers: [200, 400, 403, 404, 503], run: diff),
                Endpoint(
                    method: .get, path: "/why/{model}" + key,
                    summary:
                        "The events that made a document, or a value in it, what it is, the last first.",
                    right: .question, query: reason, takesArguments: true,
                    answers: [200, 400, 403, 404, 503], run: why),
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
        let compared = try await call.journal.past.run(within: pastDeadline) {
            try engine.diff(question, from: from, to: to)
        }
        return Response(json: compared.difference.patch.bytes)
    }

    @Sendable private func why(_ call: Call) async throws -> Response {
        let question = try asked(call, besides: ["path", "as-of", "limit", "now"])
        let path = call.query["path"]
        let asOf = try call.query.position("as-of")
        let limit = try call.query.number("limit", in: 0...1_000, default: 20)
        let engine = try call.journal.engine(for: call.identity)
        let explained = try await call.journal.past.run(within: pastDeadline) {
            try engine.why(question, path: path, asOf: asOf, limit: limit)
        }
        let causes = try explained.causes.map { try JSON(parsing: $0.document.bytes) }
        let body = JSON.object(of: [
            ("basis", explained.basis.map { .integer(Int64($0)) } ?? .null),
            ("causes", .array(causes)),
            ("isExact", .bool(explained.isExact)), ("now", .string("\(explained.now)")),
        ])
        return Response(json: body.canonical)
    }
}
