import Core
import Foundation

/// The signatures that a token may have (RFC 7518, 3.1; RFC 8037): none that a public key could be made into.
enum TokenAlgorithm: String, Sendable, CaseIterable {
    case es256 = "ES256"
    case edDSA = "EdDSA"
    case rs256 = "RS256"
    case ps256 = "PS256"
}

/// A JSON Web Token (RFC 7519) as it came: nothing that it says is true before its signature is.
struct SignedToken: Sendable {
    static let mostBytes = 8 << 10

    let algorithm: TokenAlgorithm
    let keyID: String?
    let claims: TokenClaims
    /// What the signature is of.
    let signed: [UInt8]
    let signature: [UInt8]

    /// Nil for what is no such token, or one that asks for more than is understood here.
    init?(_ text: String) {
        guard text.utf8.count <= Self.mostBytes else { return nil }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.json(parts[0]), header.members != nil,
            let claims = Self.json(parts[1]), claims.members != nil,
            let signature = Self.bytes(parts[2]), !signature.isEmpty,
            let algorithm = header["alg"]?.string.flatMap({ TokenAlgorithm(rawValue: $0) }),
            // What must be understood (RFC 7515, 4.1.11) is not.
            header["crit"] == nil
        else { return nil }
        self.algorithm = algorithm
        keyID = header["kid"]?.string
        self.claims = TokenClaims(json: claims)
        self.signature = signature
        signed = Array(parts[0]) + [UInt8(ascii: ".")] + Array(parts[1])
    }

    private static func json(_ part: Substring.UTF8View) -> JSON? {
        bytes(part).flatMap { try? JSON(parsing: $0) }
    }

    /// Base64 for URLs, without padding (RFC 7515, 2).
    private static func bytes(_ part: Substring.UTF8View) -> [UInt8]? {
        var text: [UInt8] = []
        for byte in part {
            switch byte {
            case UInt8(ascii: "-"): text.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): text.append(UInt8(ascii: "/"))
            case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
            default: text.append(byte)
            }
        }
        while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
        return Data(base64Encoded: Data(text)).map { Array($0) }
    }
}

/// What a token says of who has it.
struct TokenClaims: Sendable {
    /// How far the clocks of an issuer and of the service may be apart, in seconds.
    static let leeway: Int64 = 30

    let json: JSON

    var issuer: String? { json["iss"]?.string }

    /// The second at which the token is over, in seconds since 1970.
    var expires: Int64? { json["exp"].flatMap { Self.seconds(of: $0, roundedUp: false) } }

    /// Whom it is for: one, or several.
    var audiences: [String] { Self.words(of: json["aud"] ?? .null) }

    /// Why the token is not good now; nil where it is.
    func problem(audiences wanted: Set<String>, at now: Instant) -> String? {
        let seconds = now.milliseconds / 1_000
        if wanted.isDisjoint(with: audiences) { return "the access token is for another audience" }
        guard let expires else { return "the access token does not say when it expires" }
        if Self.isOver(expires, at: now) { return "the access token has expired" }
        if let begin = json["nbf"] {
            guard let begin = Self.seconds(of: begin, roundedUp: true),
                begin.subtractingReportingOverflow(Self.leeway).partialValue <= seconds
            else { return "the access token is not valid yet" }
        }
        return nil
    }

    /// A NumericDate (RFC 7519, 2), which may have a fraction, in whole seconds since 1970.
    private static func seconds(of date: JSON, roundedUp: Bool) -> Int64? {
        if let whole = date.wholeNumber { return whole }
        guard let hundredths = date.number?.hundredths else { return nil }
        let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
        if roundedUp { return rest > 0 ? whole + 1 : whole }
        return rest < 0 ? whole - 1 : whole
    }

    /// Whether a token that expires then has expired.
    static func isOver(_ expires: Int64, at now: Instant) -> Bool {
        now.milliseconds / 1_000 - leeway >= expires
    }

    /// The words of a claim: its text, or those of its array. `realm_access.roles` is a member of a member, where no claim has that very name.
    func words(_ claim: String) -> [String] { Self.value(json, claim[...]).map(Self.words) ?? [] }

    /// A claim that is one text or number.
    func word(_ claim: String) -> String? {
        guard let value = Self.value(json, claim[...]), value.array == nil else { return nil }
        return Self.words(of: value).first
    }

    private static func value(_ json: JSON, _ path: Substring) -> JSON? {
        if let value = json[String(path)] { return value }
        var dot = path.firstIndex(of: ".")
        while let place = dot {
            if let inner = json[String(path[..<place])],
                let value = value(inner, path[path.index(after: place)...])
            {
                return value
            }
            dot = path[path.index(after: place)...].firstIndex(of: ".")
        }
        return nil
    }

    private static func words(of value: JSON) -> [String] {
        if let items = value.array { return items.flatMap { $0.array == nil ? words(of: $0) : [] } }
        if let text = value.string { return [text] }
        if let number = value.wholeNumber { return ["\(number)"] }
        return value.bool.map { ["\($0)"] } ?? []
    }

    /// Stands in the log for who has the token: the issuer's operator can make it again, nobody reads a name in it.
    var pseudonym: String? {
        guard let issuer, let subject = json["sub"]?.string else { return nil }
        return String(SHA256Digest.hex(of: Array("\(issuer)\n\(subject)".utf8)).prefix(16))
    }
}
