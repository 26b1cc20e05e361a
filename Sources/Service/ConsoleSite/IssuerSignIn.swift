import AsyncHTTPClient
import Core
import Foundation
import NIOCore
import NIOHTTP1
import Synchronization

/// Signing in by an OpenID Connect issuer: the authorisation code flow with PKCE (OpenID Connect Core 1.0, 3.1; RFC 7636).
final class IssuerSignIn: Sendable {
    /// Somebody who is at the issuer now.
    private struct Attempt {
        /// Who began it alone can end it: else somebody could be signed in as another.
        let visitor: String
        let verifier: String
        let nonce: String
        let next: String?
        let began: ContinuousClock.Instant
    }

    /// Where the issuer wants whom.
    private struct Places: Sendable {
        let authorization: String
        let token: String
    }

    /// When the issuer was asked for its places, and what came or will come of it.
    private struct Asked {
        let places: Task<Places, any Error>
        let at: ContinuousClock.Instant
    }

    /// Beyond so many, those go that began longest ago.
    private static let mostAttempts = 1_024
    private static let patience = Duration.seconds(600)
    /// So long the issuer is not asked again: anybody may begin, as often as they like.
    private static let freshness = Duration.seconds(300)

    private let issuer: String
    private let client: String
    private let secretFile: String?
    private let address: String
    private let attempts = Mutex<[String: Attempt]>([:])
    private let asked = Mutex<Asked?>(nil)

    /// Nil where the settings name no client.
    init?(_ configuration: ServiceConfiguration) {
        guard let issuer = configuration.consoleIssuer, let client = configuration.consoleClient,
            let address = configuration.consoleAddress
        else { return nil }
        self.issuer = issuer
        self.client = client
        self.address = address.hasSuffix("/") ? String(address.dropLast()) : address
        secretFile = configuration.consoleSecretFile
    }

    private var callback: String { address + "/ui/login/callback" }

    /// Where the browser goes.
    func begin(_ visitor: String, next: String?) async throws -> String {
        let places = try await places()
        let state = ConsoleSessions.random()
        let attempt = Attempt(
            visitor: visitor, verifier: ConsoleSessions.random() + ConsoleSessions.random(),
            nonce: ConsoleSessions.random(), next: next, began: .now)
        attempts.withLock { attempts in
            if attempts.count >= Self.mostAttempts,
                let oldest = attempts.min(by: { $0.value.began < $1.value.began })
            {
                attempts[oldest.key] = nil
            }
            attempts[state] = attempt
        }
        let query = [
            ("response_type", "code"), ("client_id", client), ("redirect_uri", callback),
            ("scope", "openid"), ("state", state), ("nonce", attempt.nonce),
            ("code_challenge", Self.challenge(attempt.verifier)), ("code_challenge_method", "S256"),
        ]
        return places.authorization + (places.authorization.contains("?") ? "&" : "?")
            + Self.form(query)
    }

    /// What an issuer gives: the access token first, and what renews them.
    struct Given: Sendable {
        let tokens: [String]
        let refresh: String?
    }

    /// What the issuer gives for the code that the browser brings back.
    func end(
        _ visitor: String?, _ query: [String: String]
    ) async throws -> (given: Given, next: String?) {
        let attempt = query["state"].flatMap { state in
            attempts.withLock { $0.removeValue(forKey: state) }
        }
        guard let attempt, attempt.visitor == visitor,
            attempt.began.duration(to: .now) < Self.patience
        else {
            throw Problem.forbidden(
                "this sign-in was not begun here, or too long ago: sign in again")
        }
        guard let code = query["code"] else {
            throw Problem.forbidden(
                "the issuer did not sign you in: \(query["error"] ?? "no code")")
        }
        let answer = try await ask([
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", callback),
            ("client_id", client), ("code_verifier", attempt.verifier),
        ])
        guard answer.status == .ok, let json = answer.json else {
            throw Self.unreachable("it answers \(answer.status.code)")
        }
        guard let id = json["id_token"]?.string,
            SignedToken(id)?.claims.json["nonce"]?.string == attempt.nonce
        else { throw Problem.forbidden("the issuer's token is not of this sign-in: sign in again") }
        return (Self.given(json), attempt.next)
    }

    /// New tokens of the same person; nil where the issuer gives none any more (RFC 6749, 6; OpenID Connect Core 1.0, 12).
    func renew(_ refresh: String, of token: String) async throws -> Given? {
        let answer = try await ask([
            ("grant_type", "refresh_token"), ("refresh_token", refresh), ("client_id", client),
        ])
        // What is refused has its reason in the body; anything else is trouble of the issuer's own.
        if [.badRequest, .unauthorized, .forbidden].contains(answer.status) { return nil }
        guard answer.status == .ok, let json = answer.json else {
            throw Self.unreachable("it answers \(answer.status.code)")
        }
        let given = Self.given(json)
        let person = SignedToken(token)?.claims.json["sub"]
        guard
            given.tokens.allSatisfy({
                SignedToken($0).map { $0.claims.json["sub"] == person } ?? true
            })
        else { return nil }
        // One that is not replaced goes on.
        return Given(tokens: given.tokens, refresh: given.refresh ?? refresh)
    }

    private static func given(_ json: JSON) -> Given {
        Given(
            tokens: ["access_token", "id_token"].compactMap { json[$0]?.string },
            refresh: json["refresh_token"]?.string)
    }

    /// Asks for tokens.
    private func ask(_ fields: [(String, String)]) async throws -> (
        status: HTTPResponseStatus, json: JSON?
    ) {
        var fields = fields
        if let secretFile {
            guard let data = try? Data(contentsOf: URL(filePath: secretFile)) else {
                throw Problem.unavailable(
                    "issuer-unreachable",
                    "the client's secret cannot be read; see console.secretFile")
            }
            fields.append(
                ("client_secret", String(String(decoding: data, as: UTF8.self)[...].trimmedLine)))
        }
        var request = HTTPClientRequest(url: try await places().token)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        request.body = .bytes(ByteBuffer(string: Self.form(fields)))
        do {
            let answer = try await ask(request)
            // Anything else is no answer to who asks for tokens: it may be elsewhere now.
            if ![.ok, .badRequest, .unauthorized, .forbidden].contains(answer.status) {
                asked.withLock { $0 = nil }
            }
            return answer
        } catch {
            asked.withLock { $0 = nil }
            throw error
        }
    }

    /// Asks once for all who come meanwhile and for a while after.
    private func places() async throws -> Places {
        let places = asked.withLock { asked -> Task<Places, any Error> in
            if let asked, asked.at.duration(to: .now) < Self.freshness { return asked.places }
            let places = Task { try await self.discovered() }
            asked = Asked(places: places, at: .now)
            return places
        }
        do {
            return try await places.value
        } catch {
            asked.withLock { asked in
                if asked?.places == places { asked = nil }
            }
            throw error
        }
    }

    private func discovered() async throws -> Places {
        let base = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
        let answer = try await ask(
            HTTPClientRequest(url: base + "/.well-known/openid-configuration"))
        guard answer.status == .ok, let document = answer.json else {
            throw Self.unreachable("it answers \(answer.status.code)")
        }
        guard document["issuer"]?.string == issuer,
            let authorization = document["authorization_endpoint"]?.string,
            let token = document["token_endpoint"]?.string,
            [authorization, token].allSatisfy({
                !issuer.hasPrefix("https:") || $0.hasPrefix("https:")
            })
        else { throw Self.unreachable("its configuration names no endpoints to sign in by") }
        return Places(authorization: authorization, token: token)
    }

    private func ask(_ request: HTTPClientRequest) async throws -> (
        status: HTTPResponseStatus, json: JSON?
    ) {
        let client = HTTPClient(
            eventLoopGroupProvider: .singleton,
            configuration: .init(redirectConfiguration: .disallow))
        var result: Result<(HTTPResponseStatus, JSON?), any Error>
        do {
            let response = try await client.execute(request, timeout: .seconds(10))
            let body = try await response.body.collect(upTo: 256 << 10)
            result = .success(
                (response.status, try? JSON(parsing: Array(body.readableBytesView))))
        } catch {
            result = .failure(Self.unreachable("it does not answer"))
        }
        try? await client.shutdown()
        return try result.get()
    }

    private static func unreachable(_ why: String) -> Problem {
        .unavailable("issuer-unreachable", "the issuer cannot be asked now: \(why)", retryAfter: 5)
    }

    private static func form(_ fields: [(String, String)]) -> String {
        fields.map { "\($0.0)=\($0.1.percentEncoded)" }.joined(separator: "&")
    }

    /// RFC 7636, 4.2.
    private static func challenge(_ verifier: String) -> String {
        Data(SHA256Digest.of(verifier)).base64EncodedString().replacing("+", with: "-")
            .replacing("/", with: "_").replacing("=", with: "")
    }
}

extension Substring {
    /// Without the line end that editors put behind a file's last line.
    fileprivate var trimmedLine: Substring {
        var text = self
        while let last = text.last, last.isNewline { text.removeLast() }
        return text
    }
}
