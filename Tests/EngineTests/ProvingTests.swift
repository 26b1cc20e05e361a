import Engine
import EventLog
import Core
import Foundation
import Proofs
import TestSupport
import Testing

@Suite struct `The tree over a journal` {
    @Test(arguments: [UInt64(1), 2, 3])
    func `is that over the lines of its export`(seed: UInt64) throws {
        let archive = try Archive(events: seed, count: 60)
        let leaves = try leaves(archive.journal.open())
        let checkpoint = try archive.checkpoint().checkpoint
        #expect(checkpoint.size == leaves.count)
        #expect(checkpoint.root == root(leaves))
        let summary = try JSON(parsing: archive.journal.open().show("journal.summary").bytes)
        #expect(summary["rootHash"]?.string == checkpoint.root.base64)
        #expect(summary["treeSize"]?.wholeNumber.map { Int($0) } == leaves.count)
        // As it was half-way.
        var request = ShowRequest()
        request.asOf = .position(Position(UInt64(leaves.count / 2)))
        let past = try JSON(
            parsing: archive.journal.open().show("journal.summary", request).bytes)
        #expect(past["rootHash"]?.string == root(leaves.prefix(leaves.count / 2)).base64)
    }

    @Test func `is the same whether its hashes are kept or made anew`() throws {
        let archive = try Archive(TemporaryJournal())
        _ = try archive.journal.open().submit(LSAT.lines(people: 80), clock: fixedClock)
        // An import keeps what is complete; the journal itself is too short to have begun.
        let copy = try Archive(EventEngine.imported(archive.journal.open().exported()))
        let size = try archive.checkpoint().checkpoint.size
        try #require(size > 700)
        #expect(try copy.checkpoint() == archive.checkpoint())
        let kept = try Journal(at: copy.journal.path).snapshot().treeSize()
        #expect(kept == UInt64(size / 256 * 256))
        #expect(try Journal(at: archive.journal.path).snapshot().treeSize() == 0)
        for position in [1, 256, 257, 512, size] {
            let proof = try copy.journal.open().proof(ofEventAt: Position(UInt64(position)))
            #expect(
                try archive.journal.open().proof(ofEventAt: Position(UInt64(position))) == proof)
        }
    }

    @Test func `is compared though a checkpoint that is kept, or a key, cannot be read`() throws {
        let archive = try Archive(events: 4, count: 40)
        _ = try archive.checkpoint()
        let kept = archive.journal.path + "/checkpoints"
        try Data("no checkpoint".utf8).write(to: URL(fileURLWithPath: kept + "/a.checkpoint"))
        // A pipe that lies there would be waited for without end.
        #expect(unsafe mkfifo(kept + "/b.checkpoint", 0o600) == 0)
        let keys = URL(fileURLWithPath: kept + "/log.vkeys")
        try (Data("no key\n".utf8) + Data(contentsOf: keys)).write(to: keys)
        let report = try archive.journal.open().verify()
        #expect(report.findings.count == 3, "\(report.findings)")
        #expect(report.findings.contains { $0.contains("a.checkpoint") })
        #expect(report.findings.contains { $0.contains("b.checkpoint is not a file") })
        #expect(report.findings.contains { $0.contains("log.vkeys") })
        #expect(report.tree?.checkpoints == 1)
    }

    @Test func `grows in the background, and survives a rebuild`() throws {
        let journal = try TemporaryJournal()
        let store = try Journal(at: journal.path)
        try journal.run(ExamRoomHistory.commands(seed: 12, count: 500))
        #expect(try store.snapshot().treeSize() == 0)
        let before = try Archive(journal).checkpoint()
        try journal.open().rebuildTree()
        #expect(try store.snapshot().treeSize() >= 256)
        try store.dropTree()
        // Read models are one thing, the tree another.
        _ = try journal.open().rebuild()
        #expect(try store.snapshot().treeSize() == 0)
        #expect(try Archive(journal).checkpoint() == before)
    }

    @Test func `is made in the background where a journal lacks all of it`() async throws {
        let journal = try TemporaryJournal()
        _ = try journal.open().submit(LSAT.lines(people: 800), clock: fixedClock)
        let store = try Journal(at: journal.path)
        try store.dropTree()
        let engine = try journal.open()
        try engine.growTree()
        for _ in 0..<2_000 where try store.snapshot().treeSize() < 8_192 {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(try store.snapshot().treeSize() >= 8_192)
        #expect(try engine.head().number > 8_192)
    }

    @Test func `may grow and be signed while it is checked`() throws {
        let archive = try Archive(TemporaryJournal())
        let lines = try LSAT.lines(people: 160)
        let engine = try archive.journal.open()
        _ = try engine.submit(Array(lines.prefix(lines.count / 2)), clock: fixedClock)
        var hasGrown = false
        let report = try engine.verify(archive.trust) { _ in
            if hasGrown { return }
            hasGrown = true
            _ = try engine.submit(Array(lines.suffix(lines.count / 2)), clock: fixedClock)
            try engine.rebuildTree()
            _ = try archive.checkpoint()
        }
        #expect(report.findings == [])
        #expect(report.tree?.checkpoints == 1)
        let size = try #require(report.tree?.size)
        #expect(size < Int(try engine.head().number))
        #expect(try Journal(at: archive.journal.path).snapshot().treeSize() > UInt64(size))
    }

    @Test func `stays as it is when a person is erased`() throws {
        let archive = try Archive(events: 5, count: 120)
        let old = try archive.checkpoint()
        let person = try #require(try archive.journal.open().keys(of: "examroom.account").first)
        let outcome = try archive.journal.run([
            TestCommand(
                "erase-it", "account.erase", at: Instant("2027-01-01T00:00:00Z"), by: "system",
                [("subject", .string("examroom/\(person)"))])
        ])
        #expect(outcome.map(\.status) == [.accepted])
        let new = try archive.checkpoint()
        #expect(new.checkpoint.size > old.checkpoint.size)
        let proof = try archive.journal.open().proof(from: UInt64(old.checkpoint.size))
        _ = try EventEngine.checkProof(proof, archive.trust)
        #expect(try archive.journal.open().verify(archive.trust).findings == [])
    }
}

@Suite struct `An export` {
    @Test(arguments: [UInt64(21), 22])
    func `gives a journal with the same tree, sealed or not`(seed: UInt64) throws {
        let archive = try Archive(events: seed, count: 80)
        let engine = try archive.journal.open()
        let lines = try engine.exported()
        let whole = try EventEngine.imported(lines)
        #expect(try whole.open().exported() == lines)
        #expect(try Archive(whole).checkpoint() == archive.checkpoint())
        var sealed: [UInt8] = []
        try engine.export(isSealed: true) { sealed += $0 }
        let texts = sealed.split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
        let blind = try EventEngine.imported(texts)
        #expect(try Archive(blind).checkpoint() == archive.checkpoint())
        var again: [UInt8] = []
        try blind.open().export(isSealed: true) { again += $0 }
        #expect(again == sealed)
        let account = try #require(try engine.keys(of: "examroom.account").first)
        let shown = try JSON(parsing: blind.open().show("examroom.account", key: account).bytes)
        #expect(shown["name"] == .null)
    }

    @Test func `whose clear text is not what is sealed is refused`() throws {
        let archive = try Archive(events: 23, count: 30)
        let lines = try archive.journal.open().exported()
        let index = try #require(lines.firstIndex { $0.contains("\"name\":\"") })
        func error(_ change: (inout [String]) -> Void) -> String? {
            var changed = lines
            change(&changed)
            do {
                _ = try EventEngine.imported(changed)
                return nil
            } catch let error as EngineError {
                return error.message
            } catch {
                return "\(error)"
            }
        }
        #expect(
            error {
                $0[index] = $0[index].replacingOccurrences(
                    of: "\"name\":\"", with: "\"name\":\"X")
            }?.contains("not what is sealed") == true)
        #expect(
            error {
                $0[index] = $0[index].replacingOccurrences(of: "\"box\":\"", with: "\"box\":\"AA")
            }?.contains("sealed.box") == true)
        #expect(
            error { $0.removeAll { $0.contains("\"key\":") } }?.contains("no line with the key")
                == true)
    }
}

@Suite struct `Who changes a journal and makes all its hashes anew` {
    @Test func `is caught when an event is rewritten`() throws {
        let archive = try Archive()
        _ = try archive.checkpoint()
        let forged = try archive.forged { lines in
            let event = lines.event(3)
            lines[event] = lines[event].replacingOccurrences(
                of: "\"by\":\"admin:", with: "\"by\":\"student:")
        }
        #expect(
            try archive.findings(in: forged).contains { $0.contains("not those that were signed") })
    }

    @Test func `is caught when recordedAt is changed`() throws {
        let archive = try Archive()
        _ = try archive.checkpoint()
        // Sealed parts hang on the instant: a command without them is taken.
        let forged = try archive.forged { lines in
            let id = try #require(
                lines.compactMap { try? JSON(parsing: Array($0.utf8))["accepted"]?.string }.last {
                    id in
                    lines.allSatisfy { !$0.contains("\"\(id)\"") || !$0.contains("\"sealed\"") }
                })
            for index in lines.indices where lines[index].contains("\"\(id)\"") {
                lines[index] = lines[index].replacingOccurrences(
                    of: "\"recordedAt\":\"2026-06-01", with: "\"recordedAt\":\"2026-06-02")
            }
        }
        #expect(
            try archive.findings(in: forged).contains { $0.contains("not those that were signed") })
    }

    @Test func `is caught when the last events are dropped`() throws {
        let archive = try Archive()
        let size = try archive.checkpoint().checkpoint.size
        let forged = try archive.forged { lines in
            lines.removeSubrange(lines.event(size - 2)...)
        }
        #expect(try archive.findings(in: forged).contains { $0.contains("its end was cut off") })
    }

    @Test func `is caught when an old copy is put back`() throws {
        let journal = try TemporaryJournal()
        let commands = ExamRoomHistory.commands(seed: 31, count: 60)
        try journal.run(Array(commands.prefix(30)))
        let archive = try Archive(journal)
        _ = try archive.checkpoint()
        let copy = try Data(contentsOf: URL(fileURLWithPath: journal.path + "/journal.mdb"))
        try journal.run(Array(commands.dropFirst(30)))
        _ = try archive.checkpoint()
        #expect(try journal.open().verify(archive.trust).findings == [])
        // Of the journal alone: the checkpoints lie beside it.
        try waitUntilClosed(journal.path)
        try FileManager.default.removeItem(atPath: journal.path + "/views.mdb")
        try copy.write(to: URL(fileURLWithPath: journal.path + "/journal.mdb"))
        let findings = try journal.open().verify(archive.trust).findings
        #expect(findings.count == 1)
        #expect(findings.first?.contains("an old copy was put back") == true)
        // And nobody signs what is left of it.
        #expect(throws: EngineError.self) { try archive.checkpoint() }
    }

    @Test func `is caught when two journals are swapped`() throws {
        let archive = try Archive(events: 41)
        _ = try archive.checkpoint()
        let other = try Archive(events: 42, count: 80)
        #expect(
            try archive.findings(in: other.journal).contains { $0.contains("this is another") })
    }

    @Test func `is caught when a type is given another name`() throws {
        let archive = try Archive(TemporaryJournal())
        let day = "2026-02-01T08:00:00Z"
        let withdrawal = line("z", "examroom.exam.withdraw", day, #"{"exam":"EX-1"}"#)
        let outcomes = try archive.journal.open().submit(
            Room.exam("EX-1", at: day) + [withdrawal], clock: fixedClock)
        #expect(outcomes.last?.types == ["examroom.exam.withdrawn"])
        _ = try archive.checkpoint()
        let forged = try archive.forged { lines in
            for index in lines.indices {
                lines[index] = lines[index].replacingOccurrences(
                    of: "examroom.exam.withdrawn", with: "examroom.exam.archived")
            }
        }
        #expect(
            try archive.findings(in: forged).contains { $0.contains("not those that were signed") })
    }

    @Test func `is caught when a checkpoint is not signed by the log`() throws {
        let archive = try Archive()
        _ = try archive.checkpoint()
        let thief = try NoteSigner.generate(name: "school.example/journal")
        var trust = Trust()
        trust.logKeys = [thief.verifier.text]
        let findings = try archive.journal.open().verify(trust).findings
        #expect(findings.contains { $0.contains("not signed by") })
    }

    @Test func `is caught when a rule of a read model was changed`() throws {
        let archive = try Archive()
        let signed = try archive.checkpoint(attesting: true)
        #expect(signed.checkpoint.extensions.count > 30)
        #expect(try archive.journal.open().verify(archive.trust).findings == [])
        let signer = try NoteSigner(text: archive.key)
        let lines = signed.checkpoint.extensions.map {
            $0.hasPrefix("read-model examroom.exam ")
                ? "read-model examroom.exam \(String(repeating: "0", count: 64))" : $0
        }
        let other = try SignedCheckpoint(
            Checkpoint(
                origin: signer.name, size: signed.checkpoint.size, root: signed.checkpoint.root,
                extensions: lines), signedBy: signer)
        let path = archive.journal.path + "/../other.checkpoint"
        try Data(other.bytes).write(to: URL(fileURLWithPath: path))
        // What was recorded later changes nothing of what was said before.
        let later =
            #"{"id":"later","command":"examroom.account.register","at":"2199-01-01T00:00:00Z","by":"system","data":{"account":"A-LATER","role":"admin","name":"Nadia","credential":{"scheme":"bcrypt","salt":"c2FsdA","digest":"dg"}}}"#
        #expect(try archive.journal.open().submit([Array(later.utf8)]).map(\.status) == [.accepted])
        #expect(try archive.journal.open().verify(archive.trust).findings == [])
        var trust = archive.trust
        trust.checkpoints = [path]
        #expect(
            try archive.journal.open().verify(trust).findings.contains {
                $0.contains("examroom.exam is not what was signed")
            })
        // A newer one that lies beside the journal silences nothing, nor does an older one there, whatever it is called.
        _ = try archive.checkpoint(attesting: true)
        try Data(signed.bytes).write(
            to: URL(fileURLWithPath: archive.journal.path + "/checkpoints/zzz.checkpoint"))
        #expect(
            try archive.journal.open().verify(trust).findings.contains {
                $0.contains("examroom.exam is not what was signed")
            })
        // Who was erased since reads null there now: that is no change of a rule.
        let erase =
            #"{"id":"erase","command":"account.erase","at":"2199-01-02T00:00:00Z","by":"system","data":{"subject":"examroom/S-1"}}"#
        #expect(try archive.journal.open().submit([Array(erase.utf8)]).map(\.status) == [.accepted])
        let report = try archive.journal.open().verify(trust)
        #expect(report.findings == [])
        #expect(
            report.warnings.filter { $0.contains("was not compared: the event at position") }.count
                == 2)
        #expect(!report.warnings.contains { $0.contains("zzz") })
    }
}
