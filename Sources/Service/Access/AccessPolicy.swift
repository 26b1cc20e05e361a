import Core
import Engine
import Foundation

/// Who may what: a file that the operator writes (docs/service/access.md).
struct AccessPolicy: Sendable {
    /// Identities by the SHA-256 of their token, in hexadecimal digits: the token itself is nowhere.
    private(set) var tokens: [String: Identity] = [:]
    /// Those whose signed tokens are taken, by their names.
    private(set) var issuers: [String: IssuerPolicy] = [:]
    /// Identities by what a client's certificate says; the first that fits counts.
    private(set) var certificates: [CertificateRule] = []
    /// What becomes of who comes with neither; nil: they are refused.
    var anonymous: Identity?

    /// Everybody who reaches the service may do everything: for a service that listens on this machine alone.
    static let local = AccessPolicy(anonymous: .local)

    private init(anonymous: Identity?) { self.anonymous = anonymous }

    /// Reads the policy, and the files of keys that it names.
    init(file path: String) async throws(ConfigurationError) {
        let bytes: [UInt8]
        do {
            bytes = Array(try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw ConfigurationError(
                "access.file: \(path) cannot be read: \(error.localizedDescription)")
        }
        do throws(ConfigurationError) {
            try self.init(bytes)
            for name in issuers.keys { try await issuers[name]?.source.readFile() }
        } catch {
            throw ConfigurationError("access.file: \(path): \(error.message)")
        }
    }

    private init(_ bytes: [UInt8]) throws(ConfigurationError) {
        let json: JSON
        do { json = try JSON(parsing: bytes) } catch {
            throw ConfigurationError("not JSON: \(error)")
        }
        var object = try PolicyObject(json, "the policy")
        for (index, item) in try object.array("identities").enumerated() {
            var object = try PolicyObject(item, "identities[\(index)]")
            let identity = try Self.identity(&object)
            guard let digest = try object.text("tokenSHA256") else {
                throw ConfigurationError("\(object.path).tokenSHA256: it is missing")
            }
            guard digest.count == 64, Hex.bytes(digest.lowercased()) != nil else {
                throw ConfigurationError(
                    "\(object.path).tokenSHA256: 64 hexadecimal digits, as sha256sum prints them")
            }
            guard tokens.updateValue(identity, forKey: digest.lowercased()) == nil else {
                throw ConfigurationError(
                    "\(object.path).tokenSHA256: the token of another identity")
            }
            try object.end()
        }
        for (index, item) in try object.array("issuers").enumerated() {
            let issuer = try IssuerPolicy(item, "issuers[\(index)]")
            guard issuers.updateValue(issuer, forKey: issuer.name) == nil else {
                throw ConfigurationError("issuers[\(index)].issuer: \(issuer.name) is there twice")
            }
        }
        for (index, item) in try object.array("certificates").enumerated() {
            var object = try PolicyObject(item, "certificates[\(index)]")
            certificates.append(try CertificateRule(&object, try Self.identity(&object)))
            try object.end()
        }
        if let item = object.take("anonymous") {
            var object = try PolicyObject(item, "anonymous")
            anonymous = try Self.identity(&object)
            try object.end()
        }
        try object.end()
    }

    private static func identity(_ object: inout PolicyObject) throws(ConfigurationError)
        -> Identity
    {
        guard let identity = try IdentityTemplate(&object, hasClaims: false).constant else {
            throw ConfigurationError("\(object.path): an identity is wanted")
        }
        return identity
    }

    /// The identity of who has shown a certificate.
    func identity(of certificate: ClientCertificate) -> Identity? {
        certificates.first { $0.fits(certificate) }?.identity
    }
}

/// Whose signed tokens are taken, and what becomes of who has one.
struct IssuerPolicy: Sendable {
    /// As `iss` says it, exactly.
    let name: String
    /// Whom a token must be for: one of these in `aud`.
    let audiences: Set<String>
    var source: KeySource
    private let rules: [Rule]

    /// What becomes of who has a claim.
    private struct Rule: Sendable {
        /// None: of everybody whom the issuer knows.
        let claim: String?
        let values: Set<String>
        let template: IdentityTemplate
    }

    init(_ json: JSON, _ path: String) throws(ConfigurationError) {
        var object = try PolicyObject(json, path)
        guard let name = try object.text("issuer") else {
            throw ConfigurationError("\(path).issuer: it is missing")
        }
        self.name = name
        audiences = Set(try object.textOrTexts("audience"))
        if audiences.isEmpty {
            throw ConfigurationError("\(path).audience: name at least one, as \"aud\" says it")
        }
        source = try KeySource(&object, issuer: name)
        var rules: [Rule] = []
        for (index, item) in try object.array("rules").enumerated() {
            var object = try PolicyObject(item, "\(path).rules[\(index)]")
            let claim = try object.text("claim")
            let values = try object.textOrTexts("value")
            if (claim == nil) != values.isEmpty {
                throw ConfigurationError(
                    "\(object.path): \"claim\" and \"value\" belong together: give both or none")
            }
            rules.append(
                Rule(
                    claim: claim, values: Set(values),
                    template: try IdentityTemplate(&object, hasClaims: true)))
            try object.end()
        }
        if rules.isEmpty {
            throw ConfigurationError("\(path).rules: nobody who has a token would be anybody")
        }
        self.rules = rules
        try object.end()
    }

    /// The identity that the first rule gives whose claim is there; nil where none is, or where its actor would be no actor.
    func identity(of claims: TokenClaims) -> Identity? {
        let rule = rules.first { rule in
            guard let claim = rule.claim else { return true }
            return !rule.values.isDisjoint(with: claims.words(claim))
        }
        var identity = rule?.template.filled { claims.word($0) }
        identity?.pseudonym = claims.pseudonym
        return identity
    }
}
