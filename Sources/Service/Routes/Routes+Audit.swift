import Core
import Engine
import HTTPTypes
import Hummingbird
import Logging

/// Checkpoints and proofs, as `replay checkpoint` and `replay prove` write them (docs/service/auditor.md).
extension Routes {
    var audit: [Endpoint] {
        let span: [Endpoint.Parameter] = [
            .init(name: "from", form: .position, summary: "The size of a kept checkpoint."),
            .init(
                name: "to", form: .position,
                summary: "The size of a later one; the newest if it is left out."),
        ]
        return [
            Endpoint(
                method: .get, path: "/audit/proofs/inclusion/{position}",
                summary: "A file that proves that an event is in the journal as it was signed.",
                right: .audit, answers: [200, 400, 403, 503], media: ["text/plain"],
                run: inclusion),
            Endpoint(
                method: .get, path: "/audit/proofs/consistency",
                summary: "A file that proves that a later checkpoint continues an earlier one.",
                right: .audit, query: span, answers: [200, 400, 403, 503],
                media: ["text/plain"], run: consistency),
            Endpoint(
                method: .get, path: "/audit/checkpoints",
                summary: "The checkpoints that are kept, the smallest first.",
                right: .audit, answers: [200, 400, 403, 503], run: checkpoints),
            Endpoint(
                method: .get, path: "/audit/checkpoints/{size}",
                summary: "A kept checkpoint, by the number of events that it covers.",
                right: .audit, answers: [200, 400, 403, 404, 503], media: ["text/plain"],
                run: checkpoint),
            Endpoint(
                method: .post, path: "/audit/checkpoints",
                summary: "Signs the journal as it is now, with the key of the settings.",
                right: .operate,
                query: [
                    .init(
                        name: "attesting", form: .flag,
                        summary: "Also what the read models say, by their digests.")
                ],
                answers: [201, 400, 403, 409, 503], media: ["text/plain"], run: sign),
        ]
    }

    @Sendable private func inclusion(_ call: Call) async throws -> Response {
        try call.query.checkNames([])
        guard case .position(let position)? = Moment(call.part("position")) else {
            throw Problem.badRequest("a position is a whole number: \(call.part("position"))")
        }
        let engine = call.journal.engine
        return .note(
            try await call.journal.proving.run(within: pastDeadline) {
                try engine.proof(ofEventAt: position)
            })
    }

    @Sendable private func consistency(_ call: Call) async throws -> Response {
        try call.query.checkNames(["from", "to"])
        guard let from = try call.query.position("from") else {
            throw Problem.badRequest("\"from\" is missing: the size of a kept checkpoint")
        }
        let to = try call.query.position("to")
        let engine = call.journal.engine
        return .note(
            try await call.journal.proving.run(within: pastDeadline) {
                try engine.proof(from: from.number, to: to?.number)
            })
    }

    private func kept(_ call: Call) async throws -> [KeptCheckpoint] {
        try call.query.checkNames([])
        let engine = call.journal.engine
        return try await call.journal.proving.run(within: pastDeadline) {
            try engine.keptCheckpoints()
        }
    }

    @Sendable private func checkpoints(_ call: Call) async throws -> Response {
        let list = try await kept(call).map { kept in
            JSON.object(of: [
                ("origin", .string(kept.origin)), ("root", .string(kept.root)),
                ("size", .integer(Int64(kept.size))),
            ])
        }
        let key = signer?.verifierKey
        return Response(
            json: JSON.object(of: [
                ("checkpoints", .array(list)), ("key", key.map { .string($0) } ?? .null),
            ]).canonical)
    }

    @Sendable private func checkpoint(_ call: Call) async throws -> Response {
        guard let size = UInt64(call.part("size")) else {
            throw Problem.badRequest("a size is a whole number: \(call.part("size"))")
        }
        guard let found = try await kept(call).last(where: { $0.size == size }) else {
            throw Problem.notFound("a checkpoint of \(size) events")
        }
        return .note(found.bytes)
    }

    @Sendable private func sign(_ call: Call) async throws -> Response {
        try call.query.checkNames(["attesting"])
        let attesting = try call.query.flag("attesting")
        // The journals beside the default one would be forks of it under the key's name.
        guard let signer, call.journal.name.isEmpty else {
            throw Problem(
                .conflict, "no-log-key", "no key is set to sign this journal with: log.key")
        }
        do {
            let kept = try await signer.sign(attesting: attesting, within: pastDeadline)
            call.logger.notice("signed a checkpoint", metadata: ["by": "\(call.identity.name)"])
            var response = Response.note(kept.bytes)
            response.status = .created
            response.headers[.location] = "/v1/audit/checkpoints/\(kept.size)"
            return response
        } catch let error as EngineError where error.kind == .checkFailed {
            call.logger.error("nothing was signed", metadata: ["error": "\(error.message)"])
            throw Problem(
                .conflict, "check-failed",
                "nothing was signed: the journal does not continue what the key signed before; run verify"
            )
        }
    }
}

extension Response {
    /// A text that is signed, or proves something.
    static func note(_ bytes: [UInt8], cached: String = "private, no-cache") -> Response {
        var headers = HTTPFields()
        headers[.contentType] = "text/plain; charset=utf-8"
        headers[.cacheControl] = cached
        return Response(status: .ok, headers: headers, body: .bytes(bytes))
    }
}
