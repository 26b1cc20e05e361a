import Core
import Engine
import HTTPTypes
import Hummingbird

/// Commands in, outcomes out (docs/service.md, Commands).
extension Routes {
    var commands: [Endpoint] {
        [
            Endpoint(
                method: .post, path: "/commands",
                summary:
                    "Submit a command, or a line each of many; an answer says that its events are durable.",
                right: .submit,
                query: [.init(name: "dry-run", form: .flag, summary: "Decide and record nothing.")],
                body: ["application/json", "application/x-ndjson"], schema: "Command",
                answers: [200, 201, 400, 403, 404, 409, 413, 415, 422, 429, 503],
                media: ["application/json", "application/x-ndjson"], run: submit),
            Endpoint(
                method: .post, path: "/explain",
                summary: "What would come of a command, and by which checks; nothing is recorded.",
                right: .submit, body: ["application/json"], schema: "Command",
                answers: [200, 400, 403, 413, 415, 503], run: explain),
        ]
    }

    @Sendable private func submit(_ call: Call) async throws -> Response {
        try call.query.checkNames(["dry-run"])
        let type = call.request.headers[.contentType]?.split(separator: ";").first?.trimmed
            .lowercased()
        switch type {
        case nil, "application/json": return try await submitOne(call)
        case "application/x-ndjson", "application/jsonl": return try submitMany(call)
        case let type?:
            throw Problem(
                .unsupportedMediaType, "unsupported-media-type",
                "\(type): send application/json, or application/x-ndjson for a command a line")
        }
    }

    // MARK: One

    func body(of request: Request) async throws -> [UInt8] {
        try await request.wholeBody(atMost: configuration.limits.commandBytes, "a command")
    }

    private func submitOne(_ call: Call) async throws -> Response {
        let screen = CommandScreen(call.identity, now: Instant.now)
        let command = try screen.admit(
            try await body(of: call.request), idempotencyKey: try Self.idempotencyKey(call.request))
        let outcome: Outcome
        let isDryRun = try call.query.flag("dry-run")
        if isDryRun {
            let viewer = call.identity.viewer
            outcome = try await call.journal.past.run(within: pastDeadline) {
                try call.journal.engine.submit([command], isDryRun: true, as: viewer)[0]
            }
        } else {
            let asked = call.trace.map { _ in ContinuousClock.now }
            outcome = try await call.journal.submissions.admit {
                try await call.journal.submit([command], as: call.identity.viewer).one
            }
            if let trace = call.trace, let asked,
                let commit = outcome.position.flatMap({ call.journal.commits?.commit(of: $0) })
            {
                tracer?.record(trace, commit, askedAt: asked)
            }
            metrics.count(outcome)
        }
        return try Self.response(
            to: call.identity.seeing(outcome, of: call.journal.engine), isDryRun: isDryRun,
            call.journal)
    }

    /// The field's value: a text in quotes (RFC 9651, section 3.3.3), or what stands there.
    private static func idempotencyKey(_ request: Request) throws -> String? {
        guard let field = request.headers[.idempotencyKey]?[...].trimmed, !field.isEmpty else {
            return nil
        }
        guard field.hasPrefix("\"") else { return String(field) }
        var key = ""
        var rest = field.dropFirst()
        if rest.isEmpty { throw wrongKey }
        while let next = rest.popFirst(), next != "\"" {
            let isEscape = next == "\\"
            guard let meant = isEscape ? rest.popFirst() : next,
                !isEscape || meant == "\"" || meant == "\\"
            else { throw wrongKey }
            key.append(meant)
            // The text has to end with a quote of its own.
            if rest.isEmpty { throw wrongKey }
        }
        guard rest.isEmpty else { throw wrongKey }
        return key
    }

    private static var wrongKey: Problem {
        .badRequest("Idempotency-Key: one text is wanted, in quotes or plain")
    }

    private static func response(
        to outcome: Outcome, isDryRun: Bool, _ journal: HostedJournal
    ) throws -> Response {
        if outcome.status == .rejected { throw Problem(outcome) }
        var headers = HTTPFields()
        headers[.contentType] = "application/json"
        headers[.cacheControl] = "no-store"
        // Who sends may see none of the events, and a command may lead to none: what was written
        // is within the head all the same.
        let position = isDryRun ? nil : outcome.position ?? (try? journal.engine.head())
        if let position { headers[.position] = "\(position)" }
        if outcome.status == .duplicate { headers[.idempotencyReplayed] = "true" }
        let isNew = outcome.status == .accepted && !isDryRun
        if isNew, let seen = outcome.position {
            headers[.location] = "\(journal.prefix)/events/\(seen)"
        }
        return Response(
            status: isNew ? .created : .ok, headers: headers,
            body: .bytes(outcome.document.bytes + [10]))
    }

    @Sendable private func explain(_ call: Call) async throws -> Response {
        try call.query.checkNames([])
        let screen = CommandScreen(call.identity, now: Instant.now)
        let command = try screen.admit(try await body(of: call.request), idempotencyKey: nil)
        // What a check saw may be another's, or personal: it is told to who sees all.
        let identity = call.identity
        guard identity.viewer == nil, !identity.isKeptFromPersonal else {
            throw Problem.forbidden(
                "the checks of a command are told to who may see all of the journal")
        }
        let engine = call.journal.engine
        let outcome = try await call.journal.past.run(within: pastDeadline) {
            try engine.submitAll([command], isDryRun: true, explains: true).outcomes.first
        }
        guard let outcome,
            let explained = ExplainedOutcome(try identity.seeing(outcome, of: engine))
        else { throw Problem.badRequest("send one command") }
        return Response(json: explained.document.bytes)
    }

    // MARK: Many

    /// Outcomes are streamed as their commit is durable; a bad line does not stop the rest, and
    /// each line has an outcome: one that the service could not take, and all behind it, the code
    /// of why.
    private func submitMany(_ call: Call) throws -> Response {
        if try call.query.flag("dry-run") {
            throw Problem.badRequest("dry-run is for one command: send application/json")
        }
        var headers = HTTPFields()
        headers[.contentType] = "application/x-ndjson"
        headers[.cacheControl] = "no-store"
        let limits = configuration.limits
        let tooLong = Problem(
            .contentTooLarge, "too-large", "a line has at most \(limits.commandBytes) bytes")
        let metrics = metrics
        let body = ResponseBody { writer in
            let lines = LineBox(mostLines: 4_096)
            // Lines are read while those before them are decided and flushed.
            try await withThrowingTaskGroup(of: Void.self) { group in
                // Whatever ends this: the group waits for who fills, and nobody would wake them.
                defer { lines.close() }
                group.addTask {
                    await lines.fill(
                        from: call.request.body, lineBytes: limits.commandBytes,
                        allBytes: limits.batchBytes)
                }
                var failure: Problem?
                while let batch = await lines.take() {
                    let answered = try await Self.answer(
                        batch, call, tooLong: tooLong, behind: failure)
                    failure = answered.failure
                    for outcome in answered.outcomes { metrics.count(outcome) }
                    try await writer.write(answered.buffer)
                }
                try await group.waitForAll()
            }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: headers, body: body)
    }

    /// - Parameter former: why the service could not take a line before these. The client sends
    ///   from there on again, in the same order: none of these is decided.
    private static func answer(
        _ batch: LineBox.Batch, _ call: Call, tooLong: Problem, behind former: Problem?
    ) async throws -> (buffer: ByteBuffer, outcomes: [Outcome], failure: Problem?) {
        let screen = CommandScreen(call.identity, now: Instant.now)
        var buffer = ByteBuffer()
        var outcomes: [Outcome] = []
        var admitted: [[UInt8]] = []
        var firstLine = 0
        var failure = former
        func refuse(_ line: [UInt8], _ problem: Problem, number: Int? = nil) {
            buffer.writeBytes(CommandScreen.outcome(of: problem, for: line, number: number))
            buffer.writeInteger(UInt8(ascii: "\n"))
        }
        func submit() async throws {
            let lines = admitted
            admitted = []
            var decided = 0
            if failure == nil, !lines.isEmpty {
                let taken = try await take(lines, firstLine: firstLine, call)
                for outcome in taken.outcomes {
                    buffer.writeBytes(outcome.document.bytes)
                    buffer.writeInteger(UInt8(ascii: "\n"))
                }
                outcomes += taken.outcomes
                decided = taken.outcomes.count
                failure = taken.failure
            }
            if let failure { for line in lines.dropFirst(decided) { refuse(line, failure) } }
        }
        for line in batch.lines {
            // The engine counts on from the first of those that it is given.
            if line.number != firstLine + admitted.count {
                try await submit()
                firstLine = line.number
            }
            do {
                try call.grant.check()
                guard let bytes = line.bytes else { throw tooLong }
                admitted.append(try screen.admit(bytes, idempotencyKey: nil))
            } catch let problem as Problem {
                try await submit()
                refuse(
                    line.bytes ?? [], failure ?? problem,
                    number: line.bytes == nil ? line.number : nil)
            }
        }
        try await submit()
        if let problem = batch.problem { refuse([], problem) }
        return (buffer, outcomes, failure)
    }

    /// The outcomes of the lines, as many as the service could take; and why not of all. The head
    /// of the answer is out by then: what is wrong can be said in lines alone.
    private static func take(
        _ lines: [[UInt8]], firstLine: Int, _ call: Call
    ) async throws -> (outcomes: [Outcome], failure: Problem?) {
        do {
            let submitted = try await call.journal.submissions.admit(lines.count) {
                try await call.journal.submit(
                    lines, firstLine: firstLine, as: call.identity.viewer)
            }
            let seen = try submitted.outcomes.map {
                try call.identity.seeing($0, of: call.journal.engine)
            }
            return (seen, submitted.failure.map { problem($0, call.logger) })
        } catch let problem as Problem {
            return ([], problem)
        } catch let error as EngineError {
            return ([], problem(error, call.logger))
        }
    }
}

extension EventEngine.Submitted {
    /// The outcome of the one line.
    fileprivate var one: Outcome {
        get throws {
            if let outcome = outcomes.first { return outcome }
            throw failure ?? EngineError(.inputOutput, "a command had no outcome")
        }
    }
}

extension Response {
    /// A document, with the line end that `replay` prints.
    init(json bytes: [UInt8], position: Position? = nil) {
        var headers = HTTPFields()
        headers[.contentType] = "application/json"
        headers[.cacheControl] = "private, no-cache"
        if let position { headers[.position] = "\(position)" }
        self.init(status: .ok, headers: headers, body: .bytes(bytes + [UInt8(ascii: "\n")]))
    }
}
