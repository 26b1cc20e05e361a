import Console
import Core
import Engine
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Products

/// The console below `/ui`: who looks, forms that come from its own pages, and what stands in every head (docs/console.md).
///
/// What a page shows it asks of the API's own routes, so that it has no rights of its own (ADR 0060).
struct ConsoleSite: Sendable {
    private let routes: Routes
    private let tree: RouteTree<Routes.Way>
    private let pages = ConsolePages(sentences: [Product].all.eventSentences)
    private let sessions = ConsoleSessions()
    private let heads: RecentHeads
    private let issuer: IssuerSignIn?
    private let renewals = SessionRenewals()
    /// Whether browsers come by TLS: to the service itself, or to what stands before it.
    private let isSecure: Bool

    init(_ routes: Routes, _ tree: RouteTree<Routes.Way>, _ heads: RecentHeads) {
        self.routes = routes
        self.tree = tree
        self.heads = heads
        issuer = IssuerSignIn(routes.configuration)
        isSecure =
            routes.configuration.certificate != nil
            || routes.configuration.consoleAddress?.hasPrefix("https://") == true
    }

    static func serves(_ path: String) -> Bool { path == "/ui" || path.hasPrefix("/ui/") }

    func answer(_ request: Request, _ context: CallContext) async throws -> Response {
        try SiteScreen(routes.configuration).admitHost(request)
        let path = request.uri.path
        let words = try path.dropFirst("/ui".count).split(separator: "/").map { word in
            try word.percentDecoded()
        }
        guard [.get, .head, .post].contains(request.method) else {
            var problem = Problem(
                .methodNotAllowed, "method-not-allowed",
                "\(request.method.rawValue) is not for this path: GET, HEAD, POST")
            problem.headers[.allow] = "GET, HEAD, POST"
            throw problem
        }
        var response: Response
        if words.first == "api" {
            response = try await passOn(request, context)
        } else {
            response = try await page(request, words, context)
        }
        if request.method == .head { response = response.createHeadResponse() }
        return response
    }

    // MARK: Pages

    private func page(_ request: Request, _ words: [String], _ context: CallContext) async throws
        -> Response
    {
        var asked = PageRequest()
        asked.path = words
        if words.first == "journals", words.count > 1 {
            asked.journal = words[1]
            asked.path = Array(words.dropFirst(2))
        }
        // A form that asks by GET sends a space as a plus sign.
        asked.query = try FormBody.values(Array((request.uri.query ?? "").utf8), "the query")
        asked.language = Language.of(request) == .arabic ? .arabic : .english
        asked.hasIssuer = issuer != nil
        if asked.journal == nil { asked.recentHeads = heads.all }
        let known = cookie(request)
        let cookie = known ?? ConsoleSessions.random()
        let session = await session(known)
        asked.formToken = sessions.formToken(cookie)
        asked.signedInAs = session?.name
        let language = asked.query["lang"].flatMap(PageLanguage.init(rawValue:)) ?? asked.language
        let api = InProcessAPI(
            routes: routes, tree: tree, page: request, language: language, token: session?.token,
            context: context)
        if request.method == .post {
            asked.isPost = true
            asked.form = try await FormBody.values(of: request)
            guard known != nil, isOwn(request),
                sessions.isFormToken(asked.form["form-token"], of: cookie)
            else {
                throw Problem.forbidden(
                    "the form is not of this page any more: load the page again")
            }
            switch words {
            case ["login"]: return await signIn(asked, api, context)
            case ["logout"]:
                sessions.end(known)
                return response(.redirect(to: "/ui/login"), cookie: ConsoleSessions.random())
            default: break
            }
        }
        if words.first == "login", words.count == 2, let issuer {
            return try await signIn(asked, words[1], issuer, api, known, context)
        }
        let answer = await pages.answer(asked, api)
        return response(answer, cookie: known == nil && !answer.isImmutable ? cookie : nil)
    }

    /// Whose cookie it is, with a token that holds for a while yet.
    private func session(_ cookie: String?) async -> ConsoleSessions.Session? {
        guard let cookie, let session = sessions.session(cookie) else { return nil }
        guard let issuer, let refresh = session.refresh, SessionRenewals.isDue(session.token)
        else { return session }
        await renewals.renew(cookie) {
            do {
                guard let given = try await issuer.renew(refresh, of: session.token) else {
                    return sessions.end(cookie)
                }
                for token in given.tokens
                where (try? await routes.authenticator.grant(token: token)) != nil {
                    return sessions.renew(cookie, token: token, refresh: given.refresh)
                }
                sessions.end(cookie)
            } catch {
                // The issuer is away: the token holds for as long as it says.
            }
        }
        return sessions.session(cookie)
    }

    /// A form of another site says where it is from, or says nothing and does not know the form's token.
    private func isOwn(_ request: Request) -> Bool {
        guard let origin = request.headers[.origin] else { return true }
        guard let scheme = origin.firstRange(of: "://") else { return false }
        return request.head.authority.map { $0 == origin[scheme.upperBound...] } ?? false
    }

    private func signIn(_ asked: PageRequest, _ api: InProcessAPI, _ context: CallContext) async
        -> Response
    {
        let token = (asked.form["token"] ?? "")[...].trimmed
        do {
            let grant = try await routes.authenticator.grant(token: String(token))
            return begin(String(token), nil, grant, next: asked.form["next"], context)
        } catch {
            return refusal(error, asked, api, context)
        }
    }

    /// The page to sign in at, with what was wrong.
    private func refusal(
        _ error: any Error, _ asked: PageRequest, _ api: InProcessAPI, _ context: CallContext
    ) -> Response {
        let problem = Responder.problem(error, context)
        var response = response(
            pages.signIn(asked, api, problem: problem.detail), cookie: nil)
        // The page says that nobody is signed in, which is not so of what has nothing to do with who they are.
        if ![.unauthorized, .forbidden].contains(problem.status) {
            response.status = problem.status
            response.headers[.retryAfter] = problem.headers[.retryAfter]
        }
        return response
    }

    private func begin(
        _ token: String, _ refresh: String?, _ grant: Grant, next: String?, _ context: CallContext
    ) -> Response {
        context.logger.notice(
            "somebody signed in to the console", metadata: ["identity": "\(grant.identity.name)"])
        let cookie = sessions.begin(
            token: token, refresh: refresh, name: grant.identity.name)
        // Back to a page of the console, never to anywhere else.
        let page = next.flatMap { Self.isPage($0) ? $0 : nil }
        return response(.redirect(to: page ?? "/ui"), cookie: cookie)
    }

    /// Whether a browser that goes there stays in the console: it takes `.` and `..`, percent-encoded
    /// too, for steps in a path, a backslash for a slash, and drops tabs and line ends (URL
    /// Standard, 4.4).
    static func isPage(_ target: String) -> Bool {
        let path = String(target.prefix { $0 != "?" && $0 != "#" })
        guard serves(path), let decoded = path.removingPercentEncodingStrictly else { return false }
        let isPlain = target.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
        guard isPlain, !(target + decoded).contains("\\"), !decoded.contains("//") else {
            return false
        }
        return !decoded.split(separator: "/").contains { $0 == "." || $0 == ".." }
    }

    /// By an issuer of tokens: there, and back with a code.
    private func signIn(
        _ asked: PageRequest, _ step: String, _ issuer: IssuerSignIn, _ api: InProcessAPI,
        _ cookie: String?, _ context: CallContext
    ) async throws -> Response {
        do {
            if step == "issuer" {
                let visitor = cookie ?? ConsoleSessions.random()
                let address = try await issuer.begin(visitor, next: asked.query["next"])
                return response(.redirect(to: address), cookie: cookie == nil ? visitor : nil)
            }
            guard step == "callback" else { throw Problem.notFound("the page") }
            let back = try await issuer.end(cookie, asked.query)
            // The first that gives a right here: which of the two carries the roles differs from issuer to issuer.
            var refusal: (any Error)?
            for token in back.given.tokens {
                do {
                    let grant = try await routes.authenticator.grant(token: token)
                    return begin(token, back.given.refresh, grant, next: back.next, context)
                } catch { refusal = refusal ?? error }
            }
            throw refusal ?? Problem.forbidden("the issuer sent no token")
        } catch {
            return refusal(error, asked, api, context)
        }
    }

    // MARK: What scripts ask

    /// The API's answers as they are, for the console's own scripts and for files to be kept: by reading alone.
    private func passOn(_ request: Request, _ context: CallContext) async throws -> Response {
        guard request.method != .post else {
            throw Problem.forbidden("this is for reading: submit to the API itself")
        }
        let path = String(request.uri.path.dropFirst("/ui/api".count))
        let session = await session(cookie(request))
        // What goes on for long ends with it.
        var context = context
        context.session = session?.life
        let api = InProcessAPI(
            routes: routes, tree: tree, page: request,
            language: Language.of(request) == .arabic ? .arabic : .english,
            token: session?.token, context: context)
        let target = String((request.head.path ?? "").dropFirst("/ui/api".count))
        let inner = api.asked(.get, target, accept: request.headers[.accept] ?? "*/*")
        var response: Response
        do {
            response = try await api.answer(to: inner, path, context)
        } catch {
            response = Responder.problem(error, context).response(from: inner, id: context.id)
        }
        if response.headers[.contentSecurityPolicy] == nil {
            response.headers[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'"
        }
        response.headers[.crossOriginResourcePolicy] = "same-origin"
        return response
    }

    // MARK: Heads

    private static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'",
        "connect-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
        "require-trusted-types-for 'script'", "trusted-types 'none'",
    ].joined(separator: "; ")

    private func response(_ answer: PageAnswer, cookie: String?) -> Response {
        var headers = HTTPFields()
        headers[.contentType] = answer.contentType
        headers[.contentSecurityPolicy] = Self.policy
        headers[.crossOriginResourcePolicy] = "same-origin"
        headers[.crossOriginOpenerPolicy] = "same-origin"
        // Not none at all: then a browser would say of the console's own forms that they are from nowhere.
        headers[.referrerPolicy] = "same-origin"
        headers[.cacheControl] =
            answer.isImmutable ? "public, max-age=31536000, immutable" : "no-store"
        if let location = answer.location { headers[.location] = location }
        if let progress = answer.progress { headers[.progress] = progress }
        if let name = answer.fileName {
            headers[.contentDisposition] = "attachment; filename=\"\(name)\""
        }
        if let cookie {
            // Lax: who comes back from an issuer of tokens comes from another site.
            headers[.setCookie] =
                isSecure
                ? "\(cookieName)=\(cookie); Path=/; Secure; HttpOnly; SameSite=Lax"
                : "\(cookieName)=\(cookie); Path=/ui; HttpOnly; SameSite=Lax"
        }
        return Response(
            status: HTTPResponse.Status(code: answer.status), headers: headers,
            body: .bytes(answer.body))
    }

    /// With the prefix no other host, and nothing without TLS, can set it (RFC 6265bis, 4.1.3.2).
    private var cookieName: String { isSecure ? "__Host-sijill" : "sijill" }

    private func cookie(_ request: Request) -> String? {
        for field in request.headers[values: .cookie] {
            for pair in field.split(separator: ";") {
                let parts = pair.trimmed.split(separator: "=", maxSplits: 1)
                guard parts.count == 2, parts[0] == cookieName[...] else { continue }
                let value = parts[1]
                if value.utf8.count == 32, Hex.bytes(String(value)) != nil { return String(value) }
            }
        }
        return nil
    }
}

/// What a form sends (`application/x-www-form-urlencoded`).
enum FormBody {
    private static let mostBytes = 64 << 10

    static func values(of request: Request) async throws -> [String: String] {
        try values(try await request.wholeBody(atMost: mostBytes, "a form"))
    }

    /// - Parameter what: what it is, for the problem.
    static func values(
        _ bytes: [UInt8], _ what: String = "the form"
    ) throws -> [String: String] {
        var values: [String: String] = [:]
        for pair in bytes.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let texts = parts.map { part in
                String(decoding: part.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }, as: UTF8.self)
                    .removingPercentEncodingStrictly
            }
            guard let name = texts.first ?? nil, let value = texts.count > 1 ? texts[1] : "" else {
                throw Problem.badRequest(
                    "\(what) has a percent sign without two hexadecimal digits of UTF-8")
            }
            values[name] = value
        }
        return values
    }
}

extension HTTPField.Name {
    static let crossOriginOpenerPolicy = console("Cross-Origin-Opener-Policy")
    static let referrerPolicy = console("Referrer-Policy")
    /// How far what a page waits for is.
    static let progress = console("Sijill-Progress")

    private static func console(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .from }
}
