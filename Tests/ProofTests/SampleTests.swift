import Foundation
import Proofs
import Testing

/// The files of `audit/sample`, which the Python verifier, a foreign one and docs/audit.md use too.
/// `SIJILL_SNAPSHOTS=write` makes them again from the export.
@Suite struct `The sample of the audit` {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private let log: NoteSigner
    private let witness: NoteSigner
    private let other: NoteSigner
    private let leaves: [[UInt8]]

    init() throws {
        log = try NoteSigner(name: "school.example/journal", seed: [UInt8](repeating: 1, count: 32))
        witness = try NoteSigner(
            name: "witness.example/w1", kind: .cosignature, seed: [UInt8](repeating: 2, count: 32))
        other = try NoteSigner(
            name: "witness.example/w2", kind: .cosignature, seed: [UInt8](repeating: 3, count: 32))
        leaves = try Self.text("audit/sample/export.jsonl").split(separator: "\n")
            .map { Array($0.utf8) }.filter { LeafLine.position(of: $0) != nil }
            .map { try #require(LeafLine.data(of: $0)) }
    }

    private static func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: root.appending(path: path)), as: UTF8.self)
    }

    private var hashes: [TreeHash] { leaves.map { TreeHash.leaf($0) } }

    private func checkpoint(_ size: Int) throws -> SignedCheckpoint {
        var builder = TreeBuilder()
        for hash in hashes.prefix(size) { builder.append(hash) }
        var signed = try SignedCheckpoint(
            Checkpoint(origin: log.name, size: size, root: builder.root), signedBy: log)
        try signed.cosign(with: witness, time: 1_800_000_000)
        return signed
    }

    private func files() throws -> [(name: String, bytes: [UInt8])] {
        let head = try checkpoint(5)
        let inclusion = try #require(
            InclusionProof(index: 0, size: 5) { TreeReference.root(hashes[$0.leaves]) })
        let consistency = try #require(
            ConsistencyProof(from: 3, to: 5) { TreeReference.root(hashes[$0.leaves]) })
        return [
            ("checkpoint", head.bytes),
            ("checkpoint-3", try checkpoint(3).bytes),
            ("log.vkey", Array((log.verifier.text + "\n").utf8)),
            ("witness1.vkey", Array((witness.verifier.text + "\n").utf8)),
            ("witness2.vkey", Array((other.verifier.text + "\n").utf8)),
            (
                "event-1.tlog-proof",
                InclusionProofFile(
                    leaf: leaves[0], index: 0, hashes: inclusion.hashes, checkpoint: head
                ).bytes
            ),
            (
                "3-to-5.consistency-proof",
                ConsistencyProofFile(
                    hashes: consistency.hashes, old: try checkpoint(3), new: head
                ).bytes
            ),
        ]
    }

    @Test func `is made byte for byte as it stands`() throws {
        for (name, bytes) in try files() {
            let url = Self.root.appending(path: "audit/sample/\(name)")
            if ProcessInfo.processInfo.environment["SIJILL_SNAPSHOTS"] == "write" {
                try Data(bytes).write(to: url)
            }
            #expect(try Data(contentsOf: url) == Data(bytes), "audit/sample/\(name)")
        }
    }

    @Test func `verifies`() throws {
        let policy = try WitnessPolicy([witness.verifier, other.verifier], threshold: 1)
        for (name, bytes) in try files() where name.hasSuffix("proof") {
            let file = try ProofFile(bytes)
            let sentence = try file.check(log: log.verifier, witnesses: policy)
            #expect(sentence.hasSuffix("with 1 of 2 witnesses (1 must sign)."))
        }
    }

    @Test func `is the worked example of the page for auditors`() throws {
        let page = try Self.text("docs/audit.md")
        let shown = try files().filter { $0.name != "checkpoint-3" && $0.name != "witness2.vkey" }
        for (name, bytes) in shown {
            #expect(page.contains(String(decoding: bytes, as: UTF8.self)), "\(name)")
        }
        for leaf in leaves.prefix(1) {
            #expect(page.contains(String(decoding: leaf, as: UTF8.self)))
        }
        for hash in hashes + [try checkpoint(5).checkpoint.root] {
            #expect(page.contains(hash.hex), "\(hash.hex)")
        }
        let left = TreeHash.node(.node(hashes[0], hashes[1]), .node(hashes[2], hashes[3]))
        #expect(page.contains(left.hex))
    }
}
