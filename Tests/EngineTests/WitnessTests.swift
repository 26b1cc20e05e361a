import Engine
import EventLog
import Core
import Foundation
import Proofs
import TestSupport
import Testing

@Suite struct `A witness` {
    @Test func `must have signed if verify asks for it`() throws {
        let archive = try Archive()
        let signed = try archive.checkpoint()
        let witness = try NoteSigner.generate(name: "w.example/1", kind: .cosignature)
        var trust = archive.trust
        trust.witnessKeys = [witness.verifier.text]
        #expect(
            try archive.journal.open().verify(trust).findings.contains {
                $0.contains("0 of 1 witnesses")
            })
        let cosigned = try EventEngine.cosign(
            signed.bytes, key: witness.privateText, after: nil, at: 1_800_000_000, archive.trust)
        let path = archive.journal.path + "/../cosigned"
        try Data(cosigned).write(to: URL(fileURLWithPath: path))
        trust.checkpoints = [path]
        #expect(try archive.journal.open().verify(trust).findings == [])
    }

    @Test func `signs only what continues what it signed`() throws {
        let journal = try TemporaryJournal()
        let commands = ExamRoomHistory.commands(seed: 61, count: 60)
        try journal.run(Array(commands.prefix(30)))
        let archive = try Archive(journal)
        let old = try archive.checkpoint()
        try journal.run(Array(commands.dropFirst(30)))
        let new = try archive.checkpoint()
        let proof = try journal.open().proof(from: UInt64(old.checkpoint.size))
        let witness = try NoteSigner.generate(name: "w.example/1", kind: .cosignature)
        func cosign(
            _ checkpoint: SignedCheckpoint, after earlier: (cosigned: [UInt8], proof: [UInt8])?
        ) throws -> [UInt8] {
            try EventEngine.cosign(
                checkpoint.bytes, key: witness.privateText, after: earlier, at: 1_800_000_000,
                archive.trust)
        }
        let first = try cosign(old, after: nil)
        let second = try SignedCheckpoint(cosign(new, after: (first, proof)))
        let log = try NoteVerifier(text: archive.verifier)
        try second.check(log: log, witnesses: WitnessPolicy([witness.verifier]))
        // Not after one that it did not sign, nor by a proof of something else.
        #expect(throws: EngineError.self) { try cosign(new, after: (old.bytes, proof)) }
        #expect(throws: EngineError.self) { try cosign(old, after: (first, proof)) }
    }

    @Test func `remembers beside its key what it signed last`() throws {
        let journal = try TemporaryJournal()
        let commands = ExamRoomHistory.commands(seed: 61, count: 60)
        try journal.run(Array(commands.prefix(30)))
        let archive = try Archive(journal)
        let old = try archive.checkpoint()
        try journal.run(Array(commands.dropFirst(30)))
        let new = try archive.checkpoint()
        let proof = try journal.open().proof(from: UInt64(old.checkpoint.size))
        let keyFile = journal.path + "/../witness.key"
        _ = try KeyFiles.make(keyFile, name: "w.example/1", isWitness: true)
        let key = try KeyFiles.privateKey(keyFile)
        func cosign(_ checkpoint: SignedCheckpoint, proof: [UInt8]? = nil) throws -> [UInt8] {
            try EventEngine.cosign(
                checkpoint.bytes, key: key, after: nil, proof: proof, keyFile: keyFile,
                at: 1_800_000_000, archive.trust)
        }
        /// The same log's signature under something that never was.
        func forged(size: Int) throws -> SignedCheckpoint {
            try SignedCheckpoint(
                Checkpoint(
                    origin: old.checkpoint.origin, size: size, root: TreeHash.leaf([UInt8(1)])),
                signedBy: NoteSigner(text: archive.key))
        }
        let size = old.checkpoint.size
        #expect(throws: EngineError.self, "of what?") { try cosign(old, proof: proof) }
        _ = try cosign(old)
        _ = try cosign(old)
        #expect(throws: EngineError.self, "without a proof") { try cosign(new) }
        #expect(throws: EngineError.self, "a fork") { try cosign(forged(size: size)) }
        #expect(throws: EngineError.self, "smaller") { try cosign(forged(size: size - 1)) }
        #expect(throws: EngineError.self, "another way") {
            try cosign(forged(size: size + 1), proof: proof)
        }
        _ = try cosign(new, proof: proof)
        #expect(throws: EngineError.self, "back again") { try cosign(old) }
        let state = try String(contentsOfFile: keyFile + ".state", encoding: .utf8)
        #expect(state == new.checkpoint.text + "\n")
    }
}

@Suite struct `A log's key` {
    @Test func `signs only what continues what it signed, whatever became of the journal`() throws {
        let archive = try Archive(events: 53)
        let keyFile = archive.journal.path + "/../log.key"
        _ = try KeyFiles.make(keyFile, name: "school.example/journal", isWitness: false)
        let key = try KeyFiles.privateKey(keyFile)
        func sign(_ journal: TemporaryJournal, as origin: String? = nil) throws -> [UInt8] {
            try journal.open().checkpoint(key: key, origin: origin, keyFile: keyFile)
        }
        let first = try sign(archive.journal)
        #expect(try sign(archive.journal) == first)
        // The shelf of the other journal is empty: the key alone remembers.
        let shorter = try TemporaryJournal.after(ExamRoomHistory.commands(seed: 53, count: 20))
        #expect(throws: EngineError.self) { try sign(shorter) }
        let other = try TemporaryJournal.after(ExamRoomHistory.commands(seed: 54, count: 80))
        #expect(throws: EngineError.self) { try sign(other) }
        _ = try sign(other, as: "school.example/second")
        #expect(try sign(archive.journal) == first)
        // Somebody empties what it remembers.
        try Data().write(to: URL(fileURLWithPath: keyFile + ".state"))
        #expect(throws: EngineError.self) { try sign(other) }
    }
}

@Suite struct `The master key` {
    @Test func `is exchanged while every name stays readable`() throws {
        let archive = try Archive(events: 51)
        let engine = try archive.journal.open()
        let person = try #require(try engine.keys(of: "examroom.account").first)
        let shown = try engine.show("examroom.account", key: person).text
        let old = try Data(contentsOf: URL(fileURLWithPath: archive.journal.path + "/master.key"))
        #expect(try engine.rotateMasterKey() > 0)
        let new = try Data(contentsOf: URL(fileURLWithPath: archive.journal.path + "/master.key"))
        #expect(old != new)
        #expect(try archive.journal.open().show("examroom.account", key: person).text == shown)
        // One that was open goes on, writing included.
        #expect(try engine.show("examroom.account", key: person).text == shown)
        let more = ExamRoomHistory.commands(seed: 52, count: 60)
        _ = try engine.run(more)
        #expect(try archive.journal.open().verify().findings == [])
    }

    @Test func `is found where an interrupted exchange left it`() throws {
        let archive = try Archive(events: 53)
        let path = archive.journal.path
        let person = try #require(
            try archive.journal.open().keys(of: "examroom.account").first)
        let shown = try archive.journal.open().show("examroom.account", key: person).text
        let old = try Data(contentsOf: URL(fileURLWithPath: path + "/master.key"))
        _ = try archive.journal.open().rotateMasterKey()
        // As if the power had gone before the new master key took its place.
        let manager = FileManager.default
        try manager.moveItem(atPath: path + "/master.key", toPath: path + "/master.key.next")
        #expect(
            manager.createFile(
                atPath: path + "/master.key", contents: old, attributes: [.posixPermissions: 0o600])
        )
        #expect(try archive.journal.open().show("examroom.account", key: person).text == shown)
        #expect(try archive.journal.open().rotateMasterKey() > 0)
        #expect(try archive.journal.open().show("examroom.account", key: person).text == shown)
        #expect(!manager.fileExists(atPath: path + "/master.key.next"))
    }
}
