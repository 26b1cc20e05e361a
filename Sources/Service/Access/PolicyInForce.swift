import Core
import Logging
import Synchronization

/// What somebody may do, and for how long.
struct Grant: Sendable {
    let identity: Identity
    /// The second at which the token is over, in seconds since 1970.
    fileprivate var expires: Int64?
    fileprivate var isReplaced: Flag?
    /// That of the console in which it is used.
    var session: SessionLife?

    /// Of a route that asks nobody who they are.
    static let open = Grant(identity: .local)

    /// Whether who has it must come again: their token has expired, the policy was read anew, or they have signed out.
    var isOver: Bool {
        if isReplaced?.isSet == true || session?.isOver == true { return true }
        return expires.map { TokenClaims.isOver($0, at: Instant.now) } ?? false
    }

    /// What takes long asks again before it goes on.
    func check() throws {
        guard isOver else { return }
        throw Authenticator.unauthorized(
            "invalid_token",
            "the access token has expired, the session has ended, or the policy was read anew: come again"
        )
    }
}

/// A policy, and what it takes to go by it: the issuers' keys, and the tokens that are verified already.
final class PolicyInForce: Sendable {
    let policy: AccessPolicy
    private let issuers: [String: TokenIssuer]
    private let verified = VerifiedTokens()
    private let isReplaced = Flag()

    /// - Parameter former: issuers that both know keep their keys.
    init(_ policy: AccessPolicy, keeping former: PolicyInForce? = nil, _ logger: Logger) {
        self.policy = policy
        issuers = policy.issuers.mapValues { issuer in
            if let known = former?.issuers[issuer.name], known.source.isSame(as: issuer.source) {
                return known
            }
            let issuer = TokenIssuer(issuer.source, logger)
            issuer.start()
            return issuer
        }
    }

    /// Another one has come in its place.
    func end(replacedBy other: PolicyInForce) {
        isReplaced.set()
        for (name, issuer) in issuers where other.issuers[name] !== issuer { issuer.stop() }
    }

    /// The service ends: what it answers still, it answers by this policy.
    func rest() { for issuer in issuers.values { issuer.stop() } }

    func grant(_ identity: Identity) -> Grant {
        Grant(identity: identity, isReplaced: isReplaced)
    }

    /// What the bearer of a token may do.
    func grant(token: String) async throws -> Grant {
        // Looked up by its digest: how long that takes says nothing about a token that somebody guesses at.
        let digest = SHA256Digest.hex(of: Array(token.utf8))
        if let identity = policy.tokens[digest] { return grant(identity) }
        guard !issuers.isEmpty, let signed = SignedToken(token), let name = signed.claims.issuer,
            let issuer = issuers[name], let rules = policy.issuers[name]
        else { throw Authenticator.unauthorized("invalid_token") }
        let generation = issuer.generation
        if !verified.has(digest, generation) {
            guard let verifier = try await issuer.verifier(of: signed),
                signed.isSigned(by: verifier)
            else { throw Authenticator.unauthorized("invalid_token") }
        }
        let now = Instant.now
        if let problem = signed.claims.problem(audiences: rules.audiences, at: now) {
            throw Authenticator.unauthorized("invalid_token", problem)
        }
        guard let identity = rules.identity(of: signed.claims), let expires = signed.claims.expires
        else { throw Problem.forbidden("the access token is good, and gives no right here") }
        verified.keep(digest, generation, until: expires, now)
        var grant = grant(identity)
        grant.expires = expires
        return grant
    }
}

/// The digests of tokens whose signature was verified: the slow part of looking at them.
private final class VerifiedTokens: Sendable {
    private static let most = 10_000

    private struct Entry {
        let generation: Int
        let expires: Int64
    }

    private let entries = Mutex<[String: Entry]>([:])

    func has(_ digest: String, _ generation: Int) -> Bool {
        entries.withLock { $0[digest]?.generation == generation }
    }

    func keep(_ digest: String, _ generation: Int, until expires: Int64, _ now: Instant) {
        entries.withLock { entries in
            if entries.count >= Self.most {
                entries = entries.filter { !TokenClaims.isOver($0.value.expires, at: now) }
                if entries.count >= Self.most { entries = [:] }
            }
            entries[digest] = Entry(generation: generation, expires: expires)
        }
    }
}
