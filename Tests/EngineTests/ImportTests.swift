import Products
import Engine
import EventLog
import Core
import Foundation
import Testing

@Suite struct `An import` {
    private func importing(_ lines: [String], to path: String) throws -> ImportReport {
        var rest = lines[...]
        return try EventEngine.importJournal(at: path) { rest.popFirst().map { Array($0.utf8) } }
    }

    private func export(_ school: School) throws -> [String] {
        try exported(school.place.open())
    }

    /// A frame has one salt: which frame an event that seals nothing stands in is said by later lines.
    @Test(arguments: 1...3)
    func `is the same journal where a merge began with what seals nothing`(merges: Int) throws {
        let place = try DiskPlace()
        let engine = try place.open()
        let registration = #"""
            {"id":"c","command":"examroom.account.register","at":"2026-02-01T08:00:00Z","by":"system",\#
            "data":{"account":"A-1","role":"admin","name":"A-1",\#
            "credential":{"scheme":"bcrypt","salt":"s","digest":"d"}}}
            """#
        let merged = (1...merges).map { number in
            #"""
            {"id":"m\#(number)","command":"examroom.device.merge","at":"2026-02-01T10:00:00Z","by":"system",\#
            "data":{"device":"D-2","batch":"B-\#(number)","seen":1,"commands":[\#
            {"id":"x\#(number)","command":"examroom.exam.create","at":"2026-02-01T09:10:00Z","by":"admin:A-1",\#
            "data":{"exam":"E-\#(number)","title":"t"}},\#
            {"id":"y\#(number)","command":"examroom.profile.revise","at":"2026-02-01T09:12:00Z",\#
            "by":"admin:A-1","data":{"account":"A-1","name":"N \#(number)"}}]}}
            """#
        }
        // Commits of their own, all of one moment.
        for line in [registration] + merged {
            let outcome = try engine.submit([Array(line.utf8)], clock: fixedClock)[0]
            #expect(outcome.status == .accepted, "\(outcome.document.text)")
        }
        let lines = try exported(engine)
        let other = place.folder + "/i"
        _ = try importing(lines, to: other)
        #expect(try exported(EventEngine(at: other)) == lines)
    }

    private func exported(_ engine: EventEngine) throws -> [String] {
        var text = ""
        try engine.export { text += String(decoding: $0, as: UTF8.self) }
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

    @Test(arguments: [
        // What another did; another device; a cause before all events; no device.
        (#""events":1,"first":2"#, #""events":2,"first":1"#, "accepts events of another one"),
        (#""accepted":"r-S-2","device":null"#, #""accepted":"r-S-2","device":"D-9""#, "device:"),
        (#""cause":null"#, #""cause":0"#, "cause: expected"),
        (#""device":null"#, #""device":"""#, "device: expected"),
    ])
    func `refuses commands that do not agree with their events`(
        old: String, new: String, reason: String
    ) throws {
        let place = try DiskPlace()
        _ = try place.open().submit(["S-1", "S-2"].map { School.registration($0, "Name") })
        var text = ""
        try place.open().export { text += String(decoding: $0, as: UTF8.self) }
        var lines = text.split(separator: "\n").map(String.init)
        let index = try #require(lines.lastIndex { $0.contains(old) })
        lines[index] = lines[index].replacingOccurrences(of: old, with: new)
        let error = engineError { _ = try importing(lines, to: place.folder + "/i") }
        #expect(error?.kind == .badInput)
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "taken")")
    }

    @Test func `refuses a command that is accepted twice, in one frame or in two`() throws {
        let school = try School()
        let lines = try export(school)
        let place = try #require(lines.firstIndex { $0.hasPrefix(#"{"accepted""#) })
        for (number, index) in [place + 1, lines.count].enumerated() {
            var twice = lines
            twice.insert(
                lines[place].replacingOccurrences(of: #""events":1"#, with: #""events":0"#)
                    .replacingOccurrences(
                        of: #""first":1"#, with: #""first":\#(index == place + 1 ? 2 : 3)"#),
                at: index)
            let error = engineError {
                _ = try importing(twice, to: school.place.folder + "/i\(number)")
            }
            #expect(error?.kind == .badInput, "\(error?.message ?? "taken")")
        }
    }

    @Test func `counts empty lines, which it passes over`() throws {
        let school = try School()
        var lines = try export(school)
        lines.insert(contentsOf: ["", ""], at: 0)
        lines.insert("", at: 4)
        #expect(try importing(lines, to: school.place.folder + "/i").events == 2)
        let error = engineError {
            _ = try importing(lines + ["", "{}"], to: school.place.folder + "/j")
        }
        #expect(error?.message.hasPrefix("line \(lines.count + 2): ") == true)
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
        try EventEngine(at: second).export { copy += String(decoding: $0, as: UTF8.self) }
        #expect(copy == text)
    }

    @Test("Learnable R48: keeps events of older versions as they are, leaf for leaf")
    func formerVersions() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "Former/learnable-titles-in-clear.jsonl")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .map(String.init)
        let place = try DiskPlace(makesJournal: false)
        #expect(try importing(lines, to: place.journal).events == 25)
        let engine = try place.open()
        // The root that the former program told of it.
        #expect(
            try engine.show("journal.summary").text.contains(
                #""rootHash":"sB1sZzEjX5ZEesVhaeTpsJRrBnYJIpm6I9CMJWEClws=""#))
        var text = ""
        try engine.export { text += String(decoding: $0, as: UTF8.self) }
        #expect(text.split(separator: "\n").map(String.init) == lines)
        let offer = try engine.show("learnable.offer", key: "OF-1").text
        #expect(offer.contains(#""title":"Calligraphy""#))
        // What is recorded from here on is of the present version, beside it.
        let renamed = try engine.submit(
            [
                line(
                    "c-90", "learnable.subject.rename", "2026-03-01T09:00:00Z",
                    by: "student:S-1", #"{"subject":"SU-1","title":"Letters"}"#)
            ], clock: fixedClock)
        #expect(renamed.map(\.status) == [.accepted])
        #expect(try engine.rebuild(isCheck: true).differences == [])
        #expect(try engine.verify().isWhole)
    }

    @Test("notifications of before there were more kinds fold, and are exported byte for byte")
    func formerKinds() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "Former/quranflow-fewer-kinds.jsonl")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .map(String.init)
        let former = #""type":"quranflow.notification.raised","version":1"#
        #expect(lines.contains { $0.contains(former) })
        let place = try DiskPlace(makesJournal: false)
        #expect(try importing(lines, to: place.journal).events == 22)
        let engine = try place.open()
        var text = ""
        try engine.export { text += String(decoding: $0, as: UTF8.self) }
        #expect(text.split(separator: "\n").map(String.init) == lines)
        let inbox = try engine.show("quranflow.notifications", key: "student:S-1").text
        #expect(inbox.contains(#""kind":"placement-ready""#))
        // A kind that version 1 did not have is none of it.
        let wrong = lines.map {
            $0.contains(former)
                ? $0.replacingOccurrences(
                    of: #""kind":"placement-ready""#, with: #""kind":"help-reply""#)
                : $0
        }
        #expect(wrong != lines)
        let error = engineError { _ = try importing(wrong, to: place.folder + "/wrong") }
        #expect(error?.message.contains("expected one of") == true)
    }
}
