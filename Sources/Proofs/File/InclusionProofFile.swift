/// A proof, to be checked alone, that an event is in a journal: C2SP tlog-proof, with the event's
/// leaf as the extra data. File names end in `.tlog-proof`.
package struct InclusionProofFile: Hashable, Sendable {
    /// The leaf's data: the event's line of an export, without `personal`. It proves itself, since
    /// its hash is what the proof is about.
    package let leaf: [UInt8]
    package let proof: InclusionProof
    package let checkpoint: SignedCheckpoint

    static let header = "c2sp.org/tlog-proof@v1"

    /// - Parameter hashes: of the inclusion proof for `index` in the checkpoint's tree.
    package init(leaf: [UInt8], index: Int, hashes: [TreeHash], checkpoint: SignedCheckpoint) {
        self.leaf = leaf
        proof = InclusionProof(index: index, size: checkpoint.checkpoint.size, hashes: hashes)
        self.checkpoint = checkpoint
    }

    /// Reads a proof; nothing is checked. A file without the leaf is read if the leaf comes from
    /// elsewhere.
    package init(_ bytes: [UInt8], leaf: [UInt8]? = nil) throws(ProofError) {
        var parts = ProofParts(bytes)
        var lines = try parts.lines(header: Self.header)
        var extra: [UInt8]?
        if let first = lines.first, let text = PlainText.dropping("extra ", from: first) {
            guard let bytes = Base64.bytes(text) else {
                throw .malformed("the proof's extra data is not base 64")
            }
            extra = bytes
            lines.removeFirst()
        }
        guard let first = lines.popFirst(), let text = PlainText.dropping("index ", from: first),
            let index = PlainText.number(text)
        else {
            throw .malformed("the proof has no line `index N` where it should have")
        }
        guard let data = leaf ?? extra else {
            throw .malformed("the proof does not hold the event; give its line of an export")
        }
        self.init(
            leaf: data, index: index, hashes: try ProofParts.hashes(lines),
            checkpoint: try SignedCheckpoint(parts.rest))
    }

    /// As it is written.
    package var bytes: [UInt8] {
        let head = [Self.header, "extra " + Base64.text(leaf), "index \(proof.index)"]
        let lines = head + proof.hashes.map(\.base64) + [""]
        return Array(lines.map { $0 + "\n" }.joined().utf8) + checkpoint.bytes
    }

    /// Checks signatures and hashes.
    ///
    /// - Parameter origin: the origin line to expect; the key's name if nil.
    /// - Returns: what is proved, in a sentence.
    package func check(
        log: NoteVerifier, origin: String? = nil, witnesses: WitnessPolicy = .none
    ) throws(ProofError) -> String {
        let signed = try checkpoint.check(log: log, origin: origin, witnesses: witnesses)
        guard proof.verifies(leaf: TreeHash.leaf(leaf), root: checkpoint.checkpoint.root) else {
            throw .refuted(
                "the event is not proved: its hash and those of the proof do not lead to the root "
                    + "of \(checkpoint.checkpoint.size) events that \(log.name) signed")
        }
        if let position = LeafLine.position(of: leaf), position - 1 != proof.index {
            throw .refuted(
                "the journal is not in order: the event at position \(proof.index + 1) says that "
                    + "it stands at \(position)")
        }
        return "The event at position \(proof.index + 1) is in the journal "
            + "\(checkpoint.checkpoint.origin), as \(log.name) signed it at "
            + "\(checkpoint.checkpoint.size) events\(witnesses.sentence(signed))."
    }
}
