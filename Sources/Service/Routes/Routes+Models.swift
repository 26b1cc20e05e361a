import Core
import Engine
import HTTPTypes
import Hummingbird
import Logging

/// Read models, byte for byte as `replay show` prints them (docs/service.md, Reading).
extension Routes {
    private static let questions: [Endpoint.Parameter] = [
        .init(
            name: "as-of", form: .moment,
            summary: "Which events count: up to a position, or those that happened by an instant."),
        .init(
            name: "known-at", form: .instant,
            summary: "Which events count: those that were recorded by an instant."),
        .init(name: "now", form: .instant, summary: "The present that the model is asked at."),
        .init(
            name: "min-position", form: .position,
            summary:
                "Answer from a state that has this position; wait for it as Prefer: wait=SECONDS says."
        ),
    ]

    var models: [Endpoint] {
        [
            Endpoint(
                method: .get, path: "/models",
                summary: "The read models: their keys, arguments, questions.",
                right: .read, answers: [200, 304], run: list),
            Endpoint(
                method: .get, path: "/models/{model}", summary: "A read model without key.",
                right: .read,
                query: Self.questions, takesArguments: true,
                answers: [200, 202, 304, 400, 403, 404, 412, 503],
                media: ["application/json", "text/event-stream"], run: show),
            Endpoint(
                method: .get, path: "/models/{model}/{key+}",
                summary: "A read model's document of a key.",
                right: .read, query: Self.questions, takesArguments: true,
                answers: [200, 202, 304, 400, 403, 404, 412, 503],
                media: ["application/json", "text/event-stream"],
                run: show),
        ]
    }

    @Sendable private func list(_ call: Call) async throws -> Response {
        try call.query.checkNames([])
        let engine = try call.journal.engine(for: call.identity)
        let models = try engine.listedModels
        let known = models.filter { Self.isShared($0.name) || call.identity.knows($0.name) }
        let list = JSON.array(
            known.map { model in
                .object(of: [
                    ("arguments", .array(model.arguments.map { .string($0) })),
                    ("key", model.key.map { .string($0) } ?? .null), ("name", .string(model.name)),
                    ("question", .string(model.question)),
                ])
            })
        let body = JSON.object(of: [("models", list)]).canonical
        let tag = EntityTag(of: body)
        if tag.isNamed(by: call.request.headers[.ifNoneMatch]) { return Self.notModified(tag, nil) }
        var response = Response(json: body, position: models.first?.position)
        response.headers[.eTag] = tag.text
        return response
    }

    /// Models of no product: those about the journal itself.
    static func isShared(_ model: String) -> Bool {
        ["audit.", "journal.", "timers.", "person.", "schema."].contains { model.hasPrefix($0) }
    }

    /// Models that show a person's whole record.
    private static let personal: Set<String> = ["audit.subject", "person.timeline"]

    /// Who looked at whom is in the log (docs/service/auditor.md), whatever they were shown.
    ///
    /// - Parameter path: what stands for the names in the route's path.
    func note(_ path: [String: String], _ identity: Identity, _ logger: Logger) {
        guard let model = path["model"], Self.personal.contains(model) else { return }
        let key = path["key"] ?? ""
        let isKey = key.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
            IdentifierForm.accepts(String($0))
        }
        var metadata: Logger.Metadata = [
            "identity": "\(identity.name)", "model": "\(model)", "key": isKey ? "\(key)" : "no key",
        ]
        if let pseudonym = identity.pseudonym { metadata["subject"] = "\(pseudonym)" }
        logger.notice("a person's record is read", metadata: metadata)
    }

    // MARK: One document

    /// What is asked of a read model.
    struct ModelQuestion: Sendable {
        let model: String
        let key: String?
        var request: ShowRequest
        let hidesPersonal: Bool

        /// Whether an answer can be used again as long as nothing happens.
        var isPresent: Bool { request.asOf == nil && request.knownAt == nil }

        var cached: AnswerCache.Question {
            AnswerCache.Question(
                model: model, key: key, arguments: request.arguments, now: request.now,
                viewer: request.viewer,
                hidesPersonal: hidesPersonal)
        }
    }

    /// Reads the question from the call; a model of another product is not here, as one that there is not.
    func question(_ call: Call, besides names: [String] = []) throws -> ModelQuestion {
        let model = call.part("model")
        guard Self.isShared(model) || call.identity.knows(model) else {
            throw Problem.notFound("the read model \(model)")
        }
        // A person's record is of one product, the first word of its key.
        let isOfProduct =
            Self.personal.contains(model) && call.path["key"].map(call.identity.knows) ?? false
        if Self.isShared(model), call.identity.products != nil, !isOfProduct {
            throw Problem.forbidden(
                "\(model) is about all products, and these are for \(call.identity.name) alone: ask a product's model"
            )
        }
        var request = ShowRequest()
        request.asOf = try call.query.moment("as-of")
        request.knownAt = try call.query.instant("known-at")
        request.now = try call.query.instant("now")
        request.viewer = call.identity.viewer
        if !call.query.values.isEmpty {
            let reserved = Self.questions.map(\.name) + names
            request.arguments = call.query.values.filter { !reserved.contains($0.key) }
        }
        return ModelQuestion(
            model: model, key: call.path["key"], request: request,
            hidesPersonal: call.identity.isKeptFromPersonal)
    }

    @Sendable private func show(_ call: Call) async throws -> Response {
        let question = try question(call)
        if call.accepts("text/event-stream") { return try await follow(call, question) }
        let wait = Prefer.wait(call.request)
        try await check(question, call)
        if let least = try call.query.position("min-position") {
            try await reach(least, wait ?? .zero, call)
        }
        var answer = try await answer(to: question, call)
        guard answer.tag.isNamed(by: call.request.headers[.ifNoneMatch]) else {
            return Self.response(answer)
        }
        if let wait, question.isPresent, call.query["min-position"] == nil {
            // Long poll: until the document differs.
            let end = ContinuousClock.now + wait
            let engine = try call.journal.engine(for: call.identity)
            while answer.tag.isNamed(by: call.request.headers[.ifNoneMatch]) {
                let left = ContinuousClock.now.duration(to: end)
                // Where others write all the time there is always news.
                guard left > .zero, !drain.isDraining,
                    try await news(in: engine, after: answer.position, within: left, call.grant)
                else { break }
                answer = try await self.answer(to: question, call, isPatient: true)
            }
            if !answer.tag.isNamed(by: call.request.headers[.ifNoneMatch]) {
                return Self.response(answer)
            }
        }
        return Self.notModified(answer.tag, answer.position)
    }

    /// What is wrong with a question is said before anything is waited for.
    private func check(_ question: ModelQuestion, _ call: Call) async throws {
        guard call.query["min-position"] != nil else { return }
        let engine = try call.journal.engine(for: call.identity)
        try await call.journal.reads.admit {
            try await engine.checkQuestion(
                question.model, key: question.key, arguments: question.request.arguments)
        }
    }

    /// Made once: a field's value is checked when it is made.
    private static let json = HTTPField(name: .contentType, value: "application/json")
    /// For the past, too: an erasure changes what was said.
    private static let neverKept = HTTPField(name: .cacheControl, value: "private, no-cache")

    private static func response(_ answer: Answer) -> Response {
        var headers = HTTPFields()
        headers.reserveCapacity(8)
        headers.append(json)
        headers.append(neverKept)
        headers.append(HTTPField(name: .eTag, value: answer.tag.text))
        headers.append(HTTPField(name: .position, value: "\(answer.position)"))
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: answer.body))
    }

    /// With what the answer of 200 has, but for its body (RFC 9110, 15.4.5).
    static func notModified(_ tag: EntityTag, _ position: Position?) -> Response {
        var headers = HTTPFields()
        headers[.cacheControl] = "private, no-cache"
        headers[.eTag] = tag.text
        if let position { headers[.position] = "\(position)" }
        return Response(status: .notModified, headers: headers)
    }

    /// Waits until the journal has the position.
    private func reach(_ least: Position, _ wait: Duration, _ call: Call) async throws {
        guard least > .zero else { return }
        let engine = call.journal.engine
        if try await news(
            in: engine, after: Position(least.number - 1), within: wait, call.grant)
        {
            return
        }
        var problem = Problem(
            .preconditionFailed, "position-not-reached",
            "the journal does not have position \(least) yet: ask again, or with Prefer: wait=SECONDS"
        )
        problem.headers[.retryAfter] = "1"
        problem.headers[.position] = "\(try engine.head())"
        throw problem
    }

    /// Whether there is an event behind a position, now or within a while; who waits is sent home when the service stops, and
    /// when their right ends.
    private func news(
        in engine: EventEngine, after position: Position, within wait: Duration, _ grant: Grant
    ) async throws -> Bool {
        let end = ContinuousClock.now + wait
        while true {
            let left = ContinuousClock.now.duration(to: end)
            if try await engine.hasNews(after: position, within: min(left, .seconds(1))) {
                return true
            }
            try grant.check()
            if left <= .seconds(1) || drain.isDraining { return false }
        }
    }

    /// - Parameter isPatient: waits for it whatever `Prefer` says, since what is kept for who comes back may be of before.
    func answer(
        to question: ModelQuestion, _ call: Call, isPatient: Bool = false
    ) async throws -> Answer {
        // They may have waited for it.
        try call.grant.check()
        let engine = try call.journal.engine(for: call.identity)
        guard question.isPresent else {
            return try await past(call) { tell in
                Answer(
                    try engine.show(question.model, key: question.key, question.request) {
                        tell($0)
                    })
            }
        }
        let cache = call.journal.cache
        let head = try engine.head()
        if let known = cache.answer(to: question.cached, at: head) { return known }
        if isPatient { return try await present(question, engine, head, call.journal) }
        return try await promptly(call) { _ in
            try await present(question, engine, head, call.journal)
        }
    }

    private func present(
        _ question: ModelQuestion, _ engine: EventEngine, _ head: Position,
        _ journal: HostedJournal
    ) async throws -> Answer {
        let cache = journal.cache
        return try await journal.reads.admit {
            try await journal.strike()
            if let known = cache.answer(to: question.cached, at: head) { return known }
            let (document, grounds) = try await engine.groundedShow(
                question.model, key: question.key, question.request)
            let answer = Answer(document)
            cache.keep(answer, grounds, to: question.cached)
            return answer
        }
    }

    // MARK: Live

    /// The document whenever it differs; of several changes at once, the newest.
    private func follow(_ call: Call, _ question: ModelQuestion) async throws -> Response {
        guard question.isPresent, call.query["min-position"] == nil else {
            throw Problem.badRequest(
                "what is past does not change: ask without as-of, known-at and min-position")
        }
        // What is wrong with the question is said before the stream begins.
        _ = try await answer(to: question, call)
        let ring = call.journal.live
        return Self.eventStream(of: call, ring) { stream, listener in
            var last: EntityTag?
            while !call.grant.isOver {
                let answer = try await self.answer(to: question, call, isPatient: true)
                if answer.tag != last {
                    last = answer.tag
                    try await stream.send(
                        "document", id: answer.position,
                        Array(answer.body.readableBytesView.dropLast()))
                }
                var wake = await ring.wait(after: answer.position, listener)
                while wake == .tick {
                    try await stream.beat()
                    wake = await ring.wait(after: answer.position, listener)
                }
                if wake == .over { return }
            }
        }
    }

    /// Wakes a listener for the last time when they may listen no longer: they come back, and are asked who they are.
    private static func end(
        _ listener: EventRing.Listener, of ring: EventRing, with grant: Grant
    ) -> Task<Void, Never> {
        Task {
            while !grant.isOver {
                do { try await Task.sleep(for: .seconds(1)) } catch { return }
            }
            ring.leave(listener)
        }
    }

    /// A stream of server-sent events, which ends with the connection, or with a word of goodbye; a client that takes nothing
    /// for ``EventStream/patience`` is let go.
    static func eventStream(
        of call: Call, _ ring: EventRing,
        _ body: @escaping @Sendable (inout EventStream, EventRing.Listener) async throws -> Void
    ) -> Response {
        var headers = HTTPFields()
        headers[.contentType] = EventStream.contentType
        headers[.cacheControl] = "no-store"
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { writer in
                var stream = EventStream(writer)
                let watch = stream.watch(call.channel)
                defer { watch.cancel() }
                try await ring.listen { listener in
                    let ending = Self.end(listener, of: ring, with: call.grant)
                    defer { ending.cancel() }
                    try await call.request.body.consumeWithInboundCloseHandler { _ in
                        try await stream.beat()
                        try await body(&stream, listener)
                        try await stream.sayGoodbye()
                    } onInboundClosed: {
                        ring.leave(listener)
                    }
                }
                try await stream.finish()
            })
    }
}
