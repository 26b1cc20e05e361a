import Core
import Engine
import HTTPTypes
import Hummingbird
import Synchronization

/// What auditors take home: a report for people, and the journal without personal values (docs/service/auditor.md).
extension Routes {
    var report: [Endpoint] {
        [
            Endpoint(
                method: .get, path: "/audit/report",
                summary: "Who did what in a period, and what vouches for it: one page of HTML.",
                right: .audit,
                query: [
                    .init(name: "from", form: .instant, summary: "What happened from then on."),
                    .init(name: "to", form: .instant, summary: "What happened up to then."),
                ],
                answers: [200, 400, 403, 503], media: ["text/html"], run: makeReport),
            Endpoint(
                method: .get, path: "/audit/export",
                summary:
                    "The whole journal without keys and personal values, as replay export --sealed prints it.",
                right: .audit, answers: [200, 400, 403, 503], media: ["application/x-ndjson"],
                run: export),
        ]
    }

    @Sendable private func makeReport(_ call: Call) async throws -> Response {
        try call.query.checkNames(["from", "to"])
        let (from, to) = (try call.query.instant("from"), try call.query.instant("to"))
        let engine = call.journal.engine
        let page = try await call.journal.past.run(within: pastDeadline) {
            try engine.auditReport(from: from, to: to)
        }
        var headers = HTTPFields()
        headers[.contentType] = "text/html; charset=utf-8"
        headers[.cacheControl] = "private, no-cache"
        headers[.contentSecurityPolicy] =
            "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        return Response(status: .ok, headers: headers, body: .bytes(page))
    }

    /// An export is read by so much: smaller slices would open the same block of the journal again and again.
    private static let exportBytes = 320 << 10
    /// It is written by so much: a few of these are on their way to a client that takes nothing.
    private static let pieceBytes = 64 << 10

    @Sendable private func export(_ call: Call) async throws -> Response {
        try call.query.checkNames([])
        let slices = Mutex(
            try call.journal.engine.exportSlices(isSealed: true, sliceBytes: Self.exportBytes))
        let next: @Sendable () throws -> [UInt8]? = { try slices.withLock { try $0.next() } }
        let (proving, deadline) = (call.journal.proving, pastDeadline)
        let first = try await proving.run(within: deadline, next)
        var headers = HTTPFields()
        headers[.contentType] = "application/x-ndjson"
        headers[.cacheControl] = "no-store"
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { writer in
                var slice = first
                while let lines = slice {
                    var rest = lines[...]
                    while !rest.isEmpty {
                        try call.grant.check()
                        // To the end of a line.
                        let behind = rest.dropFirst(Self.pieceBytes)
                        let end = behind.firstIndex(of: 10) ?? lines.count - 1
                        try await writer.write(ByteBuffer(bytes: rest[...end]))
                        rest = rest[(end + 1)...]
                    }
                    slice = try await proving.run(within: deadline, next)
                }
                try await writer.finish(nil)
            })
    }
}
