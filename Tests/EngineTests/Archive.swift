import Engine
import EventLog
import Core
import Foundation
import Proofs
import TestSupport
import Testing

/// A journal of some length with a signing key.
struct Archive {
    let journal: TemporaryJournal
    let key: String
    let verifier: String

    init(events seed: UInt64 = 7, count: Int = 40) throws {
        journal = try TemporaryJournal.after(ExamRoomHistory.commands(seed: seed, count: count))
        let signer = try NoteSigner(
            name: "school.example/journal", seed: [UInt8](repeating: 1, count: 32))
        key = signer.privateText
        verifier = signer.verifier.text
    }

    init(_ journal: TemporaryJournal) throws {
        let signer = try NoteSigner(
            name: "school.example/journal", seed: [UInt8](repeating: 1, count: 32))
        self.journal = journal
        key = signer.privateText
        verifier = signer.verifier.text
    }

    func checkpoint(attesting: Bool = false) throws -> SignedCheckpoint {
        try SignedCheckpoint(journal.open().checkpoint(key: key, attesting: attesting))
    }

    var trust: Trust {
        var trust = Trust()
        trust.logKeys = [verifier]
        return trust
    }

    /// What verify finds in another journal in the light of this one's kept checkpoints.
    func findings(in other: TemporaryJournal) throws -> [String] {
        let shelf = "/checkpoints"
        try? FileManager.default.removeItem(atPath: other.path + shelf)
        try FileManager.default.copyItem(atPath: journal.path + shelf, toPath: other.path + shelf)
        let report = try other.open().verify(trust)
        #expect(report.isWhole == report.findings.isEmpty)
        return report.findings
    }

    /// A journal made of the export with another text in some line: every inner hash is made anew.
    func forged(_ change: (inout [String]) throws -> Void) throws -> TemporaryJournal {
        var lines = try journal.open().exported()
        try change(&lines)
        return try EventEngine.imported(lines)
    }
}

extension [String] {
    /// The index of the line of an event.
    func event(_ position: Int) -> Int {
        firstIndex { $0.contains("\"position\":\(position),") && $0.contains("\"revision\":") } ?? 0
    }
}

/// The leaves as the export has them, by the other implementation of the leaf.
func leaves(_ engine: EventEngine) throws -> [[UInt8]] {
    try engine.exported().map { Array($0.utf8) }.filter { LeafLine.position(of: $0) != nil }
        .map { try #require(LeafLine.data(of: $0)) }
}

func root(_ leaves: some Sequence<[UInt8]>) -> TreeHash {
    var builder = TreeBuilder()
    for leaf in leaves { builder.append(TreeHash.leaf(leaf)) }
    return builder.root
}
