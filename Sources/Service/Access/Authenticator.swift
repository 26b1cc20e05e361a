import HTTPTypes
import Hummingbird
import Synchronization

/// Says who sent a request.
final class Authenticator: Sendable {
    private let policy: Mutex<AccessPolicy>

    init(_ policy: AccessPolicy) { self.policy = Mutex(policy) }

    /// The policy was read anew.
    func adopt(_ policy: AccessPolicy) { self.policy.withLock { $0 = policy } }

    /// Who they are; a problem where they say so and it is not true, and where they do not say so and must.
    func identity(of request: Request) throws -> Identity {
        let policy = policy.withLock { $0 }
        if let field = request.headers[.authorization] {
            let parts = field.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "bearer" else {
                throw Self.unauthorized()
            }
            guard let identity = policy.identity(token: String(parts[1].trimmed)) else {
                throw Self.unauthorized("invalid_token")
            }
            return identity
        }
        guard let anonymous = policy.anonymous else { throw Self.unauthorized() }
        return anonymous
    }

    /// RFC 6750, 3.
    private static func unauthorized(_ error: String? = nil) -> Problem {
        var problem = Problem(
            .unauthorized, "unauthorized",
            error == nil
                ? "send an access token: Authorization: Bearer TOKEN"
                : "the access token is not known here, or has expired")
        problem.headers[.wwwAuthenticate] =
            error.map { "Bearer realm=\"sijill\", error=\"\($0)\"" } ?? "Bearer realm=\"sijill\""
        return problem
    }
}
