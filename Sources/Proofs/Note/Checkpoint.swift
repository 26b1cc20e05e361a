/// The head of a journal's tree at one size (C2SP tlog-checkpoint): the text that is signed.
package struct Checkpoint: Hashable, Sendable {
    /// Which log this is: a name for good, like `school.example/journal`.
    package let origin: String
    /// How many leaves; also the position of the last of them.
    package let size: Int
    package let root: TreeHash
    /// Further lines, for who knows them; none is usual.
    package let extensions: [String]

    package init(
        origin: String, size: Int, root: TreeHash, extensions: [String] = []
    ) throws(ProofError) {
        for line in [origin] + extensions {
            guard !line.isEmpty, line.utf8.allSatisfy({ $0 >= 0x20 }) else {
                throw .malformed(
                    "a checkpoint's origin and its further lines are not empty and hold no "
                        + "control character: \(PlainText.quoted(line))")
            }
        }
        guard size >= 0, size > 0 || root == .empty else {
            throw .malformed("a checkpoint of \(size) leaves has another root")
        }
        self.origin = origin
        self.size = size
        self.root = root
        self.extensions = extensions
    }

    /// Reads the text of a note.
    package init(text: String) throws(ProofError) {
        guard let lines = PlainText.lines(text), lines.count >= 3, !lines.contains("") else {
            throw .malformed(
                "a checkpoint has at least three lines, none of them empty: origin, size, root")
        }
        guard let size = PlainText.number(lines[1]) else {
            throw .malformed(
                "the checkpoint's size \(PlainText.quoted(lines[1])) is no whole number of at "
                    + "most 63 bits without leading zeros")
        }
        guard let bytes = Base64.bytes(lines[2]), let root = TreeHash(bytes) else {
            throw .malformed(
                "the checkpoint's root \(PlainText.quoted(lines[2])) is not 32 bytes in base 64")
        }
        try self.init(
            origin: lines[0], size: size, root: root, extensions: Array(lines.dropFirst(3)))
    }

    /// What is signed.
    package var text: String {
        ([origin, String(size), root.base64] + extensions).map { $0 + "\n" }.joined()
    }
}

/// A checkpoint with the signatures of its log and of witnesses.
package struct SignedCheckpoint: Hashable, Sendable {
    package let checkpoint: Checkpoint
    package private(set) var note: SignedNote

    /// Signs a checkpoint as its log.
    package init(_ checkpoint: Checkpoint, signedBy signer: NoteSigner) throws(ProofError) {
        self.checkpoint = checkpoint
        note = try SignedNote(unsigned: checkpoint.text)
        try note.sign(with: signer)
    }

    /// Reads a checkpoint; no signature is checked.
    package init(_ note: SignedNote) throws(ProofError) {
        self.note = note
        checkpoint = try Checkpoint(text: note.text)
    }

    /// Reads a checkpoint; no signature is checked.
    package init(_ bytes: [UInt8]) throws(ProofError) {
        try self.init(SignedNote(bytes))
    }

    package var bytes: [UInt8] { note.bytes }

    /// Adds a witness's signature, in place of an older one. Only who has checked that the tree
    /// continues the one it signed before may do this (C2SP tlog-witness).
    ///
    /// - Parameter time: seconds since 1970-01-01T00:00:00Z.
    package mutating func cosign(
        with witness: NoteSigner, time: Int64
    ) throws(ProofError) {
        guard witness.verifier.kind == .cosignature, time >= 0 else {
            throw .refuted("\(witness.name) is no witness's key, or the instant is before 1970")
        }
        let message = Cosignature.message(text: note.text, time: time)
        note.add(
            witness.verifier, Cosignature.bytes(time) + (try witness.signature(of: message)))
    }

    /// Takes the signatures of a witness from what it answered (C2SP tlog-witness, add-checkpoint); those by other
    /// keys are passed over, one by its own that is wrong refuses all.
    package mutating func adopt(
        _ lines: String, of witness: NoteVerifier
    ) throws(ProofError) {
        let answered = try SignedNote(note.text + "\n" + lines)
        guard let signature = try answered.verified(by: [witness]).first?.signature else {
            throw .refuted("\(witness.name) answered with no signature of its own")
        }
        note.add(witness, signature.bytes)
    }

    /// Checks that the log signed this, and enough witnesses.
    ///
    /// - Parameter origin: the origin line to expect; the key's name if nil.
    /// - Returns: who of the witnesses signed, and when.
    @discardableResult
    package func check(
        log: NoteVerifier, origin: String? = nil, witnesses: WitnessPolicy = .none
    ) throws(ProofError) -> [Cosignature] {
        let expected = origin ?? log.name
        guard PlainText.isSame(checkpoint.origin, expected) else {
            throw .refuted(
                "the checkpoint is of \(PlainText.quoted(checkpoint.origin)), not of "
                    + "\(PlainText.quoted(expected))")
        }
        guard log.kind == .signature else {
            throw .refuted("the key of \(log.name) is a witness's; a log signs with type 1")
        }
        guard try note.verified(by: [log]).count == 1 else {
            throw .refuted("the checkpoint is not signed by \(log.name), or by another key of it")
        }
        return try witnesses.check(note, log: log)
    }
}
