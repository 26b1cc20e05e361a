import Products
import Engine
import EventLog
import Core
import Foundation
import TestSupport
import Testing

/// A journal with its backup and the backup of its keys, in a throw-away folder.
private struct Vault {
    let journal: TemporaryJournal
    let folder: String
    private let commands: [TestCommand]

    init(seed: UInt64) throws {
        journal = try TemporaryJournal()
        folder = journal.path + "/.."
        commands = ExamRoomHistory.commands(seed: seed, count: 90)
    }

    var backup: String { folder + "/backup" }
    var keys: String { folder + "/keys" }

    /// Tells the journal a part of the commands: thirds, from 0.
    func tell(_ third: Int) throws {
        try journal.run(Array(commands[(third * 30)..<(third * 30 + 30)]))
    }

    @discardableResult
    func save() throws -> BackupReport { try journal.open().backup(to: backup, keys: keys) }

    /// A restored journal with the master key that stands beside the journal.
    func restored(
        from backup: String? = nil, keys: String?, erasures: [String] = [], to name: String
    ) throws -> EventEngine {
        let path = folder + "/" + name
        let master = path + "/master.key"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: journal.path + "/master.key", toPath: master)
        _ = try EventEngine.restore(backup ?? self.backup, to: path, keys: keys, erasures: erasures)
        return try EventEngine(at: path)
    }

    /// A backup, and copies of it and of the keys, which stay as they are.
    func saveCopies() throws -> (backup: String, keys: String) {
        try save()
        return (try copy(backup, as: "backup.old"), try copy(keys, as: "keys.old"))
    }

    func copy(_ directory: String, as name: String) throws -> String {
        try FileManager.default.copyItem(atPath: directory, toPath: folder + "/" + name)
        return folder + "/" + name
    }
}

@Suite struct `A backup` {
    @Test(arguments: [UInt64(71), 72])
    func `taken in steps gives the journal back, byte for byte`(seed: UInt64) throws {
        let vault = try Vault(seed: seed)
        for third in 0..<3 {
            try vault.tell(third)
            let head = try Journal(at: vault.journal.path).head().position
            #expect(try vault.save().position == head)
            #expect(try vault.save().events == 0)
        }
        let engine = try vault.journal.open()
        let restored = try vault.restored(keys: vault.keys, to: "restored")
        #expect(try restored.exported() == engine.exported())
        #expect(
            try Documents.difference(Documents.all(of: engine), Documents.all(of: restored)) == nil)
        #expect(try restored.verify().findings == [])
        // It knows which commands it accepted, and goes on.
        let more = ExamRoomHistory.commands(seed: seed, count: 90)
        #expect(
            try restored.run(more).map(\.status) == engine.run(more).map(\.status))
    }

    @Test func `holds commands that recorded nothing, too`() throws {
        let vault = try Vault(seed: 70)
        try vault.tell(0)
        try vault.save()
        let advance = TestCommand(
            "nothing-due", "clock.advance", at: Instant("2029-01-01T00:00:00Z"), by: "system")
        let more = TestCommand(
            "nothing-due-again", "clock.advance", at: Instant("2029-01-02T00:00:00Z"), by: "system")
        try vault.journal.run([advance])
        try vault.save()
        // All timers have fired by now: this one is accepted, and records nothing.
        #expect(try vault.journal.run([more]).first?.events.isEmpty == true)
        #expect(try vault.save().events == 0)
        #expect(try vault.save().events == 0)
        let restored = try vault.restored(keys: vault.keys, to: "restored")
        #expect(try restored.exported() == vault.journal.open().exported())
        #expect(try restored.run([advance, more]).map(\.status) == [.duplicate, .duplicate])
    }

    @Test func `is taken while a writer goes on`() async throws {
        let vault = try Vault(seed: 73)
        try vault.tell(0)
        let engine = try vault.journal.open()
        let writer = Task { try vault.tell(1) }
        while try engine.backup(to: vault.backup, keys: vault.keys).events > 0 {}
        try await writer.value
        try vault.save()
        #expect(
            try vault.restored(keys: vault.keys, to: "restored").exported() == engine.exported())
    }

    @Test func `has no clear text and no key`() throws {
        let vault = try Vault(seed: 74)
        try vault.tell(0)
        try vault.save()
        for name in try FileManager.default.contentsOfDirectory(atPath: vault.backup)
        where name.hasSuffix(".zst") {
            let packed = try Data(contentsOf: URL(fileURLWithPath: vault.backup + "/" + name))
            try PackedText.unpack(Array(packed)) { text in
                let text = String(decoding: text, as: UTF8.self)
                #expect(text.contains("\"sealed\""))
                #expect(!text.contains("\"key\":"))
                #expect(!text.contains("\"name\":\"Person"))
            }
        }
    }

    @Test func `without the keys gives the same tree, and nothing personal`() throws {
        let vault = try Vault(seed: 75)
        try vault.tell(0)
        try vault.save()
        let blind = try vault.restored(keys: nil, to: "blind")
        let engine = try vault.journal.open()
        func root(_ engine: EventEngine) throws -> String? {
            try JSON(parsing: engine.show("journal.summary").bytes)["rootHash"]?.string
        }
        #expect(try root(blind) == root(engine))
        let account = try #require(try engine.keys(of: "examroom.account").first)
        let shown = try JSON(parsing: blind.show("examroom.account", key: account).bytes)
        #expect(shown["name"] == .null)
        #expect(try blind.verify().findings == [])
        // New personal fields are recorded under new keys, and a further backup holds both.
        try vault.tell(1)
        let commands = ExamRoomHistory.commands(seed: 75, count: 90)
        _ = try blind.run(Array(commands[30..<60]))
        #expect(try blind.verify().findings == [])
    }

    @Test func `of before an erasure does not bring the person back`() throws {
        let vault = try Vault(seed: 76)
        try vault.tell(0)
        let (oldBackup, oldKeys) = try vault.saveCopies()
        let engine = try vault.journal.open()
        let person = try #require(try engine.keys(of: "examroom.account").first)
        let before = try JSON(parsing: engine.show("examroom.account", key: person).bytes)
        try #require(before["name"]?.string != nil)
        try vault.journal.run([
            TestCommand(
                "erase-it", "account.erase", at: Instant("2027-01-01T00:00:00Z"), by: "system",
                [("subject", .string("examroom/\(person)"))])
        ])
        try vault.save()
        // The receipt names the copy that can still be read, and only that one.
        let receipts = try vault.journal.open().erasureReceipts(
            of: "examroom/\(person)", backups: [vault.backup, vault.keys, oldBackup, oldKeys])
        #expect(receipts.count == 1)
        #expect(receipts.first?.isKeyDestroyed == true)
        #expect(
            receipts.first?.backups.map { !$0.keyFiles.isEmpty } == [false, false, false, true])
        let restored = try vault.restored(
            from: oldBackup, keys: oldKeys,
            erasures: [vault.journal.path + "/erasures.jsonl"], to: "restored")
        let shown = try JSON(parsing: restored.show("examroom.account", key: person).bytes)
        #expect(shown["name"] == .null)
        var erased = false
        try restored.events { document in
            erased = erased || document.text.contains("\"type\":\"account.erased\"")
            return true
        }
        #expect(erased)
        #expect(try restored.verify().findings == [])
    }

    @Test func `is not taken with a listed erasure that no event records, and verify says so`()
        throws
    {
        let vault = try Vault(seed: 77)
        try vault.tell(0)
        let engine = try vault.journal.open()
        #expect(try engine.verify().findings == [])
        let person = try #require(try engine.keys(of: "examroom.account").first)
        let line =
            #"{"erasedAt":"2026-02-03T08:00:00Z","person":"examroom/\#(person)","position":2}"#
        let list = URL(fileURLWithPath: vault.journal.path + "/erasures.jsonl")
        try Data("\(line)\n".utf8).write(to: list)
        #expect(try engine.verify().findings.contains { $0.contains("no event records") })
        #expect(throws: EngineError.self) { try vault.save() }
        try FileManager.default.removeItem(at: list)
        try vault.save()
    }

    @Test func `restored with a list that names people it does not know can be backed up again`()
        throws
    {
        let vault = try Vault(seed: 78)
        try vault.tell(0)
        let (oldBackup, oldKeys) = try vault.saveCopies()
        let outcomes = try vault.journal.open().submit(
            [
                Room.register("S-LATER", at: "2027-01-01T00:00:00Z"),
                line(
                    "erase-it", "account.erase", "2027-01-01T00:00:00Z",
                    #"{"subject":"examroom/S-LATER"}"#),
            ], clock: Instant("2027-01-02T00:00:00Z"))
        #expect(outcomes.map(\.status) == [.accepted, .accepted])
        let restored = try vault.restored(
            from: oldBackup, keys: oldKeys,
            erasures: [vault.journal.path + "/erasures.jsonl"], to: "restored")
        #expect(try restored.verify().findings == [])
        let again = try restored.backup(to: vault.folder + "/b2", keys: vault.folder + "/k2")
        #expect(again.events > 0)
    }

    @Test func `that was changed, or is of another journal, is refused`() throws {
        let vault = try Vault(seed: 77)
        try vault.tell(0)
        try vault.save()
        let other = try Vault(seed: 78)
        try other.tell(0)
        #expect(throws: EngineError.self) { try other.journal.open().backup(to: vault.backup) }
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: vault.backup)
                .first { $0.hasSuffix(".zst") })
        let url = URL(fileURLWithPath: vault.backup + "/" + name)
        var bytes = try Data(contentsOf: url)
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: url)
        let path = vault.folder + "/restored"
        #expect(throws: EngineError.self) { try EventEngine.restore(vault.backup, to: path) }
        #expect(!FileManager.default.fileExists(atPath: path + "/FORMAT"))
    }

    @Test func `is not continued by a journal that lost its end`() throws {
        let vault = try Vault(seed: 79)
        try vault.tell(0)
        let file = URL(fileURLWithPath: vault.journal.path + "/journal.mdb")
        let old = try Data(contentsOf: file)
        try vault.tell(1)
        try vault.save()
        try waitUntilClosed(vault.journal.path)
        try FileManager.default.removeItem(atPath: vault.journal.path + "/views.mdb")
        try old.write(to: file)
        #expect(throws: EngineError.self) { try vault.save() }
    }
}
