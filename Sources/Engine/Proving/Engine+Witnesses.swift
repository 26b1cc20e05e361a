import Core
import EventLog
import Proofs

/// Who is asked to vouch for checkpoints, and whose word is enough.
public struct Witnesses: Sendable {
    /// One that has an address.
    public struct Witness: Hashable, Sendable {
        let key: NoteVerifier
        /// What comes before `/add-checkpoint`.
        public let url: String

        /// The name of its key.
        public var name: String { key.name }
    }

    private let policy: LogPolicy

    /// Reads a policy file (C2SP tlog-policy).
    public init(policyFile path: String) throws(EngineError) {
        let bytes = try KeyFiles.contents(path)
        do {
            policy = try LogPolicy(text: String(decoding: bytes, as: UTF8.self))
        } catch {
            throw EngineError(.badInput, "\(path): \(error)")
        }
    }

    /// Those with an address, in the policy's order.
    public var asked: [Witness] {
        policy.witnesses.compactMap { witness in
            witness.url.map { Witness(key: witness.key, url: $0) }
        }
    }

    /// Whether enough witnesses signed a checkpoint.
    public func suffice(for checkpoint: KeptCheckpoint) -> Bool {
        do {
            return try policy.isMet(by: SignedCheckpoint(checkpoint.bytes))
        } catch {
            return false  // a signature that is wrong refuses the checkpoint
        }
    }

    /// Those with an address that did not sign a checkpoint yet.
    public func missing(under checkpoint: KeptCheckpoint) -> [Witness] {
        asked.filter { witness in
            do {
                return try SignedCheckpoint(checkpoint.bytes).note.verified(by: [witness.key])
                    .isEmpty
            } catch {
                return true  // what is wrong is asked for anew
            }
        }
    }
}

extension EventEngine {
    /// What a witness is asked: that a kept checkpoint continues the tree of `size` events (C2SP tlog-witness,
    /// add-checkpoint).
    public func witnessRequest(
        for checkpoint: KeptCheckpoint, after size: UInt64
    ) throws(EngineError) -> [UInt8] {
        try whileOpen {
            guard size <= checkpoint.size, let old = Int(exactly: size) else {
                throw EngineError(
                    .checkFailed,
                    "\(size) events were signed before, and the checkpoint has \(checkpoint.size)")
            }
            let tree = try JournalTree(journal, registry, journal.snapshot())
            let hashes =
                old == 0 || size == checkpoint.size
                ? []
                : try tree.consistencyProof(from: old, to: Int(checkpoint.size)).hashes
            let lines = ["old \(old)"] + hashes.map(\.base64) + [""]
            return Array(lines.map { $0 + "\n" }.joined().utf8) + checkpoint.bytes
        }
    }

    /// Adds what a witness answered to a kept checkpoint; durable on return.
    public func keep(
        _ answer: [UInt8], of witness: Witnesses.Witness, under checkpoint: KeptCheckpoint
    ) throws(EngineError) -> KeptCheckpoint {
        try whileOpen {
            let store = CheckpointStore(journal)
            let given = try proofErrors { () throws(ProofError) in
                try SignedCheckpoint(checkpoint.bytes)
            }
            // Another witness may have signed meanwhile.
            let kept = try store.all().map(\.checkpoint).first { $0.note.text == given.note.text }
            var signed = kept ?? given
            try proofErrors { () throws(ProofError) in
                try signed.adopt(String(decoding: answer, as: UTF8.self), of: witness.key)
            }
            try store.replace(signed)
            return KeptCheckpoint(signed)
        }
    }
}
