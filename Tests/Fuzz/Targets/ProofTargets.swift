#if DEBUG || FUZZING || TESTABLE
    import Core
    import Proofs

    /// What auditors are handed: proofs, checkpoints, keys, lines of exports as leaves.
    enum ProofTargets {
        static let all = [
            FuzzTarget("proof", proof), FuzzTarget("note", note), FuzzTarget("note-key", key),
            FuzzTarget("leaf", leaf),
        ]

        private static func signer(_ name: String) throws -> NoteSigner {
            try NoteSigner(name: name, seed: [UInt8](repeating: 7, count: 32))
        }

        /// Signed anew by a key of our own, so that what lies behind the signature is reached.
        private static func signed(_ checkpoint: Checkpoint) throws -> SignedCheckpoint {
            try SignedCheckpoint(checkpoint, signedBy: signer("fuzz.example/journal"))
        }

        @Sendable private static func proof(_ bytes: [UInt8]) throws {
            let file = try ProofFile(bytes)
            let isWritten: Bool
            switch file {
            // The extra data may be left out, or come from elsewhere.
            case .inclusion: isWritten = file.bytes.count >= bytes.count || file.bytes == bytes
            case .consistency: isWritten = file.bytes == bytes
            }
            try expect(isWritten, "a proof is written otherwise than it was read")
            let log = try signer("fuzz.example/journal").verifier
            _ = try? file.check(log: log)
            switch file {
            case .inclusion(let file):
                let checkpoint = try signed(file.checkpoint.checkpoint)
                _ = try InclusionProofFile(
                    leaf: file.leaf, index: file.proof.index, hashes: file.proof.hashes,
                    checkpoint: checkpoint
                ).check(log: log, origin: checkpoint.checkpoint.origin)
            case .consistency(let file):
                let new = try signed(file.new.checkpoint)
                _ = try ConsistencyProofFile(
                    hashes: file.proof.hashes, old: signed(file.old.checkpoint), new: new
                ).check(log: log, origin: new.checkpoint.origin)
            }
        }

        @Sendable private static func note(_ bytes: [UInt8]) throws {
            let note = try SignedNote(bytes)
            try expect(note.bytes == bytes, "a note is written otherwise than it was read")
            let checkpoint = try SignedCheckpoint(note)
            try expect(
                checkpoint.checkpoint.text == note.text, "a checkpoint is not the text of its note")
            let witness = try NoteSigner(
                name: "witness.example", kind: .cosignature,
                seed: [UInt8](repeating: 9, count: 32))
            var cosigned = checkpoint
            try cosigned.cosign(with: witness, time: 1_770_000_000)
            try expect(
                (try? SignedNote(cosigned.bytes)) == cosigned.note
                    || cosigned.note.signatures.count > SignedNote.mostSignatures,
                "a cosigned checkpoint does not read back")
            _ = try? checkpoint.check(
                log: signer("fuzz.example/journal").verifier, origin: checkpoint.checkpoint.origin,
                witnesses: WitnessPolicy([witness.verifier]))
        }

        @Sendable private static func key(_ bytes: [UInt8]) throws {
            let text = String(decoding: bytes, as: UTF8.self)
            if let verifier = try? NoteVerifier(text: text) {
                try expect(
                    verifier.text.utf8.elementsEqual(text.utf8), "a verifier key has two forms")
            }
            if let signer = try? NoteSigner(text: text) {
                try expect(
                    signer.privateText.utf8.elementsEqual(text.utf8), "a private key has two forms")
            }
        }

        @Sendable private static func leaf(_ bytes: [UInt8]) throws {
            let leaf = LeafLine.data(of: bytes)
            _ = LeafLine.position(of: bytes)
            if let leaf {
                try expect(
                    LeafLine.data(of: leaf) == leaf, "the leaf of a leaf is another")
            }
            guard let json = try? JSON(parsing: bytes), json.members != nil,
                json.canonical == bytes, json["sealed"] == nil
            else { return }
            try expect(leaf == bytes, "a line without a sealed part is not its own leaf")
        }
    }
#endif
