import Cryptography

/// What a key of a note signs.
package enum NoteKeyKind: UInt8, Hashable, Sendable {
    /// The text: C2SP signed-note, type 0x01.
    case signature = 0x01
    /// The text and an instant, by a witness: C2SP tlog-cosignature, `cosignature/v1`.
    case cosignature = 0x04
}

/// The public half of a key, by which signatures are checked: its name, its kind and an Ed25519
/// key. As text a `vkey`, `NAME+HASH+KEY` (C2SP signed-note).
package struct NoteVerifier: Hashable, Sendable {
    package let name: String
    package let kind: NoteKeyKind
    /// 32 bytes (RFC 8032 §5.1.5).
    package let publicKey: [UInt8]
    /// Tells the keys of a name apart. Not a strong hash: it names a key, it proves none.
    package let id: UInt32

    private init(checkedName name: String, kind: NoteKeyKind, publicKey: [UInt8]) {
        self.name = name
        self.kind = kind
        self.publicKey = publicKey
        id = Self.id(name, [kind.rawValue] + publicKey)
    }

    package init(
        name: String, kind: NoteKeyKind, publicKey: [UInt8]
    ) throws(ProofError) {
        guard NoteName.isValid(name) else { throw NoteName.fault(name) }
        guard publicKey.count == Ed25519.keyByteCount else {
            throw .malformed("the public key of \(name) is not 32 bytes of Ed25519")
        }
        self.init(checkedName: name, kind: kind, publicKey: publicKey)
    }

    /// Reads a `vkey`.
    package init(text: String) throws(ProofError) {
        guard !text.contains(NoteSigner.beginning) else {
            // Nothing of it is shown.
            throw .malformed(
                "this is a private key; give the verifier key that was made with it, FILE.vkey")
        }
        let parts = NoteName.parts(text, plusSigns: 2)
        guard parts.count == 3, let key = Base64.bytes(parts[2]), let type = key.first else {
            let quoted = PlainText.quoted(text)
            throw ProofError(
                kind: .malformed,
                description: "\(quoted) is no verifier key; one reads NAME+HASH+KEY",
                key: .verifier(quoted))
        }
        guard let kind = NoteKeyKind(rawValue: type) else {
            throw .malformed(
                "the verifier key of \(PlainText.quoted(parts[0])) is of type \(type); only "
                    + "Ed25519 (1) and witnesses' Ed25519 cosignatures (4) are known")
        }
        try self.init(name: parts[0], kind: kind, publicKey: Array(key.dropFirst()))
        guard PlainText.isSame(parts[1], NoteName.hexadecimal(id)) else {
            throw .malformed(
                "the verifier key of \(name) does not belong to its hash "
                    + "\(PlainText.quoted(parts[1])); copy it again, whole")
        }
    }

    /// The `vkey`.
    package var text: String {
        "\(name)+\(NoteName.hexadecimal(id))+\(Base64.text([kind.rawValue] + publicKey))"
    }

    /// The same public key as that of a witness, or of a log.
    package func converted(to kind: NoteKeyKind) -> NoteVerifier {
        NoteVerifier(checkedName: name, kind: kind, publicKey: publicKey)
    }

    /// Whether the key made this signature of the text (of its bytes, the last newline included).
    func verifies(_ signature: [UInt8], text: String) -> Bool {
        var message = Array(text.utf8)
        var rest = signature[...]
        if kind == .cosignature {
            guard let time = Cosignature.time(signature) else { return false }
            message = Cosignature.message(text: text, time: time)
            rest = rest.dropFirst(Cosignature.timeByteCount)
        }
        guard let key = try? Ed25519.PublicKey(publicKey) else { return false }
        return (try? key.verifies(Array(rest), of: message)) ?? false
    }

    /// The first four bytes of the SHA-256 of name, newline, type and public key.
    private static func id(_ name: String, _ typedKey: [UInt8]) -> UInt32 {
        let typedName = Array(name.utf8) + [PlainText.newline] + typedKey
        return Array(SHA256.digest(of: typedName.span)).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// The names of keys and what verifier and signer keys have in common.
enum NoteName {
    /// Not empty, no Unicode space, no plus sign; nor a control character, which no note may hold.
    static func isValid(_ name: String) -> Bool {
        !name.isEmpty
            && name.unicodeScalars.allSatisfy {
                !$0.properties.isWhitespace && $0 != "+" && $0.value >= 0x20
            }
    }

    static func fault(_ name: String) -> ProofError {
        .malformed(
            "\(PlainText.quoted(name)) is no key name; it may hold no space and no plus sign, "
                + "like school.example/journal")
    }

    /// Cuts a key's text at its first plus signs; the last part is base 64 and may hold more.
    static func parts(_ text: String, plusSigns: Int) -> [String] {
        Array(text.utf8).split(
            separator: UInt8(ascii: "+"), maxSplits: plusSigns, omittingEmptySubsequences: false
        ).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Eight lower-case digits.
    static func hexadecimal(_ id: UInt32) -> String {
        let digits = String(id, radix: 16)
        return String(repeating: "0", count: 8 - digits.utf8.count) + digits
    }
}
