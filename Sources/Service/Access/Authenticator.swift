import HTTPTypes
import Hummingbird
import Logging
import Synchronization

/// Says who sent a request: by their token, else by their connection's certificate, else nobody known.
final class Authenticator: Sendable {
    private let inForce: Mutex<PolicyInForce>
    private let logger: Logger

    init(_ policy: AccessPolicy, _ logger: Logger) {
        self.logger = logger
        inForce = Mutex(PolicyInForce(policy, logger))
    }

    /// The policy was read anew: who is in the middle of something comes again.
    func adopt(_ policy: AccessPolicy) {
        inForce.withLock { inForce in
            let next = PolicyInForce(policy, keeping: inForce, logger)
            inForce.end(replacedBy: next)
            inForce = next
        }
    }

    /// The service ends: no keys are asked for any more.
    func rest() { inForce.withLock { $0.rest() } }

    /// What they may do; a problem where they say who they are and it is not true, and where they do not say so and must.
    func grant(for request: Request, in context: CallContext) async throws -> Grant {
        let inForce = inForce.withLock { $0 }
        if let field = request.headers[.authorization] {
            let parts = field.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "bearer" else {
                throw Self.unauthorized()
            }
            return try await inForce.grant(token: String(parts[1].trimmed))
        }
        if !inForce.policy.certificates.isEmpty,
            let certificate = await context.clientCertificate(),
            let identity = inForce.policy.identity(of: certificate)
        {
            return inForce.grant(identity)
        }
        guard let anonymous = inForce.policy.anonymous else { throw Self.unauthorized() }
        return inForce.grant(anonymous)
    }

    /// What the bearer of a token may do.
    func grant(token: String) async throws -> Grant {
        try await inForce.withLock { $0 }.grant(token: token)
    }

    /// RFC 6750, 3.
    static func unauthorized(_ error: String? = nil, _ detail: String? = nil) -> Problem {
        var problem = Problem(
            .unauthorized, "unauthorized",
            error == nil
                ? "send an access token: Authorization: Bearer TOKEN"
                : detail ?? "the access token is not known here, or is not valid")
        problem.headers[.wwwAuthenticate] =
            error.map { "Bearer realm=\"sijill\", error=\"\($0)\"" } ?? "Bearer realm=\"sijill\""
        return problem
    }
}
