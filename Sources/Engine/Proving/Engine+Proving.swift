import EventLog
import Core
import Projections
import Proofs

extension EventEngine {
    /// A proof, in a file that is checked alone (docs/audit.md, Proof files), that the event at a position
    /// is in the journal as the newest kept checkpoint that covers it signed it.
    public func proof(ofEventAt position: Position) throws(EngineError) -> [UInt8] {
        try whileOpen {
            let tree = try JournalTree(journal, registry, journal.snapshot())
            let index = try index(of: position, in: tree)
            guard let signed = try newestCheckpoint(of: tree), signed.checkpoint.size > index else {
                throw EngineError(.noCheckpointCovers(position))
            }
            let proof = try tree.inclusionProof(index: index, size: signed.checkpoint.size)
            return InclusionProofFile(
                leaf: try leaf(at: position, of: tree), index: index, hashes: proof.hashes,
                checkpoint: signed
            ).bytes
        }
    }

    /// A proof that the journal of the newest kept checkpoint, or of the kept one with `last` events, continues that
    /// of the kept one with `size` events.
    public func proof(from size: UInt64, to last: UInt64? = nil) throws(EngineError) -> [UInt8] {
        try whileOpen {
            let tree = try JournalTree(journal, registry, journal.snapshot())
            let all = try CheckpointStore(journal).all().map(\.checkpoint)
            func kept(_ size: UInt64) throws -> SignedCheckpoint {
                if let kept = all.last(where: { UInt64($0.checkpoint.size) == size }) {
                    return kept
                }
                let sizes = Set(all.map(\.checkpoint.size)).sorted()
                throw EngineError(.noCheckpointOfSize(size, kept: sizes.suffix(8)))
            }
            let old = try kept(size)
            if let last, last < size {
                throw EngineError(.wrongUse, "a proof leads forward: \(last) is before \(size)")
            }
            guard let new = try last.map(kept) ?? newestCheckpoint(of: tree),
                new.checkpoint.size <= tree.size, new.checkpoint.size >= old.checkpoint.size
            else {
                throw EngineError(
                    .checkFailed, "the journal has fewer events than were signed; run verify")
            }
            let proof = try tree.consistencyProof(
                from: old.checkpoint.size, to: new.checkpoint.size)
            return ConsistencyProofFile(hashes: proof.hashes, old: old, new: new).bytes
        }
    }

    /// The newest that is kept and not beyond the journal's end.
    private func newestCheckpoint(of tree: JournalTree) throws -> SignedCheckpoint? {
        try CheckpointStore(journal).all().map(\.checkpoint).last {
            $0.checkpoint.size <= tree.size
        }
    }

    private func index(of position: Position, in tree: JournalTree) throws -> Int {
        guard position > .zero, position.number <= UInt64(tree.size) else {
            throw EngineError(
                .wrongUse, "no event has position \(position); the journal has \(tree.size)")
        }
        return Int(position.number) - 1
    }

    private func leaf(at position: Position, of tree: JournalTree) throws -> [UInt8] {
        guard let leaf = try tree.leaf(at: position) else {
            throw JournalError.damaged("the event is missing", at: position)
        }
        return leaf
    }

    /// The way from an event to the root of the whole tree as it is now, unsigned.
    public func path(ofEventAt position: Position) throws(EngineError) -> Document {
        try whileOpen {
            let tree = try JournalTree(journal, registry, journal.snapshot())
            let proof = try tree.inclusionProof(
                index: index(of: position, in: tree), size: tree.size)
            let root = try tree.root(size: tree.size)
            return Document(names: Names()) { output in
                output.object { output in
                    output.member("hashes", proof.hashes.map(\.base64))
                    output.member("index", proof.index)
                    output.member("rootHash", root.base64)
                    output.member("treeSize", tree.size)
                }
            }
        }
    }

    /// Makes the whole tree anew, as `verify` does, and answers its root: for measuring.
    package func treeMadeAnew() throws(EngineError) -> (size: Int, root: String) {
        try whileOpen {
            let check = try TreeCheck(journal, registry) { _ in }
            return (check.size, try check.root(size: check.size).base64)
        }
    }

    // MARK: Without a journal

    /// Checks a proof file by itself; answers what is proved, in a sentence.
    public static func checkProof(
        _ bytes: [UInt8], _ trust: Trust
    ) throws(EngineError) -> String {
        let logs = try trust.log()
        guard let log = logs.first, logs.count == 1 else {
            throw EngineError(.needsOneLogKey)
        }
        let witnesses = try trust.witnesses()
        let sentence = try proofErrors { () throws(ProofError) in
            try ProofFile(bytes).check(log: log, origin: trust.origin, witnesses: witnesses)
        }
        if trust.origin != nil { return sentence }
        return sentence + " No origin was asked for: that of the key's name was taken."
    }

    /// Adds a witness's signature to a checkpoint that its log signed.
    ///
    /// A witness signs what continues what it signed before: `earlier` is what `cosign` answered last, and
    /// `proof` the file that shows the way from there; nil for the first that it sees.
    ///
    /// With `keyFile`, the file that the key is from, what it signed last of each log is kept beside it, in
    /// PATH`.state`: `earlier` is not needed then, `proof` is.
    public static func cosign(
        _ checkpoint: [UInt8], key: String, after earlier: (cosigned: [UInt8], proof: [UInt8])?,
        proof: [UInt8]? = nil, keyFile: String? = nil, at seconds: Int64, _ trust: Trust
    ) throws(EngineError) -> [UInt8] {
        let logs = try trust.log()
        guard let log = logs.first, logs.count == 1 else {
            throw EngineError(.needsOneLogKey)
        }
        return try engineErrors {
            let (witness, signed) = try proofErrors { () throws(ProofError) in
                let witness = try NoteSigner(text: key)
                var signed = try SignedCheckpoint(checkpoint)
                try signed.check(log: log, origin: trust.origin)
                if let earlier {
                    let old = try SignedCheckpoint(earlier.cosigned)
                    try old.check(
                        log: log, origin: trust.origin,
                        witnesses: WitnessPolicy([witness.verifier]))
                    try check(
                        earlier.proof, from: old.checkpoint, to: signed.checkpoint, log, trust)
                }
                try signed.cosign(with: witness, time: seconds)
                return (witness, signed)
            }
            let new = signed.checkpoint
            guard let keyFile else { return signed.bytes }
            return try SigningState.with(keyFile) { state in
                if let last = state.last(of: new.origin) {
                    try continues(last, new, earlier?.proof ?? proof, state.path, log, trust)
                } else if proof != nil {
                    throw EngineError(
                        .nothingToContinue(
                            path: state.path, witness: witness.name, origin: new.origin))
                }
                try state.keep(new)
                return signed.bytes
            }
        }
    }

    /// Throws unless a checkpoint continues the one that its witness signed last.
    private static func continues(
        _ last: Checkpoint, _ new: Checkpoint, _ proof: [UInt8]?, _ path: String,
        _ log: NoteVerifier, _ trust: Trust
    ) throws {
        let signed = "\(path): this witness signed \(last.size) events of \(last.origin)"
        guard new.size >= last.size else {
            throw EngineError(
                .checkFailed, "\(signed), and this checkpoint has \(new.size); sign nothing")
        }
        if new.size == last.size {
            guard new.root == last.root else {
                throw EngineError(
                    .checkFailed, "\(signed), and this checkpoint has others: a fork; sign nothing")
            }
        } else if last.size > 0 {
            guard let proof else {
                throw EngineError(
                    .proofMissing(path: path, size: last.size, origin: last.origin))
            }
            try proofErrors { () throws(ProofError) in
                try check(proof, from: last, to: new, log, trust)
            }
        }
    }

    private static func check(
        _ proof: [UInt8], from old: Checkpoint, to new: Checkpoint, _ log: NoteVerifier,
        _ trust: Trust
    ) throws(ProofError) {
        let file = try ConsistencyProofFile(proof)
        _ = try file.check(log: log, origin: trust.origin)
        let (first, second) = (file.old.checkpoint, file.new.checkpoint)
        guard first.origin == old.origin, first.size == old.size, first.root == old.root,
            second == new
        else {
            throw ProofError(
                kind: .refuted,
                description: "the proof is not from the earlier checkpoint to this one")
        }
    }
}

/// A new pair of keys.
public struct SigningKey: Sendable {
    /// To be kept where nobody else can read it.
    public let privateText: String
    /// What others check signatures with: a verifier key (C2SP signed-note).
    public let verifier: String

    /// Makes one, of a log or of a witness.
    public static func make(name: String, isWitness: Bool) throws(EngineError) -> SigningKey {
        try proofErrors { () throws(ProofError) in
            let signer = try NoteSigner.generate(
                name: name, kind: isWitness ? .cosignature : .signature)
            return SigningKey(privateText: signer.privateText, verifier: signer.verifier.text)
        }
    }
}
