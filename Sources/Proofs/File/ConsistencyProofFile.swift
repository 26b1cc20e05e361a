/// A proof, to be checked alone, that a journal was only continued between two checkpoints. There
/// is no C2SP form of this; hashes and checkpoints are written as in a tlog-proof. File names end
/// in `.consistency-proof`.
package struct ConsistencyProofFile: Hashable, Sendable {
    package let proof: ConsistencyProof
    package let old: SignedCheckpoint
    package let new: SignedCheckpoint

    static let header = "sijill/consistency-proof@v1"

    /// - Parameter hashes: of the consistency proof between the sizes of both.
    package init(hashes: [TreeHash], old: SignedCheckpoint, new: SignedCheckpoint) {
        proof = ConsistencyProof(from: old.checkpoint.size, to: new.checkpoint.size, hashes: hashes)
        self.old = old
        self.new = new
    }

    /// Reads a proof; nothing is checked.
    package init(_ bytes: [UInt8]) throws(ProofError) {
        var parts = ProofParts(bytes)
        let lines = try parts.lines(header: Self.header)
        // A checkpoint has one empty line: before its signatures.
        let text = try parts.paragraph()
        let signatures = try parts.paragraph()
        let old = try SignedCheckpoint(text + [PlainText.newline] + signatures)
        self.init(
            hashes: try ProofParts.hashes(lines), old: old,
            new: try SignedCheckpoint(parts.rest))
    }

    /// As it is written.
    package var bytes: [UInt8] {
        let lines = [Self.header] + proof.hashes.map(\.base64) + [""]
        return Array(lines.map { $0 + "\n" }.joined().utf8)
            + old.bytes + [PlainText.newline] + new.bytes
    }

    /// Checks signatures and hashes. Enough witnesses must have signed the newer checkpoint: they have
    /// seen that it continues all before.
    ///
    /// - Parameter origin: the origin line to expect; the key's name if nil.
    /// - Returns: what is proved, in a sentence.
    package func check(
        log: NoteVerifier, origin: String? = nil, witnesses: WitnessPolicy = .none
    ) throws(ProofError) -> String {
        try old.check(log: log, origin: origin, witnesses: witnesses.needingNobody)
        let signed = try new.check(log: log, origin: origin, witnesses: witnesses)
        guard proof.from <= proof.to else {
            throw .refuted(
                "the first checkpoint has \(proof.from) events, the second \(proof.to): the other "
                    + "order would be provable")
        }
        guard proof.verifies(old: old.checkpoint.root, new: new.checkpoint.root) else {
            throw .refuted(
                "the continuation is not proved: the hashes do not lead from the root of "
                    + "\(proof.from) events to that of \(proof.to); if both signatures are right, "
                    + "the journal was changed in between")
        }
        return "The journal \(new.checkpoint.origin) of \(proof.to) events continues that of "
            + "\(proof.from) events unchanged, as \(log.name) signed both"
            + "\(witnesses.sentence(signed))."
    }
}
