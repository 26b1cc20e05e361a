import Core
import Engine
import HTTPTypes
import Hummingbird
import Synchronization

/// How the service is (docs/service.md, Operations).
extension Routes {
    var status: [Endpoint] {
        [
            Endpoint(
                method: .get, path: "/status",
                summary: "Where the journal stands, and what the service is busy with.",
                right: .operate, answers: [200, 403, 503], run: tell)
        ]
    }

    /// Of the service as a whole.
    var whole: [Endpoint] {
        [
            Endpoint(
                method: .get, path: "/journals",
                summary: "The names of the journals beside the default one.",
                right: .operate, answers: [200, 403], run: journalNames),
            Endpoint(
                method: .get, path: "/placement",
                summary: "Which node has which journal, and which are open on this one.",
                right: .operate, answers: [200, 403, 404], run: tellPlacement),
        ] + clusterStatus + sinkStatus
    }

    /// Outside `/v1`: for who looks after the machine.
    var health: [Endpoint] {
        [
            Endpoint(
                method: .get, path: "/health/live", summary: "Whether the process answers at all.",
                right: .open,
                answers: [200], media: ["text/plain"], run: { _ in Self.plain("alive\n") }),
            Endpoint(
                method: .get, path: "/health/ready", summary: "Whether requests can be answered.",
                right: .open,
                answers: [200, 503], media: ["text/plain"], run: ready),
            Endpoint(
                method: .get, path: "/metrics", summary: "Metrics in the text form of Prometheus.",
                right: .operate,
                answers: [200, 403], media: ["text/plain"], run: tellMetrics),
            Endpoint(
                method: .get, path: "/openapi.json", summary: "This table, as OpenAPI 3.1.",
                right: .open,
                answers: [200], run: { _ in Response(json: OpenAPI(table).document.canonical) }),
        ]
    }

    private static func plain(_ text: String) -> Response {
        var headers = HTTPFields()
        headers[.contentType] = "text/plain; charset=utf-8"
        headers[.cacheControl] = "no-store"
        return Response(
            status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    @Sendable private func ready(_ call: Call) async throws -> Response {
        if drain.isDraining {
            throw Problem.unavailable("draining", "the service is shutting down")
        }
        _ = try call.journal.engine.head()
        let more = call.journal.cluster.map { ": \($0.readiness)" } ?? ""
        return Self.plain("ready\(more)\n")
    }

    @Sendable private func tell(_ call: Call) async throws -> Response {
        let journal = call.journal
        let head = try journal.engine.head()
        let more = journal.cluster.map { [("cluster", $0.document)] } ?? []
        let own: [(String, JSON)] = [
            (
                "cache",
                .object(of: [
                    ("bytes", .integer(Int64(journal.cache.bytes))),
                    ("hits", .integer(Int64(journal.cache.hits.load(ordering: .relaxed)))),
                    ("misses", .integer(Int64(journal.cache.misses.load(ordering: .relaxed)))),
                ])
            ),
            ("listeners", .integer(Int64(journal.ring.listenerCount))),
            ("position", .integer(Int64(head.number))),
            ("waitingCommands", .integer(Int64(journal.submissions.count))),
            ("waitingQuestions", .integer(Int64(journal.waitingQuestions))),
        ]
        return Response(json: JSON.object(of: own + more).canonical, position: head)
    }

    @Sendable private func journalNames(_ call: Call) async throws -> Response {
        let names = await journals.names().filter { name in
            call.identity.journals.map { $0.contains(name) } ?? true
        }
        return Response(
            json: JSON.object(of: [("journals", .array(names.map { .string($0) }))]).canonical)
    }

    @Sendable private func tellPlacement(_ call: Call) async throws -> Response {
        guard let (table, open) = await journals.placed else {
            throw Problem.notFound("a placement: this service has all its journals, it")
        }
        let mine = call.identity.journals
        let rows = table.nodes.sorted { $0.key < $1.key }.filter { mine?.contains($0.key) ?? true }
        let items = rows.map { name, node in
            JSON.object(of: [
                ("name", .string(name)), ("node", node.map { .string($0) } ?? .null),
                ("open", .bool(open.contains(name))),
            ])
        }
        return Response(
            json: JSON.object(of: [("journals", .array(items)), ("node", .string(table.node))])
                .canonical)
    }

    @Sendable private func tellMetrics(_ call: Call) async throws -> Response {
        metrics.observe(await journals.open)
        ProcessMetrics.observe(metrics.registry, journal: configuration.journal)
        journals.standard.cluster?.observe(metrics.registry)
        if let signer { metrics.observe(unsigned: try await signer.unsignedEvents()) }
        var response = Self.plain(metrics.text)
        response.headers[.contentType] = "text/plain; version=0.0.4; charset=utf-8"
        return response
    }
}
