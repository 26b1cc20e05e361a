import Engine
import EventLog
import Events
import Foundation
import Testing

/// A journal on the disk with students whose names occur nowhere else (ADR 0033).
private struct School {
    let place: DiskPlace

    init() throws {
        place = try DiskPlace()
        try register("S-1", "Zaynab 7f3a")
        try register("S-2", "Yusuf 91bc")
    }

    var journal: String { place.journal }

    static func registration(_ student: String, _ name: String) -> [UInt8] {
        line(
            "r-\(student)", "examroom.account.register", "2026-02-01T08:00:00Z",
            #"{"account":"\#(student)","role":"student","name":"\#(name)",\#(Room.credential)}"#)
    }

    func register(_ student: String, _ name: String) throws {
        let outcomes = try place.open().submit([Self.registration(student, name)])
        #expect(outcomes.map(\.status) == [.accepted])
    }

    static func erasure(_ student: String) -> [UInt8] {
        line(
            "erase-\(student)", "account.erase", "2026-02-02T08:00:00Z",
            #"{"subject":"examroom/\#(student)"}"#)
    }

    func account(_ student: String) throws -> String {
        try place.open(isReadOnly: true).show("examroom.account", key: student).text
    }

    func bytes(_ file: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: journal + "/" + file))
    }

    func write(_ bytes: Data, _ file: String) throws {
        try bytes.write(to: URL(fileURLWithPath: journal + "/" + file))
    }

    func verify() throws -> VerificationReport { try place.open(isReadOnly: true).verify() }

    /// The number of the slot that the person's registration was given: the journal's secret has one, too.
    func state(ofSlot number: Int) throws -> UInt8 { try bytes("keys")[number * 128] }

    var events: String {
        get throws {
            var text = ""
            try place.open(isReadOnly: true).events(EventFilter()) { document in
                text += document.text
                return true
            }
            return text
        }
    }
}

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

    @Test func `with all others, as the file is gone, leaves the journal to go on`() throws {
        let school = try School()
        try FileManager.default.removeItem(atPath: school.journal + "/keys")
        #expect(try !school.account("S-1").contains("Zaynab 7f3a"))
        try school.register("S-3", "Khadija 44d0")
        #expect(try school.account("S-3").contains("Khadija 44d0"))
        #expect(try school.verify().findings.filter { $0.contains("lost") }.count == 3)
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
        _ = try Engine.restore(folder + "/old", to: folder + "/back", keys: folder + "/keys")
        let engine = try Engine(at: folder + "/back")
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
        let restored = try Engine.restore(folder + "/b", to: folder + "/back", keys: folder + "/k")
        #expect(restored.rootHash == report.rootHash)
        let again = try Engine(at: folder + "/back").submit(lines)
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
                    _ = try Engine.restore(folder + "/b", to: folder + "/back")
                }?.kind == .busy)
        }
        #expect(engineError { _ = try Engine(at: folder + "/back") }?.kind == .noJournal)
        _ = try Engine.restore(folder + "/b", to: folder + "/back")
        #expect(try Engine(at: folder + "/back").verify().isWhole)
    }

    @Test func `of a backup that is refused leaves nothing`() throws {
        let school = try School()
        let folder = school.place.folder
        _ = try school.place.open().backup(to: folder + "/b")
        try Data("no".utf8).write(
            to: URL(fileURLWithPath: folder + "/b/part-000000000001.jsonl.zst"))
        #expect(engineError { _ = try Engine.restore(folder + "/b", to: folder + "/back") } != nil)
        #expect(!FileManager.default.fileExists(atPath: folder + "/back"))
    }
}

@Suite struct `What is sealed` {
    private func boxes(_ journal: String) throws -> [String] {
        var lines = ""
        try Engine(at: journal).export(isSealed: true) {
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
            _ = try Engine(at: journal).submit(
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
            _ = try Engine.importJournal(at: target) { rest.popFirst().map { Array($0.utf8) } }
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

    @Test func `keeps a key that a list of erasures gives to another person`() throws {
        let school = try School()
        let folder = school.place.folder
        _ = try school.place.open().backup(to: folder + "/a", keys: folder + "/copy")
        let line =
            #"{"erasedAt":"2026-02-03T08:00:00Z","key":"examroom/S-2","person":"learnable/L-1","position":9}"#
        try Data((line + "\n").utf8).write(
            to: URL(fileURLWithPath: folder + "/copy/erasures.jsonl"))
        try FileManager.default.copyItem(
            atPath: school.journal + "/master.key", toPath: folder + "/copy/master.key")
        _ = try Engine.restore(folder + "/a", to: folder + "/back", keys: folder + "/copy")
        let engine = try Engine(at: folder + "/back")
        #expect(try engine.show("examroom.account", key: "S-2").text.contains("Yusuf 91bc"))
        #expect(try engine.verify().isWhole)
    }
}

@Suite struct `An import` {
    private func importing(_ lines: [String], to path: String) throws -> ImportReport {
        var rest = lines[...]
        return try Engine.importJournal(at: path) { rest.popFirst().map { Array($0.utf8) } }
    }

    private func export(_ school: School) throws -> [String] {
        var text = ""
        try school.place.open().export { text += String(decoding: $0, as: UTF8.self) }
        return text.split(separator: "\n").map(String.init)
    }

    @Test func `takes one key a person`() throws {
        let school = try School()
        var lines = try export(school)
        let key = try #require(lines.firstIndex { $0.contains(#""person":"examroom/S-1""#) })
        lines.insert(
            #"{"key":"\#(String(repeating: "ab", count: 32))","person":"examroom/S-1"}"#,
            at: key + 2)
        let error = engineError { _ = try importing(lines, to: school.place.folder + "/i") }
        #expect(error?.message.contains("a second key of examroom/S-1") == true)
        #expect(!FileManager.default.fileExists(atPath: school.place.folder + "/i"))
    }

    @Test func `takes no key that opens nothing`() throws {
        let school = try School()
        let key = #"{"key":"\#(String(repeating: "ab", count: 32))","person":"examroom/S-1/2"}"#
        let lines = try export(school)
        let error = engineError {
            _ = try importing(lines + [key], to: school.place.folder + "/i")
        }
        #expect(error?.message.contains("the key of examroom/S-1/2 opens no event") == true)
        #expect(!FileManager.default.fileExists(atPath: school.place.folder + "/i"))
    }

    @Test(arguments: [
        (#""stream":"examroom/account/S-1""#, #""stream":"""#),
        (#""stream":"examroom/account/S-1""#, #""stream":"examroom/account/S-9""#),
        (#""stream":"examroom/account/S-1""#, #""stream":"examroom/exam/S-1""#),
        (#""stream":"examroom/account/S-1""#, #""stream":"tafawoq/account/S-1""#),
        (#""stream":"account/examroom/S-2""#, #""stream":"account/examroom/S-1""#),
        (#""tags":["account:S-1"]"#, #""tags":[":"]"#), (#""tags":["account:S-1"]"#, #""tags":[]"#),
        (#""by":"system""#, #""by":"nobody""#),
    ])
    func `refuses what does not follow from an event`(old: String, new: String) throws {
        let school = try School()
        _ = try school.place.open().submit([School.erasure("S-2")])
        let whole = try export(school)
        let lines = whole.map { $0.replacingOccurrences(of: old, with: new) }
        #expect(lines != whole)
        #expect(
            engineError { _ = try importing(lines, to: school.place.folder + "/i") }?.kind
                == .badInput)
    }

    @Test func `takes exports of before format 4: same tree, same memory of commands`() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "Former")
        let lines = try String(
            contentsOf: folder.appending(path: "export-version-1.jsonl"), encoding: .utf8
        ).split(separator: "\n").map(String.init)
        let place = try DiskPlace(makesJournal: false)
        #expect(try importing(lines, to: place.journal).events == 20)
        let engine = try place.open()
        // The root that the former program told of it.
        #expect(
            try engine.show("journal.summary").text.contains(
                #""rootHash":"/XrR8CPRayBcvev1K+lrQ/CK2h735KdO0o/xBvnloa8=""#))
        let commands = try String(
            contentsOf: folder.appending(path: "commands.jsonl"), encoding: .utf8
        ).split(separator: "\n").map { Array($0.utf8) }
        let again = try engine.submit(commands, clock: fixedClock)
        #expect(again.allSatisfy { $0.status == .duplicate })
        let other = try engine.submit(
            [line("c-01", "clock.advance", "2026-05-31T00:00:00Z")], clock: fixedClock)
        #expect(other.map(\.code) == ["id-reused"])
        _ = try engine.rebuild()
        let report = try engine.verify()
        #expect(report.isWhole, "\(report.findings)")
        var text = ""
        try engine.export { text += String(decoding: $0, as: UTF8.self) }
        let second = place.folder + "/second"
        _ = try importing(text.split(separator: "\n").map(String.init), to: second)
        var copy = ""
        try Engine(at: second).export { copy += String(decoding: $0, as: UTF8.self) }
        #expect(copy == text)
    }
}

@Suite struct `A command` {
    @Test func `that happens too far ahead is refused, and fires nobody's timers`() throws {
        let place = try DiskPlace(makesJournal: false)
        try Engine.create(at: place.journal)
        let engine = try place.open()
        func status(_ id: String, _ at: String, _ command: String = "clock.advance") throws
            -> String?
        {
            try engine.submit([line(id, command, at)], clock: "2026-02-08T00:00:00Z").first
                .map { $0.code ?? $0.status.rawValue }
        }
        #expect(try status("a", "2026-02-08T00:05:00Z") == "accepted")
        #expect(try status("b", "2026-02-08T00:05:01Z") == "clock-ahead")
        #expect(try status("c", "2199-12-31T00:00:00Z") == "clock-ahead")
        #expect(try engine.show("journal.summary").text.contains(#""lead":300"#))
        let simulated = try DiskPlace()
        #expect(
            try simulated.open().submit(
                [line("a", "clock.advance", "2199-12-31T00:00:00Z")], clock: fixedClock
            ).map(\.status) == [.accepted])
        #expect(
            try simulated.open().show("journal.summary").text.contains(#""lead":null"#))
    }

    @Test func `whose event would be too long to prove is refused, and nothing of it stays`() throws
    {
        let school = try School()
        let engine = try school.place.open()
        func create(_ id: String, _ count: Int) throws -> String? {
            let text = String(repeating: "x", count: count)
            return try engine.submit([
                line(
                    id, "examroom.exam.create", "2026-02-01T08:00:00Z",
                    #"{"exam":"\#(id)","title":"T","durationMinutes":60,"#
                        + #""description":"\#(text)"}"#)
            ]).first.map { $0.code ?? $0.status.rawValue }
        }
        #expect(try create("EX-1", 64_000) == "accepted")
        #expect(try create("EX-2", 66_000) == "too-large")
        #expect(try engine.show("examroom.exam", key: "EX-2").text == "null")
        var longest = 0
        try engine.export(isSealed: true) { bytes in
            for line in bytes.split(separator: 10) { longest = max(longest, line.count) }
        }
        #expect(longest > 64_000 && longest <= Limits.leafBytes)
    }

    @Test func `that is refused leaves no event that would be too long to prove`() throws {
        let school = try School()
        let engine = try school.place.open()
        func events(_ id: String, _ address: String) throws -> Int {
            let outcomes = try engine.submit([
                line(
                    id, "examroom.session.start", "2026-02-01T08:00:00Z", by: "student:S-1",
                    #"{"session":"\#(id)","account":"S-1","method":"credential","digest":"no","#
                        + #""ip":"\#(address)"}"#)
            ])
            #expect(outcomes.map(\.status) == [.rejected])
            #expect(outcomes.first?.code == "credential-wrong")
            return outcomes[0].document.text.ranges(of: "examroom.violation.recorded").count
        }
        #expect(try events("SE-1", "192.0.2.1") == 1)
        #expect(try events("SE-2", String(repeating: "1", count: 70_000)) == 0)
        #expect(try school.verify().isWhole)
    }

    @Test func `is remembered by what nobody without keys can try out, and an erasure ends that`()
        throws
    {
        let school = try School()
        let registration = School.registration("S-1", "Zaynab 7f3a")
        var text = ""
        try school.place.open().export(isSealed: true) {
            text += String(decoding: $0, as: UTF8.self)
        }
        #expect(!text.contains(#""digest":""#) && text.contains(#""mac":""#))
        let other = School.registration("S-1", "Somebody else")
        func outcome(_ bytes: [UInt8]) throws -> String? {
            try school.place.open().submit([bytes]).first.map { $0.code ?? $0.status.rawValue }
        }
        #expect(try outcome(registration) == "duplicate")
        #expect(try outcome(other) == "id-reused")
        _ = try school.place.open().submit([School.erasure("S-1")])
        #expect(try outcome(other) == "duplicate")
        let answer = try school.place.open().submit([registration]).first?.document.text
        #expect(answer?.contains("Zaynab") == false)
    }

    @Test func `before which more timers are due than fit a commit records the same`() throws {
        var told: [[String]] = []
        for most in [1, 3, 8192] {
            let place = try DiskPlace()
            var options = Engine.Options()
            options.mostTimerEvents = most
            let engine = try Engine(at: place.journal, options: options)
            var lines = Room.exam("EX-1", minutes: 30, at: "2026-02-01T08:00:00Z")
            for number in 1...7 {
                lines.append(Room.register("S-\(number)", at: "2026-02-01T08:00:00Z"))
                lines.append(
                    Room.start(
                        "AT-\(number)", "EX-1", "S-\(number)", at: "2026-02-01T09:00:00Z"))
            }
            lines.append(line("late", "clock.advance", "2026-02-03T00:00:00Z"))
            let outcomes = try engine.submit(lines, clock: fixedClock)
            #expect(outcomes.allSatisfy { $0.status == .accepted })
            var events: [String] = outcomes.map(\.document.text)
            try engine.events(EventFilter()) { document in
                events.append(document.text)
                return true
            }
            told.append(events)
            #expect(try engine.verify().isWhole)
        }
        #expect(told[0] == told[2] && told[1] == told[2])
        #expect(told[2].count > 40)
    }
}
