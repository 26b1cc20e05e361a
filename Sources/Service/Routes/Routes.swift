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
    let sinks: HostedSinks

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

    /// The table, ready to be asked.
    func tree() -> RouteTree<Way> {
        var tree = RouteTree<Way>()
        for (prefix, endpoint) in table {
            let path = prefix + endpoint.path
            tree.add(path, endpoint.method, Way(endpoint, path))
        }
        return tree
    }

    /// A route, ready to be gone.
    struct Way: Sendable {
        let endpoint: Endpoint
        /// As `/openapi.json` has it.
        let route: String
        let names: [String]
        /// Below `/v1/journals/NAME`.
        let isOfNamed: Bool

        fileprivate init(_ endpoint: Endpoint, _ path: String) {
            self.endpoint = endpoint
            route = path.replacing("+}", with: "}")
            names = path.split(separator: "/").filter { $0.hasPrefix("{") }.map { part in
                String(part.dropFirst().dropLast(part.hasSuffix("+}") ? 2 : 1))
            }
            isOfNamed = path.contains("{journal}")
        }
    }

    /// Answers a request: who asks, may they, which journal, then the endpoint.
    ///
    /// - Parameter parts: what stands for the names of the way, percent-encoded.
    func answer(
        _ request: Request, _ context: CallContext, _ way: Way, _ parts: [Substring]
    ) async throws -> Response {
        let endpoint = way.endpoint
        var grant = Grant.open
        if endpoint.right != .open {
            // The node that hands a request on has looked at it.
            if context.handedOnBy == nil { try SiteScreen(configuration).admit(request) }
            grant = try await authenticator.grant(for: request, in: context)
            grant.session = context.session
            if context.handedOnBy == nil {
                try limits.take(grant.identity, isSubmission: endpoint.right == .submit)
            }
        }
        var path: [String: String] = [:]
        for (name, part) in zip(way.names, parts) { path[name] = try part.percentDecoded() }
        // Before the right is asked: who tried is what an auditor looks for.
        note(path, grant.identity, context.logger)
        guard grant.identity.has(endpoint.right) else {
            throw Problem.forbidden(
                "\(endpoint.method.rawValue) \(endpoint.path) is not for \(grant.identity.name)")
        }
        do {
            let journal = try await self.journal(
                named: way.isOfNamed ? path["journal"] ?? "" : nil, grant.identity)
            let query = try Query(request)
            if !endpoint.body.isEmpty { try request.checkCoding() }
            var response = try await decided(request, endpoint, journal, context) { request in
                try await endpoint.run(
                    Call(
                        request: request, grant: grant, journal: journal, path: path, query: query,
                        context: context))
            }
            if way.isOfNamed {
                // As long as it is being answered the journal is not idle.
                let body = response.body
                response.body = ResponseBody(contentLength: body.contentLength) { writer in
                    try await body.write(writer)
                    withExtendedLifetime(journal) {}
                }
            }
            return response
        } catch let elsewhere as HostedJournals.Elsewhere {
            throw Problem.elsewhere(elsewhere.address + request.uri.description)
        } catch let underWay as UnderWay {
            return underWay.response
        } catch let error as EngineError {
            throw Self.problem(error, context.logger)
        } catch let error as JournalError {
            context.logger.error("the journal failed", metadata: ["error": "\(error)"])
            throw Problem.storage
        }
    }

    /// What the client is told of an error; what the journal's operator has to know is logged.
    static func problem(_ error: EngineError, _ logger: Logger) -> Problem {
        if [.inputOutput, .badInput, .noJournal, .checkFailed].contains(error.kind)
            || error.isOfTheMachine
        {
            logger.error("the journal failed", metadata: ["error": "\(error.message)"])
        } else if error.kind == .busy {
            logger.warning("the journal is busy", metadata: ["error": "\(error.message)"])
        }
        return Problem(error)
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
