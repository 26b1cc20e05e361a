import Cryptography

/// The private half of a key. As text `PRIVATE+KEY+NAME+HASH+KEY`, the form of
/// golang.org/x/mod/sumdb/note; to be kept where nobody else can read it.
package struct NoteSigner: Sendable {
    package let verifier: NoteVerifier
    private let key: Ed25519.PrivateKey

    package var name: String { verifier.name }

    private init(
        name: String, kind: NoteKeyKind, key: Ed25519.PrivateKey
    ) throws(ProofError) {
        self.key = key
        verifier = try NoteVerifier(
            name: name, kind: kind, publicKey: key.publicKey.bytes)
    }

    /// A new key of the system's random generator.
    package static func generate(
        name: String, kind: NoteKeyKind = .signature
    ) throws(ProofError) -> NoteSigner {
        guard let key = try? Ed25519.PrivateKey.generate() else {
            throw .refuted(
                "no key could be made for \(PlainText.quoted(name)); nothing was written")
        }
        return try NoteSigner(name: name, kind: kind, key: key)
    }

    /// The key with this seed of 32 bytes (RFC 8032 §5.1.5).
    package init(name: String, kind: NoteKeyKind = .signature, seed: [UInt8]) throws(ProofError) {
        guard let key = try? Ed25519.PrivateKey(seed: SecretKey(seed)) else {
            throw .malformed("the private key of \(PlainText.quoted(name)) is not 32 bytes long")
        }
        try self.init(name: name, kind: kind, key: key)
    }

    /// What the text of every private key begins with.
    static let beginning = "PRIVATE+KEY+"

    /// Reads a private key's text. No message repeats any of it.
    package init(text: String) throws(ProofError) {
        let parts = NoteName.parts(text, plusSigns: 4)
        guard parts.count == 5, parts[0] == "PRIVATE", parts[1] == "KEY",
            let bytes = Base64.bytes(parts[4]), let type = bytes.first,
            let kind = NoteKeyKind(rawValue: type), bytes.count == 33
        else {
            throw ProofError(
                kind: .malformed,
                description: "this is no private key; one reads PRIVATE+KEY+NAME+HASH+KEY",
                key: .secret)
        }
        try self.init(name: parts[2], kind: kind, seed: Array(bytes.dropFirst()))
        guard PlainText.isSame(parts[3], NoteName.hexadecimal(verifier.id)) else {
            throw .malformed(
                "the private key of \(name) does not belong to its hash; copy it again, whole")
        }
    }

    /// The secret, as text.
    package var privateText: String {
        let seed = key.seed.withBytes { bytes in bytes.indices.map { bytes[$0] } }
        let hash = NoteName.hexadecimal(verifier.id)
        return "\(Self.beginning)\(name)+\(hash)+" + Base64.text([verifier.kind.rawValue] + seed)
    }

    /// The same key as that of a witness, or of a log.
    package func converted(to kind: NoteKeyKind) throws(ProofError) -> NoteSigner {
        try NoteSigner(name: name, kind: kind, key: key)
    }

    /// Signs the bytes of a text. The same key and text give the same signature (RFC 8032 §5.1.6).
    func signature(of message: [UInt8]) throws(ProofError) -> [UInt8] {
        guard let signature = try? key.signature(of: message) else {
            throw .refuted("the key of \(name) could not sign; nothing was written")
        }
        return signature
    }
}
