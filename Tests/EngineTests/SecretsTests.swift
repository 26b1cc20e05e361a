import Products
import EventLog
import Core
import Foundation
import Testing

@testable import Engine

@Suite struct `A key that is lost` {
    private func check(_ school: School) throws {
        // Others are read, and anybody may write; the person's fields are null, and verify says whose.
        #expect(try school.account("S-2").contains("Yusuf 91bc"))
        #expect(try !school.account("S-1").contains("Zaynab 7f3a"))
        try school.register("S-3", "Khadija 44d0")
        #expect(try school.account("S-3").contains("Khadija 44d0"))
        _ = try school.place.open().rebuild()
        let report = try school.verify()
        #expect(!report.isWhole)
        #expect(report.findings.contains { $0.contains("examroom/S-1") && $0.contains("lost") })
        #expect(report.findings.allSatisfy { !$0.contains("S-3") })
    }

    @Test func `since its slot is damaged costs that person's fields alone`() throws {
        let school = try School()
        var keys = try school.bytes("keys")
        keys[128 + 40] ^= 1
        try school.write(keys, "keys")
        try check(school)
    }

    @Test func `since its slot never reached the disk costs that person's fields alone`() throws {
        let school = try School()
        let keys = try school.bytes("keys")
        // The slots in order: S-1, the journal's own secret, S-2.
        try school.write(keys[..<128] + Data(count: 128) + keys[256...], "keys")
        try check(school)
    }

    @Test func `since the file is of another time costs that person's fields alone`() throws {
        let school = try School()
        let other = school.journal + "-other"
        defer { try? FileManager.default.removeItem(atPath: other) }
        try FileManager.default.copyItem(atPath: school.journal, toPath: other)
        let copy = try EventEngine(at: other, options: .init())
        #expect(
            try copy.submit([School.registration("S-9", "Layla 6d10")]).map(\.status) == [.accepted]
        )
        try school.register("S-4", "Maryam 5e1b")
        try school.write(Data(contentsOf: URL(fileURLWithPath: other + "/keys")), "keys")
        #expect(try school.account("S-1").contains("Zaynab 7f3a"))
        #expect(try !school.account("S-4").contains("Maryam 5e1b"))
        let names = try school.events
        #expect(names.contains("Zaynab 7f3a") && !names.contains("Maryam 5e1b"))
        let report = try school.verify()
        #expect(report.findings.contains { $0.contains("examroom/S-4") && $0.contains("lost") })
        #expect(!report.findings.contains { $0.contains("read models") })
    }

    @Test func `with all others, as the file is gone, leaves the journal to go on`() throws {
        let school = try School()
        try FileManager.default.removeItem(atPath: school.journal + "/keys")
        #expect(try !school.account("S-1").contains("Zaynab 7f3a"))
        try school.register("S-3", "Khadija 44d0")
        #expect(try school.account("S-3").contains("Khadija 44d0"))
        #expect(try school.verify().findings.filter { $0.contains("lost") }.count == 3)
    }

    @Test func `under a program that goes on writing costs what was sealed before, and no more`()
        throws
    {
        let school = try School()
        let engine = try school.place.open()
        func register(_ student: String, _ name: String) throws {
            let outcomes = try engine.submit([School.registration(student, name)])
            #expect(outcomes.map(\.status) == [.accepted])
        }
        try register("S-3", "Khadija 44d0")
        let former = try school.bytes("keys")
        try FileManager.default.removeItem(atPath: school.journal + "/keys")
        try register("S-4", "Maryam 5e1b")
        #expect(try school.account("S-4").contains("Maryam 5e1b"))
        #expect(try !school.account("S-3").contains("Khadija 44d0"))
        // Somebody puts the former file back.
        try FileManager.default.removeItem(atPath: school.journal + "/keys")
        try school.write(former, "keys")
        try register("S-5", "Asma 02c7")
        #expect(try school.account("S-5").contains("Asma 02c7"))
        #expect(try school.account("S-3").contains("Khadija 44d0"))
    }

    @Test func `with the master key for good is given up by key renew alone`() throws {
        let school = try School()
        try FileManager.default.removeItem(atPath: school.journal + "/master.key")
        let error = engineError { _ = try school.place.open().submit([School.erasure("S-1")]) }
        #expect(error?.message.contains("master.key: there is no master key") == true)
        #expect(
            engineError { _ = try school.place.open().renewMasterKey(losing: nil) }?.message
                .contains("3 keys would be lost") == true)
        #expect(try school.verify().isWhole == false)
        #expect(try school.place.open().renewMasterKey(losing: 3) == 3)
        try school.register("S-3", "Khadija 44d0")
        #expect(try school.account("S-3").contains("Khadija 44d0"))
        #expect(
            engineError { _ = try school.place.open().renewMasterKey(losing: 4) }?.message
                .contains("is there: nothing was changed") == true)
    }
}

@Suite struct `The file of keys` {
    @Test func `is made anew where its head is damaged`() throws {
        let school = try School()
        var keys = try school.bytes("keys")
        keys[20] ^= 0x80
        try school.write(keys, "keys")
        #expect(try school.account("S-1").contains("Zaynab 7f3a"))
        #expect(try !school.verify().isWhole)
        try school.register("S-3", "Khadija 44d0")
        #expect(try school.verify().isWhole)
    }

    @Test func `holds nobody's keys behind the last slot that a frame names`() throws {
        let school = try School()
        let keys = try school.bytes("keys")
        // What a batch leaves that never came to its commit: a whole slot, and a torn one.
        try school.write(keys + keys[128..<256] + Data(count: 60), "keys")
        try school.register("S-3", "Khadija 44d0")
        #expect(try school.account("S-3").contains("Khadija 44d0"))
        let report = try school.verify()
        #expect(report.isWhole, "\(report.findings)")
    }

    @Test func `that a rotation replaced is not the one that an erasure writes to`() throws {
        let school = try School()
        let service = try school.place.open()
        _ = try service.submit([School.registration("S-3", "Khadija 44d0")])
        #expect(try school.place.open().rotateMasterKey() == 4)
        #expect(try service.submit([School.erasure("S-1")]).map(\.status) == [.accepted])
        #expect(try school.state(ofSlot: 1) == 2)
        #expect(
            try school.place.open().erasureReceipts(of: nil, backups: [])
                .map(\.isKeyDestroyed) == [true])
        #expect(try school.verify().isWhole)
    }

    @Test
    func
        `that an interrupted rotation left is seen by a receipt, and cleared up by who writes next`()
        throws
    {
        let school = try School()
        let keys = try school.bytes("keys")
        _ = try school.place.open().submit([School.erasure("S-1")])
        for name in ["keys.new", "keys.old"] { try school.write(keys, name) }
        try school.write(Data("cut".utf8), "master.key.next")
        let receipt = try school.place.open(isReadOnly: true).erasureReceipts(of: nil, backups: [])
        #expect(receipt.map(\.isKeyDestroyed) == [false])
        #expect(try school.verify().warnings.count >= 3)
        try school.register("S-3", "Khadija 44d0")
        #expect(
            try school.place.open().erasureReceipts(of: nil, backups: [])
                .map(\.isKeyDestroyed) == [true])
        #expect(try school.verify().warnings == [])
        #expect(try school.place.open().rotateMasterKey() > 0)
    }

    /// Made under the name `master.key.new`, then linked: a program killed before it removes that name leaves two.
    @Test(arguments: ["master.key", "master.key.next"])
    func `has a master key that a crash left under two names, and keeps it`(name: String) throws {
        let school = try School()
        let key = try school.bytes("master.key")
        if name != "master.key" { try school.write(Data("cut".utf8), name) }
        try FileManager.default.linkItem(
            atPath: school.journal + "/" + name, toPath: school.journal + "/\(name).new")
        try school.register("S-3", "Khadija 44d0")
        #expect(try school.bytes("master.key") == key)
        #expect(!FileManager.default.fileExists(atPath: school.journal + "/\(name).new"))
        #expect(try school.account("S-1").contains("Zaynab 7f3a"))
        #expect(try school.verify().isWhole)
    }
}

@Suite struct `What is sealed` {
    private func boxes(_ journal: String) throws -> [String] {
        var lines = ""
        try EventEngine(at: journal).export(isSealed: true) {
            lines += String(decoding: $0, as: UTF8.self)
        }
        return lines.split(separator: "\n").compactMap { line in
            let json = try? JSON(parsing: Array(line.utf8))
            return json?["sealed"]?["box"]?.string
        }
    }

    @Test func `has another nonce in each of two copies that go on from one`() throws {
        let school = try School()
        let copy = school.place.folder + "/copy"
        try FileManager.default.copyItem(atPath: school.journal, toPath: copy)
        for (journal, name) in [(school.journal, "Nora"), (copy, "Sara")] {
            _ = try EventEngine(at: journal).submit(
                [School.registration("S-9", name)], clock: fixedClock)
        }
        let nonces = try [school.journal, copy].map { journal in
            String(try #require(try boxes(journal).last).prefix(16))
        }
        #expect(nonces[0] != nonces[1])
        #expect(try Set(boxes(school.journal).map { $0.prefix(16) }).count == 3)
    }

    @Test func `is padded, so that its length does not tell a name's`() throws {
        let school = try School()
        for length in 1...10 {
            try school.register("L-\(length)", String(repeating: "n", count: length))
        }
        let lengths = try boxes(school.journal).map { Data(base64Encoded: $0)?.count ?? 0 }
        // Nonce and tag, and multiples of 32 bytes.
        #expect(lengths.allSatisfy { ($0 - 28) % 32 == 0 } && Set(lengths).count <= 2)
    }

    @Test func `opens for its own event only`() throws {
        let school = try School()
        var lines: [String] = []
        try school.place.open().export {
            lines += String(decoding: $0, as: UTF8.self)
                .split(separator: "\n").map(String.init)
        }
        let target = school.place.folder + "/import"
        // Another version of the type, so other fields: what was sealed says which they were.
        let changed = lines.map {
            $0.replacingOccurrences(of: #""recordedAt":"2026"#, with: #""recordedAt":"2027"#)
        }
        var rest = changed[...]
        let error = engineError {
            _ = try EventEngine.importJournal(at: target) { rest.popFirst().map { Array($0.utf8) } }
        }
        #expect(error?.message.contains("does not open") == true)
    }
}

@Suite struct `A copy of keys` {
    @Test func `of another journal is not written over`() throws {
        let one = try School()
        let other = try School()
        let copy = one.place.folder + "/copy"
        _ = try one.place.open().backup(to: one.place.folder + "/a", keys: copy)
        let error = engineError {
            _ = try other.place.open().backup(to: other.place.folder + "/b", keys: copy)
        }
        #expect(error?.message.contains("holds the keys of another journal") == true)
        _ = try one.place.open().backup(to: one.place.folder + "/a", keys: copy)
    }

    @Test func `is not restored by a list of erasures that ends another person's key`() throws {
        let school = try School()
        let folder = school.place.folder
        _ = try school.place.open().backup(to: folder + "/a", keys: folder + "/copy")
        let line =
            #"{"erasedAt":"2026-02-03T08:00:00Z","key":"examroom/S-2","person":"learnable/L-1","position":9}"#
        try Data((line + "\n").utf8).write(
            to: URL(fileURLWithPath: folder + "/copy/erasures.jsonl"))
        try FileManager.default.copyItem(
            atPath: school.journal + "/master.key", toPath: folder + "/copy/master.key")
        func restore() throws {
            _ = try EventEngine.restore(folder + "/a", to: folder + "/back", keys: folder + "/copy")
        }
        // No erasure: nobody knows what it was to say.
        #expect(engineError(restore)?.kind == .badInput)
        #expect(!FileManager.default.fileExists(atPath: folder + "/back"))
        try FileManager.default.removeItem(atPath: folder + "/copy/erasures.jsonl")
        try restore()
        let engine = try EventEngine(at: folder + "/back")
        #expect(try engine.show("examroom.account", key: "S-2").text.contains("Yusuf 91bc"))
        #expect(try engine.verify().isWhole)
    }
}

@Suite struct `An erasure that is recorded` {
    @Test func `is looked for again where it could not be read at first`() throws {
        let school = try School()
        let outcomes = try school.place.open().submit([School.erasure("S-1")])
        #expect(outcomes.map(\.status) == [.accepted])
        try waitUntilClosed(school.journal)
        let journal = try Journal(at: school.journal)
        let snapshot = try journal.snapshot()
        let names = Names(source: JournalSymbols(journal), stored: snapshot.head.symbolCount)
        let types = try JournalTypes(
            snapshot.types(), Registry(EventEngine.Options().products))
        let persons = Persons(journal)
        // A bad sector for a while: the frame that holds the command's id.
        let file = try #require(FileHandle(forUpdatingAtPath: school.journal + "/journal.mdb"))
        let places = try school.bytes("journal.mdb").ranges(of: Data("erase-S-1".utf8))
        func put(_ text: String) throws {
            for place in places {
                try file.seek(toOffset: UInt64(place.lowerBound))
                try file.write(contentsOf: Data(text.utf8))
            }
        }
        try put("erase-S-9")
        persons.carryOutAll(snapshot, types, names)
        #expect(persons.trouble != nil && persons.endedKeys == 0)
        try put("erase-S-1")
        persons.carryOut(snapshot, types, names)
        #expect(persons.trouble == nil && persons.endedKeys == 1)
    }

    @Test func `is not undone by a key that was on its way`() throws {
        let school = try School()
        let journal = try Journal(at: school.journal)
        let keys = PersonKeys(of: journal)
        // What another node sends, asked before the erasure.
        let (carried, _) = try keys.carried(in: [1])
        #expect(carried.count == 1)
        _ = try school.place.open().submit([School.erasure("S-1")])
        let snapshot = try journal.snapshot()
        var slots: [NamedSlot] = []
        try snapshot.forEachSlot { _, slot in
            if slot.number == 1 { slots.append(slot) }
            return true
        }
        let before = try school.bytes("keys")
        let filled = try keys.fill(slots, from: carried, slotCount: snapshot.head.slotCount)
        #expect(slots.count == 1 && filled == 0)
        #expect(try school.bytes("keys") == before)
    }
}
