import Products
import Engine
import EventLog
import Core
import Foundation
import Testing

@Suite struct `The list of erasures` {
    @Test func `that was cut short is made again, and stands in nobody's way`() throws {
        let school = try School()
        _ = try school.place.open().submit([School.erasure("S-1")])
        let cut = #"{"erasedAt":"2026-02-03T08:00"#
        try school.write(try school.bytes("erasures.jsonl") + Data(cut.utf8), "erasures.jsonl")
        #expect(try !school.verify().warnings.isEmpty)
        let outcomes = try school.place.open().submit([
            School.erasure("S-2"), School.registration("S-3", "Khadija 44d0"),
        ])
        #expect(outcomes.map(\.status) == [.accepted, .accepted])
        let lines = String(decoding: try school.bytes("erasures.jsonl"), as: UTF8.self)
            .split(separator: "\n")
        #expect(lines.count == 2 && lines.allSatisfy { $0.hasSuffix("}") })
        #expect(try school.verify().isWhole)
    }

    @Test func `that is gone is made again`() throws {
        let school = try School()
        _ = try school.place.open().submit([School.erasure("S-1")])
        try FileManager.default.removeItem(atPath: school.journal + "/erasures.jsonl")
        #expect(try !school.verify().isWhole)
        _ = try school.place.open().rebuild()
        #expect(try school.verify().isWhole)
        #expect(try school.bytes("erasures.jsonl").count > 20)
    }

    @Test func `that cannot be written fails no command, and is told once`() throws {
        let school = try School()
        try FileManager.default.createDirectory(
            atPath: school.journal + "/erasures.jsonl", withIntermediateDirectories: false)
        let engine = try school.place.open()
        for student in ["S-1", "S-2"] {
            #expect(try engine.submit([School.erasure(student)]).map(\.status) == [.accepted])
        }
        #expect(engine.takeWarnings().count == 1)
        #expect(try school.state(ofSlot: 1) == 2)
        #expect(try !school.verify().warnings.isEmpty)
        try FileManager.default.removeItem(atPath: school.journal + "/erasures.jsonl")
        try school.register("S-3", "Khadija 44d0")
        #expect(try school.verify().isWhole)
    }

    @Test func `that cannot be read speaks of no erasure where there is none`() throws {
        let school = try School()
        try FileManager.default.createDirectory(
            atPath: school.journal + "/erasures.jsonl", withIntermediateDirectories: false)
        let engine = try school.place.open()
        let lines = [School.registration("S-3", "Khadija 44d0")]
        #expect(try engine.submit(lines).map(\.status) == [.accepted])
        let told = engine.takeWarnings()
        #expect(told.count == 1 && told[0].hasPrefix("\(school.journal)/erasures.jsonl "))
        #expect(try engine.submit([School.erasure("S-1")]).map(\.status) == [.accepted])
        let owed = engine.takeWarnings()
        #expect(owed.count == 1 && owed[0].hasPrefix("an erasure is recorded, "))
    }
}

@Suite struct `A restored journal` {
    @Test func `erases, though the keys are of a later one`() throws {
        let school = try School()
        let folder = school.place.folder
        _ = try school.place.open().backup(to: folder + "/old", keys: folder + "/keys")
        for number in 3..<20 { try school.register("S-\(number)", "Name \(number)") }
        _ = try school.place.open().submit([School.erasure("S-1")])
        _ = try school.place.open().backup(to: folder + "/new", keys: folder + "/keys")
        try FileManager.default.copyItem(
            atPath: school.journal + "/master.key", toPath: folder + "/keys/master.key")
        _ = try EventEngine.restore(folder + "/old", to: folder + "/back", keys: folder + "/keys")
        let engine = try EventEngine(at: folder + "/back")
        #expect(try engine.show("examroom.account", key: "S-2").text.contains("Yusuf 91bc"))
        #expect(try engine.submit([School.erasure("S-2")]).map(\.status) == [.accepted])
        var text = ""
        try engine.export { text += String(decoding: $0, as: UTF8.self) }
        #expect(!text.contains("Yusuf 91bc") && !text.contains("Zaynab 7f3a"))
        let receipts = try engine.erasureReceipts(of: nil, backups: [])
        #expect(receipts.count == 2 && receipts.allSatisfy(\.isKeyDestroyed))
        #expect(try engine.verify().isWhole)
    }

    @Test func `has ids that differ in their normal forms alone`() throws {
        let school = try School()
        let folder = school.place.folder
        let ids = ["caf\u{e9}", "cafe\u{301}"]
        let lines = ids.enumerated().map { index, id in
            line(
                id, "examroom.account.register", "2026-02-01T08:00:00Z",
                #"{"account":"T-\#(index)","role":"student","name":"N","#
                    + #"\#(Room.credential)}"#)
        }
        #expect(try school.place.open().submit(lines).allSatisfy { $0.status == .accepted })
        let report = try school.place.open().backup(to: folder + "/b", keys: folder + "/k")
        try FileManager.default.copyItem(
            atPath: school.journal + "/master.key", toPath: folder + "/k/master.key")
        let restored = try EventEngine.restore(
            folder + "/b", to: folder + "/back", keys: folder + "/k")
        #expect(restored.rootHash == report.rootHash)
        let again = try EventEngine(at: folder + "/back").submit(lines)
        #expect(again.map(\.status) == [.duplicate, .duplicate])
    }

    @Test func `is none before it is whole, and the same command makes it`() throws {
        let school = try School()
        let folder = school.place.folder
        _ = try school.place.open().backup(to: folder + "/b")
        do {
            // As a program leaves it that is killed while it fills a journal.
            let draft = try JournalDraft(at: folder + "/back", lead: .standard)
            _ = try Journal(at: draft.path, isDraft: true)
            #expect(
                engineError {
                    _ = try EventEngine.restore(folder + "/b", to: folder + "/back")
                }?.kind == .busy)
        }
        #expect(engineError { _ = try EventEngine(at: folder + "/back") }?.kind == .noJournal)
        _ = try EventEngine.restore(folder + "/b", to: folder + "/back")
        #expect(try EventEngine(at: folder + "/back").verify().isWhole)
    }

    @Test func `of a backup that is refused leaves nothing`() throws {
        let school = try School()
        let folder = school.place.folder
        _ = try school.place.open().backup(to: folder + "/b")
        try Data("no".utf8).write(
            to: URL(fileURLWithPath: folder + "/b/part-000000000001.jsonl.zst"))
        #expect(
            engineError { _ = try EventEngine.restore(folder + "/b", to: folder + "/back") } != nil)
        #expect(!FileManager.default.fileExists(atPath: folder + "/back"))
    }

    /// A backup of S-1 and S-2 with their keys, and the folder that it is in.
    private func backup(_ school: School) throws -> String {
        let folder = school.place.folder
        _ = try school.place.open().backup(to: folder + "/b", keys: folder + "/k")
        try FileManager.default.copyItem(
            atPath: school.journal + "/master.key", toPath: folder + "/k/master.key")
        return folder
    }

    @Test(arguments: [
        (nil, EngineError.Kind.wrongUse), (#"{"id":"c-1"}"#, .badInput), ("{\n", .badInput),
    ])
    func `takes no list of erasures that is missing or not whole`(
        list: String?, kind: EngineError.Kind
    ) throws {
        let school = try School()
        let folder = try backup(school)
        if let list { try Data(list.utf8).write(to: URL(fileURLWithPath: folder + "/list")) }
        let error = engineError {
            _ = try EventEngine.restore(
                folder + "/b", to: folder + "/back", keys: folder + "/k",
                erasures: [folder + "/list"])
        }
        #expect(error?.kind == kind && error?.message.contains(folder + "/list") == true)
        #expect(!FileManager.default.fileExists(atPath: folder + "/back"))
        if let list {
            // Nor one in the backup itself.
            try Data(list.utf8).write(to: URL(fileURLWithPath: folder + "/b/erasures.jsonl"))
            let own = engineError {
                _ = try EventEngine.restore(folder + "/b", to: folder + "/back")
            }
            #expect(own?.kind == .badInput)
        }
    }

    @Test func `takes a list of erasures with a byte-order mark, and one without its last newline`()
        throws
    {
        let school = try School()
        let folder = try backup(school)
        _ = try school.place.open().submit([School.erasure("S-1")])
        let list = try school.bytes("erasures.jsonl")
        try (Data([0xEF, 0xBB, 0xBF]) + list.dropLast()).write(
            to: URL(fileURLWithPath: folder + "/list"))
        _ = try EventEngine.restore(
            folder + "/b", to: folder + "/back", keys: folder + "/k", erasures: [folder + "/list"])
        let engine = try EventEngine(at: folder + "/back")
        #expect(try engine.erasureReceipts(of: nil, backups: []).map(\.person) == ["examroom/S-1"])
        #expect(try engine.verify().isWhole)
    }

    @Test func `records each erasure, though two lists say different ones of one position`() throws
    {
        let school = try School()
        let folder = try backup(school)
        var lists: [String] = []
        for student in ["S-1", "S-2"] {
            try FileManager.default.copyItem(
                atPath: school.journal, toPath: folder + "/" + student)
            _ = try EventEngine(at: folder + "/" + student).submit([School.erasure(student)])
            lists.append(folder + "/\(student)/erasures.jsonl")
        }
        _ = try EventEngine.restore(
            folder + "/b", to: folder + "/back", keys: folder + "/k", erasures: lists)
        let engine = try EventEngine(at: folder + "/back")
        let report = try engine.verify()
        #expect(report.isWhole, "\(report.findings)")
        let receipts = try engine.erasureReceipts(of: nil, backups: [])
        #expect(Set(receipts.map(\.position)).count == 2)
    }

    @Test func `comes of directories that are apart`() throws {
        let school = try School()
        let folder = school.place.folder
        let engine = try school.place.open()
        for (backup, keys) in [
            (folder + "/b", folder + "/b"), (folder + "/b", school.journal),
            (school.journal, folder + "/k"), (folder + "/b", folder + "/b/k"),
            (school.journal + "/b", folder + "/k"),
        ] {
            let error = engineError { _ = try engine.backup(to: backup, keys: keys) }
            #expect(error?.kind == .wrongUse)
        }
        #expect(try engine.verify().isWhole)
    }
}
