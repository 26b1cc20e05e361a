import Core
import Foundation
import JWTKit

/// The public keys of an issuer (RFC 7517).
struct TokenKeys: Sendable {
    private struct Key: Sendable {
        let id: String?
        let algorithm: TokenAlgorithm
        let verifier: any JWTAlgorithm
    }

    private static let mostKeys = 64

    private var keys: [Key] = []
    /// Of the document: two that say the same are the same.
    let digest: String

    /// What is no key for one of the algorithms is passed over; nil for what is no set of keys.
    init?(_ json: JSON, for algorithms: Set<TokenAlgorithm>) async {
        guard let items = json["keys"]?.array else { return nil }
        digest = SHA256Digest.hex(of: json.canonical)
        for item in items.prefix(Self.mostKeys) {
            for algorithm in algorithms.sorted(by: { $0.rawValue < $1.rawValue }) {
                guard let verifier = await Self.verifier(item, algorithm) else { continue }
                keys.append(Key(id: item["kid"]?.string, algorithm: algorithm, verifier: verifier))
            }
        }
    }

    /// The key of a token: that of its id; where it has none, the only one for its algorithm.
    func verifier(of token: SignedToken) -> (any JWTAlgorithm)? {
        let fitting = keys.filter { $0.algorithm == token.algorithm }
        guard let id = token.keyID else { return fitting.count == 1 ? fitting[0].verifier : nil }
        return fitting.first { $0.id == id }?.verifier
    }

    private static func verifier(_ key: JSON, _ algorithm: TokenAlgorithm) async -> (
        any JWTAlgorithm
    )? {
        // A key is for what it says it is for.
        if let named = key["alg"], named.string != algorithm.rawValue { return nil }
        if let use = key["use"], use.string != "sig" { return nil }
        if let operations = key["key_ops"]?.array, !operations.contains(.string("verify")) {
            return nil
        }
        let id = JWKIdentifier(string: "key")
        let curve = key["crv"]?.string
        let jwk: JWK
        switch (algorithm, key["kty"]?.string) {
        case (.rs256, "RSA"), (.ps256, "RSA"):
            jwk = .rsa(
                algorithm == .rs256 ? .rs256 : .ps256, identifier: id, modulus: key["n"]?.string,
                exponent: key["e"]?.string)
        case (.es256, "EC") where curve == "P-256":
            jwk = .ecdsa(
                .es256, identifier: id, x: key["x"]?.string, y: key["y"]?.string, curve: .p256)
        case (.edDSA, "OKP") where curve == "Ed25519":
            jwk = .octetKeyPair(
                .eddsa, identifier: id, x: key["x"]?.string, y: nil, curve: .ed25519)
        default: return nil
        }
        // JWTKit gives out what verifies by way of a collection alone.
        return try? await JWTKeyCollection().add(jwk: jwk).getKey(for: id)
    }
}

extension SignedToken {
    func isSigned(by verifier: any JWTAlgorithm) -> Bool {
        (try? verifier.verify(signature, signs: signed)) ?? false
    }
}
