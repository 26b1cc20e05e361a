import Core
import Engine
import EventLog
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// The API's table, and the way of a request through it: who asks, may they, which journal, then the endpoint.
struct Routes: Sendable {
    let configuration: ServiceConfiguration
    let journals: HostedJournals
    let authenticator: Authenticator
    let limits = RateLimits()
    let metrics: ServiceMetrics
    let drain: Drain
    /// Nil where no key is set to sign checkpoints with.
    let signer: CheckpointSigner?
    /// Nil where no traces are wanted.
    let tracer: Tracer?

    var pastDeadline: Duration { .seconds(configuration.limits.pastSeconds) }

    /// What stands below `/v1`, and below `/v1/journals/NAME`.
    var endpoints: [Endpoint] {
        commands + models + events + questions + subscriptions + webhooks + audit + report + jobs
            + status
    }

    /// All routes with their whole paths.
    var table: [(prefix: String, endpoint: Endpoint)] {
        (health + log).map { ("", $0) } + whole.map { ("/v1", $0) }
            + endpoints.flatMap { [("/v1", $0), ("/v1/journals/{journal}", $0)] }
    }

    func router() -> Router<CallContext> {
        let router = Router(context: CallContext.self, options: .autoGenerateHeadEndpoints)
        router.add(
            middleware: Finish(
                metrics: metrics, tracer: tracer, isSecure: configuration.certificate != nil))
        var methods: [String: [HTTPRequest.Method]] = [:]
        for (prefix, endpoint) in table {
            let path = prefix + endpoint.path
            methods[Self.trie(path), default: []].append(endpoint.method)
            let way = Way(
                endpoint: endpoint, template: PathTemplate(path), isOfNamed: prefix.contains("{"))
            router.on(RouterPath(Self.trie(path)), method: endpoint.method) { request, context in
                try await self.answer(request, context, way)
            }
        }
        for (path, allowed) in methods {
            let names = Set(allowed.map(\.rawValue) + (allowed.contains(.get) ? ["HEAD"] : []))
                .sorted()
            for method in [HTTPRequest.Method.get, .post, .put, .delete, .patch, .options]
            where !allowed.contains(method) {
                router.on(RouterPath(path), method: method) { _, _ -> Response in
                    throw Self.notAllowed(method, names)
                }
            }
        }
        return router
    }

    /// Hummingbird's words for `{name}` and `{name+}`.
    private static func trie(_ path: String) -> String {
        path.split(separator: "/").map { part in
            part.hasSuffix("+}")
                ? "**" : part.hasPrefix("{") ? ":" + part.dropFirst().dropLast() : String(part)
        }.joined(separator: "/")
    }

    private static func notAllowed(_ method: HTTPRequest.Method, _ allowed: [String]) -> Problem {
        var problem = Problem(
            .methodNotAllowed, "method-not-allowed",
            "\(method.rawValue) is not for this path: \(allowed.joined(separator: ", "))")
        problem.headers[.allow] = allowed.joined(separator: ", ")
        return problem
    }

    /// A route, ready to be gone.
    private struct Way {
        let endpoint: Endpoint
        let template: PathTemplate
        /// Below `/v1/journals/NAME`.
        let isOfNamed: Bool
    }

    private func answer(_ request: Request, _ context: CallContext, _ way: Way) async throws
        -> Response
    {
        let endpoint = way.endpoint
        if endpoint.right == .open { return try await run(request, context, way, .open) }
        let grant = try await authenticator.grant(for: request, on: context.channel)
        let identity = grant.identity
        try limits.take(identity, isSubmission: endpoint.right == .submit)
        guard identity.has(endpoint.right) else {
            throw Problem.forbidden(
                "\(endpoint.method.rawValue) \(endpoint.path) is not for \(identity.name)")
        }
        return try await run(request, context, way, grant)
    }

    private func run(
        _ request: Request, _ context: CallContext, _ way: Way, _ grant: Grant
    ) async throws -> Response {
        guard let path = try way.template.values(in: request.uri.path) else {
            throw Problem.notFound(request.uri.path)
        }
        let journal = try await journal(
            named: way.isOfNamed ? path["journal"] ?? "" : nil, grant.identity)
        let call = Call(
            request: request, grant: grant, journal: journal, path: path,
            query: try Query(request), logger: context.logger, trace: context.trace,
            channel: context.channel)
        do {
            var response = try await way.endpoint.run(call)
            if way.isOfNamed {
                // As long as it is being answered the journal is not idle.
                let body = response.body
                response.body = ResponseBody(contentLength: body.contentLength) { writer in
                    try await body.write(writer)
                    withExtendedLifetime(journal) {}
                }
            }
            return response
        } catch let error as EngineError {
            if [.inputOutput, .badInput, .noJournal, .checkFailed].contains(error.kind) {
                context.logger.error("the journal failed", metadata: ["error": "\(error.message)"])
            }
            throw Problem(error)
        } catch let error as JournalError {
            context.logger.error("the journal failed", metadata: ["error": "\(error)"])
            throw Problem.storage
        }
    }

    private func journal(named name: String?, _ identity: Identity) async throws -> HostedJournal {
        guard let name else {
            guard identity.journals == nil else {
                throw Problem.forbidden(
                    "\(identity.name) has journals of its own: /v1/journals/NAME/…")
            }
            return journals.standard
        }
        guard identity.journals.map({ $0.contains(name) }) ?? true,
            let journal = try await journals.journal(named: name)
        else { throw Problem.notFound("the journal \(name)") }
        return journal
    }
}

/// Whether the service is shutting down.
final class Drain: Sendable {
    private let flag = Flag()

    var isDraining: Bool { flag.isSet }

    func begin() { flag.set() }
}

/// What a request brings besides itself.
struct CallContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel
    private(set) var trace: RequestTrace?

    init(source: Source) {
        coreContext = .init(source: source)
        channel = source.channel
    }

    /// The request's id is that of its trace, if it has one.
    mutating func begin(
        _ given: TraceContext?, _ tracer: Tracer?, at start: ContinuousClock.Instant
    ) {
        trace = tracer?.begin(given, at: start)
        if let id = trace?.trace ?? given?.trace { logger[metadataKey: "hb.request.id"] = "\(id)" }
    }
}

/// Turns errors into problems, counts and logs requests, and keeps answers from being taken for something else.
private struct Finish: RouterMiddleware {
    typealias Context = CallContext

    let metrics: ServiceMetrics
    let tracer: Tracer?
    let isSecure: Bool

    func handle(
        _ request: Request, context given: CallContext,
        next: (Request, CallContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        var context = given
        context.begin(TraceContext(request.headers), tracer, at: start)
        var response: Response
        do {
            response = try await next(request, context)
        } catch let problem as Problem {
            response = problem.response(from: request, context: context)
        } catch let error as HTTPError {
            response = Problem(
                error.status, "\(error.status.code)", error.body ?? error.status.reasonPhrase
            )
            .response(from: request, context: context)
            if error.status == .notFound {
                response = Problem.notFound(request.uri.path).response(
                    from: request, context: context)
            }
        } catch is CancellationError {
            response = Problem.unavailable("draining", "the service is shutting down")
                .response(from: request, context: context)
        } catch {
            context.logger.error("a request failed", metadata: ["error": "\(error)"])
            response = Problem(
                .internalServerError, "internal",
                "the service failed; its operator finds why in the log"
            )
            .response(from: request, context: context)
        }
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.requestID] = context.id
        let route = context.endpointPath ?? "none"
        let end = ContinuousClock.now
        let duration = start.duration(to: end)
        metrics.count(request.method, route, response.status, duration)
        if let trace = context.trace {
            tracer?.record(
                trace, request.method, context.endpointPath, response.status.code,
                isSecure: isSecure, until: end)
        }
        context.logger.debug(
            "answered",
            metadata: [
                "method": "\(request.method.rawValue)", "route": "\(route)",
                "status": "\(response.status.code)",
                "microseconds": "\(duration.components.attoseconds / 1_000_000_000_000)",
            ])
        return response
    }
}
