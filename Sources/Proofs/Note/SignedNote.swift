/// A text and its signatures (C2SP signed-note): the text, an empty line, and for each signature
/// a line `— NAME BASE64`.
package struct SignedNote: Hashable, Sendable {
    /// What is signed, its last newline included.
    package let text: String
    package private(set) var signatures: [Signature]

    package struct Signature: Hashable, Sendable {
        package let name: String
        /// Of the key, with its name.
        package let id: UInt32
        /// What the key made of the text; for a cosignature the instant before it.
        package let bytes: [UInt8]
    }

    /// More signatures than these are refused, as golang.org/x/mod/sumdb/note does.
    package static let mostSignatures = 100

    /// Reads a note; no signature is checked.
    package init(_ bytes: [UInt8]) throws(ProofError) {
        guard let whole = PlainText.decoded(bytes) else {
            throw .malformed("the note is not UTF-8 text")
        }
        try self.init(whole)
    }

    /// Reads a note; no signature is checked.
    package init(_ whole: String) throws(ProofError) {
        guard whole.utf8.allSatisfy({ $0 >= 0x20 || $0 == PlainText.newline }) else {
            throw .malformed("the note holds a control character; only newlines may be in it")
        }
        guard let lines = PlainText.lines(whole) else {
            throw .malformed("the note does not end with a newline; perhaps it was cut short")
        }
        guard let gap = lines.lastIndex(of: ""), gap > 0, gap + 1 < lines.count else {
            throw .malformed("the note has no signature lines after an empty line")
        }
        guard lines.count - gap - 1 <= Self.mostSignatures else {
            throw .malformed("the note has more than \(Self.mostSignatures) signatures")
        }
        text = lines[..<gap].joined(separator: "\n") + "\n"
        signatures = []
        for (index, line) in lines.enumerated().dropFirst(gap + 1) {
            signatures.append(try Signature(line: line, number: index + 1))
        }
    }

    /// A note that nobody has signed yet.
    package init(unsigned text: String) throws(ProofError) {
        guard text.utf8.last == PlainText.newline,
            text.utf8.allSatisfy({ $0 >= 0x20 || $0 == PlainText.newline })
        else {
            throw .malformed(
                "a note's text ends with a newline and holds no other control character")
        }
        self.text = text
        signatures = []
    }

    /// As it is written; reads back as the same note.
    package var description: String {
        text + "\n" + signatures.map { $0.line + "\n" }.joined()
    }

    package var bytes: [UInt8] { Array(description.utf8) }

    /// Signs the text, in place of an older signature by the same key. For the key of a witness
    /// see `cosign`.
    package mutating func sign(with signer: NoteSigner) throws(ProofError) {
        guard signer.verifier.kind == .signature else {
            throw .refuted(
                "\(signer.name) is a witness's key: it signs an instant too, by cosigning")
        }
        add(signer.verifier, try signer.signature(of: Array(text.utf8)))
    }

    mutating func add(_ key: NoteVerifier, _ signature: [UInt8]) {
        signatures.removeAll { $0.isBy(key) }
        signatures.append(Signature(name: key.name, id: key.id, bytes: signature))
    }

    /// The first signature of each key that is known and signed, in the note's order. Signatures by
    /// unknown keys are passed over; one by a known key that is not right refuses the whole note.
    package func verified(
        by keys: [NoteVerifier]
    ) throws(ProofError) -> [(key: NoteVerifier, signature: Signature)] {
        var found: [(key: NoteVerifier, signature: Signature)] = []
        for signature in signatures {
            for key in keys where signature.isBy(key) {
                guard key.verifies(signature.bytes, text: text) else {
                    throw .refuted(
                        "the signature of \(key.name) is not right: the note was changed, or "
                            + "another key made it")
                }
                if !found.contains(where: { $0.key == key }) { found.append((key, signature)) }
            }
        }
        return found
    }
}

extension SignedNote: CustomStringConvertible {}

extension SignedNote.Signature {
    init(line: String, number: Int) throws(ProofError) {
        guard let rest = PlainText.dropping("— ", from: line) else {
            throw .malformed("line \(number) of the note is no signature; one reads — NAME BASE64")
        }
        let parts = Array(rest.utf8).split(
            separator: UInt8(ascii: " "), omittingEmptySubsequences: false
        ).map { String(decoding: $0, as: UTF8.self) }
        guard parts.count == 2, NoteName.isValid(parts[0]) else {
            throw .malformed(
                "line \(number) of the note is no signature; — NAME BASE64 has three parts, "
                    + "and the name no plus sign")
        }
        guard let blob = Base64.bytes(parts[1]), blob.count > 4 else {
            throw .malformed(
                "line \(number) of the note, by \(PlainText.quoted(parts[0])), does not end in "
                    + "base 64 of a key's hash and a signature")
        }
        name = parts[0]
        id = blob.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
        bytes = Array(blob.dropFirst(4))
    }

    var line: String {
        let hash = (0..<4).map { UInt8(truncatingIfNeeded: id >> (24 - 8 * UInt32($0))) }
        return "— \(name) " + Base64.text(hash + bytes)
    }

    func isBy(_ key: NoteVerifier) -> Bool {
        id == key.id && PlainText.isSame(name, key.name)
    }
}
