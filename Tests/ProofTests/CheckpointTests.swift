import Proofs
import Testing

@Suite struct `A checkpoint` {
    private let log: NoteSigner
    private let witnesses: [NoteSigner]

    init() throws {
        log = try NoteSigner(name: "school.example/journal", seed: [UInt8](repeating: 1, count: 32))
        witnesses = try (2...4).map {
            try NoteSigner(
                name: "witness\($0).example", kind: .cosignature,
                seed: [UInt8](repeating: $0, count: 32))
        }
    }

    private func signed(extensions: [String] = []) throws -> SignedCheckpoint {
        let checkpoint = try Checkpoint(
            origin: log.name, size: 42, root: .leaf([7]), extensions: extensions)
        return try SignedCheckpoint(checkpoint, signedBy: log)
    }

    @Test func `of the Go checksum database verifies`() throws {
        let key = try NoteVerifier(text: PublishedNote.goKey)
        let head = try SignedCheckpoint(Array(PublishedNote.goCheckpoint.utf8))
        #expect(head.checkpoint.size == 6_476_701)
        #expect(throws: Never.self) { try head.check(log: key, origin: PublishedNote.goOrigin) }
        #expect(throws: ProofError.self) { try head.check(log: key) }
        let later = PublishedNote.goCheckpoint.replacing("6476701", with: "6476702")
        let forged = try SignedCheckpoint(Array(later.utf8))
        #expect(throws: ProofError.self) {
            try forged.check(log: key, origin: PublishedNote.goOrigin)
        }
    }

    @Test func `of a certificate log verifies with its four public witnesses`() throws {
        let key = try NoteVerifier(text: PublishedNote.archeKey)
        let keys = try PublishedNote.witnessKeys.map { try NoteVerifier(text: $0) }
        let head = try SignedCheckpoint(Array(PublishedNote.archeCheckpoint.utf8))
        let found = try head.check(log: key, witnesses: WitnessPolicy(keys))
        #expect(found.count == 4)
        #expect(found.allSatisfy { $0.time == 1_779_573_024 })
    }

    @Test func `reads back as it was written`() throws {
        let head = try signed(extensions: ["models examroom.exam", "x"])
        let text =
            "school.example/journal\n42\n\(TreeHash.leaf([7]).base64)\nmodels examroom.exam\nx\n"
        #expect(head.checkpoint.text == text)
        #expect(try SignedCheckpoint(head.bytes) == head)
        #expect(throws: Never.self) { try head.check(log: log.verifier) }
    }

    @Test func `that is malformed is refused`() {
        let root = TreeHash.leaf([7]).base64
        for text in [
            "", "a\n1\n\(root)", "a\n1\n", "\n1\n\(root)\n", "a\n01\n\(root)\n", "a\n-1\n\(root)\n",
            "a\n+1\n\(root)\n", "a\n1 \n\(root)\n", "a\n٣\n\(root)\n",
            "a\n9223372036854775808\n\(root)\n", "a\n1\n\(root.dropLast())\n", "a\n1\n\(root)=\n",
            "a\n1\nAAAA\n", "a\n1\n\(root)\n\nx\n", "a\n0\n\(root)\n", "a\r\n1\r\n\(root)\r\n",
        ] {
            #expect(throws: ProofError.self, "\(text.debugDescription)") {
                try Checkpoint(text: text)
            }
        }
        #expect((try? Checkpoint(text: "a\n9223372036854775807\n\(root)\n")) != nil)
        #expect((try? Checkpoint(text: "a\n0\n\(TreeHash.empty.base64)\n")) != nil)
    }

    @Test func `needs as many witnesses as the policy says`() throws {
        let keys = witnesses.map(\.verifier)
        var head = try signed()
        #expect(throws: ProofError.self) {
            try head.check(log: log.verifier, witnesses: WitnessPolicy(keys, threshold: 1))
        }
        try head.cosign(with: witnesses[0], time: 1_800_000_000)
        try head.cosign(with: witnesses[1], time: 1_800_000_001)
        let found = try head.check(
            log: log.verifier, witnesses: WitnessPolicy(keys, threshold: 2))
        #expect(found.map(\.witness) == ["witness2.example", "witness3.example"])
        #expect(found.map(\.time) == [1_800_000_000, 1_800_000_001])
        #expect(throws: ProofError.self) {
            try head.check(log: log.verifier, witnesses: WitnessPolicy(keys))
        }
        // A later cosignature by the same witness takes the place of the first.
        try head.cosign(with: witnesses[0], time: 1_800_000_002)
        #expect(head.note.signatures.count == 3)
        #expect(try SignedCheckpoint(head.bytes) == head)
    }

    @Test func `is refused if a witness's signature is over another instant or text`() throws {
        var head = try signed()
        try head.cosign(with: witnesses[0], time: 1_800_000_000)
        let policy = try WitnessPolicy([witnesses[0].verifier])
        var longer = try signed(extensions: ["x"])
        try longer.cosign(with: witnesses[0], time: 1_800_000_000)
        let text = String(decoding: head.bytes, as: UTF8.self)
        let line = try #require(text.split(separator: "\n").last)
        let other = String(decoding: try signed(extensions: ["x"]).bytes, as: UTF8.self)
        let moved = try SignedCheckpoint(Array((other + line + "\n").utf8))
        #expect(throws: ProofError.self) { try moved.check(log: log.verifier, witnesses: policy) }
        let blob = try #require(Base64.bytes(line.split(separator: " ")[2]))
        for at in blob.indices.dropFirst(4) {
            var changed = blob
            changed[at] ^= 0x80
            let spoilt = text.replacing(Base64.text(blob), with: Base64.text(changed))
            let read = try SignedCheckpoint(Array(spoilt.utf8))
            #expect(throws: ProofError.self) {
                try read.check(log: log.verifier, witnesses: policy)
            }
        }
    }

    @Test func `is not vouched for by a key that counts twice, or by its log`() throws {
        let twin = try NoteSigner(
            name: "twin.example", kind: .cosignature, seed: [UInt8](repeating: 2, count: 32))
        #expect(throws: ProofError.self) {
            try WitnessPolicy([witnesses[0].verifier, twin.verifier])
        }
        #expect(throws: ProofError.self) { try WitnessPolicy([log.verifier]) }
        #expect(throws: ProofError.self) {
            try WitnessPolicy(witnesses.map(\.verifier), threshold: 4)
        }
        var head = try signed()
        let own = try log.converted(to: .cosignature)
        try head.cosign(with: own, time: 1)
        #expect(throws: ProofError.self) {
            try head.check(log: log.verifier, witnesses: WitnessPolicy([own.verifier]))
        }
        // Nor does a cosignature stand for the log's signature.
        #expect(throws: ProofError.self) {
            try head.check(log: witnesses[0].verifier, origin: log.name)
        }
    }

    @Test func `signed by another key is refused, and so is one not signed at all`() throws {
        let other = try NoteSigner(name: log.name, seed: [UInt8](repeating: 9, count: 32))
        #expect(throws: ProofError.self) { try signed().check(log: other.verifier) }
    }
}
