import AsyncHTTPClient
import Core
import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL

/// Where the keys of an issuer are.
struct KeySource: Sendable {
    let issuer: String
    let algorithms: Set<TokenAlgorithm>
    private let place: Place
    /// A PEM file of who signs the certificates of the issuer's servers; else whom the system trusts.
    private let authority: String?
    /// Those of a file, read with the policy.
    private(set) var keys: TokenKeys?

    private enum Place: Hashable {
        /// `jwks_uri` of the issuer's `/.well-known/openid-configuration` (OpenID Connect Discovery 1.0, 4).
        case discovery
        case address(String)
        case file(String)
    }

    init(_ object: inout PolicyObject, issuer: String) throws(ConfigurationError) {
        let path = object.path
        self.issuer = issuer
        var algorithms: Set<TokenAlgorithm> = []
        for word in try object.texts("algorithms") ?? TokenAlgorithm.allCases.map(\.rawValue) {
            guard let algorithm = TokenAlgorithm(rawValue: word) else {
                let known = TokenAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")
                throw ConfigurationError("\(path).algorithms: \(word) is none of \(known)")
            }
            algorithms.insert(algorithm)
        }
        self.algorithms = algorithms
        authority = try object.text("authority")
        if let authority, !FileManager.default.isReadableFile(atPath: authority) {
            throw ConfigurationError("\(path).authority: \(authority) cannot be read")
        }
        switch try object.text("jwks") {
        case nil: place = .discovery
        case let text? where text.contains("://"): place = .address(text)
        case let text?: place = .file(text)
        }
        let asked: (name: String, text: String)? =
            switch place {
            case .discovery: ("issuer", issuer)
            case .address(let text): ("jwks", text)
            case .file: nil
            }
        if let asked, !Self.isSafe(asked.text) {
            throw ConfigurationError(
                "\(path).\(asked.name): https is wanted, or http on this machine: \(asked.text)")
        }
    }

    /// Reads the keys where they are in a file.
    mutating func readFile() async throws(ConfigurationError) {
        guard case .file(let path) = place else { return }
        guard let data = try? Data(contentsOf: URL(filePath: path)) else {
            throw ConfigurationError("\(issuer): jwks: \(path) cannot be read")
        }
        guard let json = try? JSON(parsing: Array(data)),
            let read = await TokenKeys(json, for: algorithms)
        else {
            throw ConfigurationError("\(issuer): jwks: \(path) is no set of keys (RFC 7517)")
        }
        keys = read
    }

    /// Whether the same keys come of both.
    func isSame(as other: KeySource) -> Bool {
        issuer == other.issuer && algorithms == other.algorithms && place == other.place
            && authority == other.authority && keys?.digest == other.keys?.digest
    }

    /// Nobody between can read or change what comes from there.
    private static func isSafe(_ address: String) -> Bool {
        guard let parts = URLComponents(string: address), let host = parts.host, !host.isEmpty,
            parts.user == nil, parts.fragment == nil
        else { return false }
        return parts.scheme == "https"
            || (parts.scheme == "http" && ["127.0.0.1", "localhost", "[::1]"].contains(host))
    }

    // MARK: Asking

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let mostBytes = 256 << 10
    private static let patience = TimeAmount.seconds(10)

    /// Asks for the keys; says how long they may be used.
    func fetch() async throws -> (keys: TokenKeys, freshness: Duration) {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout.connect = .seconds(5)
        if let authority {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .file(authority)
            configuration.tlsConfiguration = tls
        }
        // Asked once in a long while: nothing is kept open between.
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let fetched: Result<(keys: TokenKeys, freshness: Duration), any Error>
        do { fetched = .success(try await fetch(client)) } catch { fetched = .failure(error) }
        try await client.shutdown()
        return try fetched.get()
    }

    private func fetch(_ client: HTTPClient) async throws -> (
        keys: TokenKeys, freshness: Duration
    ) {
        var address = ""
        switch place {
        case .address(let text): address = text
        case .file, .discovery:
            let base = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
            let document = try await get(base + "/.well-known/openid-configuration", client).json
            guard document["issuer"]?.string == issuer else {
                throw Failure(description: "its configuration is of another issuer")
            }
            guard let found = document["jwks_uri"]?.string, Self.isSafe(found),
                !issuer.hasPrefix("https:") || found.hasPrefix("https:")
            else {
                throw Failure(description: "its configuration has no jwks_uri that is https")
            }
            address = found
        }
        let (json, freshness) = try await get(address, client)
        guard let keys = await TokenKeys(json, for: algorithms) else {
            throw Failure(description: "its keys are no set of keys (RFC 7517)")
        }
        return (keys, freshness)
    }

    private func get(_ address: String, _ client: HTTPClient) async throws -> (
        json: JSON, freshness: Duration
    ) {
        var request = HTTPClientRequest(url: address)
        request.headers.add(name: "Accept", value: "application/json")
        let response = try await client.execute(request, timeout: Self.patience)
        guard response.status == .ok else {
            throw Failure(description: "\(address) answers \(response.status.code)")
        }
        let body = try await response.body.collect(upTo: Self.mostBytes)
        guard let json = try? JSON(parsing: Array(body.readableBytesView)) else {
            throw Failure(description: "\(address) answers what is no JSON")
        }
        return (json, Self.freshness(response.headers.first(name: "Cache-Control")))
    }

    /// `max-age` of a `Cache-Control` (RFC 9111, 5.2.2.1), from ten seconds to a day; ten minutes where it says nothing.
    private static func freshness(_ field: String?) -> Duration {
        for directive in (field ?? "").split(separator: ",") {
            let parts = directive.split(separator: "=", maxSplits: 1)
            if parts.count == 2, parts[0].trimmed.lowercased() == "max-age",
                let seconds = Int(parts[1].trimmed)
            {
                return .seconds(min(max(seconds, 10), 86_400))
            }
        }
        return .seconds(600)
    }
}
