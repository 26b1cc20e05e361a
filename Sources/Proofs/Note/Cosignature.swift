/// A witness's statement that, at an instant, this was the largest head of the log that it had
/// seen, and that it continues all heads before (C2SP tlog-cosignature, `cosignature/v1`).
package struct Cosignature: Hashable, Sendable {
    package let witness: String
    /// Seconds since 1970-01-01T00:00:00Z.
    package let time: Int64

    static let timeByteCount = 8

    /// The instant before a signature, big-endian; nil if cut short or beyond 63 bits.
    static func time(_ signature: [UInt8]) -> Int64? {
        guard signature.count >= timeByteCount else { return nil }
        let bits = signature.prefix(timeByteCount).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int64(exactly: bits)
    }

    static func bytes(_ time: Int64) -> [UInt8] {
        (0..<timeByteCount).map { UInt8(truncatingIfNeeded: time >> (56 - 8 * Int64($0))) }
    }

    /// What the witness signs.
    static func message(text: String, time: Int64) -> [UInt8] {
        Array("cosignature/v1\ntime \(time)\n\(text)".utf8)
    }
}

/// Which witnesses are known, and how many of them must have signed a checkpoint.
package struct WitnessPolicy: Hashable, Sendable {
    package let witnesses: [NoteVerifier]
    package let threshold: Int

    /// Nobody is known and nobody need have signed.
    package static let none = WitnessPolicy(checked: [])

    private init(checked witnesses: [NoteVerifier]) {
        self.witnesses = witnesses
        threshold = 0
    }

    /// The same witnesses; who signed must have signed rightly, but nobody must have.
    var needingNobody: WitnessPolicy { WitnessPolicy(checked: witnesses) }

    /// - Parameter threshold: how many must have signed; all of them if nil.
    package init(_ witnesses: [NoteVerifier], threshold: Int? = nil) throws(ProofError) {
        for (index, witness) in witnesses.enumerated() {
            guard witness.kind == .cosignature else {
                throw .malformed(
                    "the key of \(witness.name) is no witness's; a witness signs with type 4")
            }
            // A key under two names would count twice.
            for other in witnesses[..<index] where other.publicKey == witness.publicKey {
                throw .malformed(
                    "\(other.name) and \(witness.name) are one key; a witness counts once")
            }
        }
        let threshold = threshold ?? witnesses.count
        guard (0...witnesses.count).contains(threshold) else {
            throw .malformed(
                "\(threshold) signatures are asked of \(witnesses.count) witnesses; name as many "
                    + "keys or ask for fewer")
        }
        self.witnesses = witnesses
        self.threshold = threshold
    }

    /// Who of the witnesses signed the note. Throws if they are too few, or if the signature of
    /// one of them is not right.
    func check(_ note: SignedNote, log: NoteVerifier) throws(ProofError) -> [Cosignature] {
        guard !witnesses.contains(where: { $0.publicKey == log.publicKey }) else {
            throw .malformed("the log's own key is named as a witness; it cannot vouch for itself")
        }
        var found: [Cosignature] = []
        for (key, signature) in try note.verified(by: witnesses) {
            guard let time = Cosignature.time(signature.bytes) else { continue }
            found.append(Cosignature(witness: key.name, time: time))
        }
        guard found.count >= threshold else {
            throw .refuted(
                "\(found.count) of \(witnesses.count) witnesses signed the checkpoint, "
                    + "\(threshold) must have: ask the others to")
        }
        return found
    }
}
