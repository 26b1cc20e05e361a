import Core
import Cryptography
import Foundation

/// Where the events of a subscription are posted to, and how (docs/service/webhooks.md).
struct Webhook: Sendable {
    /// Of the same numbers as leases: goes up whenever it is put, so that what was under way in the name of a former one
    /// moves nothing on.
    var number: UInt64 = 0
    let url: String
    /// Each signs: while a secret is being replaced there are two.
    let secrets: [WebhookSecret]
    /// How often the receiver may refuse an event until it is parked.
    var maxDeliveries = 8
    var timeoutSeconds = 15
    /// Why nothing is posted any more; nil while something is.
    var stopped: String?

    /// What is shown: never a secret.
    var json: JSON { .object(of: shown + [("stopped", stopped.map { .string($0) } ?? .null)]) }

    private var shown: [(String, JSON)] {
        [
            ("url", .string(url)), ("maxDeliveries", .integer(Int64(maxDeliveries))),
            ("timeoutSeconds", .integer(Int64(timeoutSeconds))),
        ]
    }

    // MARK: What an operator puts

    init(body: BodyObject) throws {
        var body = body
        guard let url = try body.text("url") else { throw Problem.badRequest("\"url\" is missing") }
        self.url = url
        secrets = try Self.secrets(body.take("secret"))
        maxDeliveries = try body.number("maxDeliveries", in: 1...100) ?? maxDeliveries
        timeoutSeconds = try body.number("timeoutSeconds", in: 1...60) ?? timeoutSeconds
        try body.end()
    }

    private static func secrets(_ json: JSON?) throws -> [WebhookSecret] {
        let texts = (json?.array ?? json.map { [$0] } ?? []).map(\.string)
        let secrets = texts.compactMap { $0.flatMap { WebhookSecret($0) } }
        guard (1...3).contains(texts.count), secrets.count == texts.count else {
            throw Problem.badRequest(
                "\"secret\" is whsec_ and the base64 of 24 to 64 random bytes, or a list of up to three of these"
            )
        }
        return secrets
    }

    // MARK: What is kept

    /// With the secrets: for a file that nobody else reads.
    var record: JSON {
        .object(
            of: shown + [
                ("number", .integer(Int64(number))),
                ("secrets", .array(secrets.map { .string($0.text) })),
                ("stopped", stopped.map { .string($0) } ?? .null),
            ])
    }

    init?(record: JSON) {
        guard let number = record["number"]?.unsigned, let url = record["url"]?.string,
            let secrets = record["secrets"]?.array,
            let most = record["maxDeliveries"]?.unsigned,
            let timeout = record["timeoutSeconds"]?.unsigned
        else { return nil }
        self.number = number
        self.url = url
        self.secrets = secrets.compactMap { $0.string.flatMap { WebhookSecret($0) } }
        maxDeliveries = Int(most)
        timeoutSeconds = Int(timeout)
        stopped = record["stopped"]?.string
        if self.secrets.isEmpty { return nil }
    }
}

/// A secret that posts are signed with (Standard Webhooks, Signature scheme: symmetric).
struct WebhookSecret: Sendable {
    private static let prefix = "whsec_"
    let text: String
    private let key: SecretKey

    init?(_ text: String) {
        guard text.hasPrefix(Self.prefix),
            let bytes = Data(base64Encoded: String(text.dropFirst(Self.prefix.count))),
            (24...64).contains(bytes.count)
        else { return nil }
        self.text = text
        key = SecretKey(Array(bytes))
    }

    /// `v1,` and the base64 of the HMAC-SHA256 of `id.timestamp.body`.
    func signature(of id: String, _ timestamp: String, _ body: [UInt8]) -> String {
        let signed = Array("\(id).\(timestamp).".utf8) + body
        let code = HMAC.code(of: signed.span, with: key)
        return "v1," + Data(code.indices.map { code[$0] }).base64EncodedString()
    }
}

/// Where anything may be posted to, as the operator of the machine says: `https://hooks.example/sijill/, http://127.0.0.1:9000`.
struct WebhookAllowList: Sendable {
    private let prefixes: [URLComponents]

    /// Nil where an entry is no address.
    init?(_ text: String) {
        let parts = text.split(separator: ",").map { $0.trimmed }.filter { !$0.isEmpty }
        let prefixes = parts.compactMap { Self.address(String($0)) }
        guard prefixes.count == parts.count else { return nil }
        self.prefixes = prefixes
    }

    var isEmpty: Bool { prefixes.isEmpty }

    /// Whether a URL has the scheme, the host and the port of an entry, and lies below its path.
    func admits(_ text: String) -> Bool {
        guard let url = Self.address(text) else { return false }
        return prefixes.contains { prefix in
            prefix.scheme == url.scheme && prefix.host?.lowercased() == url.host?.lowercased()
                && Self.port(prefix) == Self.port(url) && Self.isBelow(prefix.path, url.path)
        }
    }

    private static func isBelow(_ prefix: String, _ path: String) -> Bool {
        let folder = prefix.hasSuffix("/") ? prefix : prefix + "/"
        return prefix.isEmpty || path == prefix || path.hasPrefix(folder)
    }

    private static func port(_ url: URLComponents) -> Int {
        url.port ?? (url.scheme == "https" ? 443 : 80)
    }

    private static func address(_ text: String) -> URLComponents? {
        guard let url = URLComponents(string: text), ["http", "https"].contains(url.scheme),
            url.host?.isEmpty == false, url.user == nil, url.password == nil, url.fragment == nil,
            !url.path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." })
        else { return nil }
        return url
    }
}
