import Engine
import Core
import Foundation
import TestSupport
import Testing

@Suite struct `An audit report` {
    private static let hostile = #"</script><img src=x onerror="alert('1')">&amp;"#

    private static func command(_ id: String, _ type: String, _ data: [(String, JSON)])
        -> TestCommand
    {
        TestCommand(id, type, at: Instant("2026-02-02T08:00:00Z"), by: "system", data)
    }

    private static func register(_ id: String, _ account: String, name: String) -> TestCommand {
        command(
            id, "examroom.account.register",
            [
                ("account", .string(account)), ("role", .string("student")),
                ("name", .string(name)),
                (
                    "credential",
                    .object(of: [
                        ("scheme", .string("bcrypt")), ("salt", .string("c2FsdA")),
                        ("digest", .string("secret-digest")),
                    ])
                ),
            ])
    }

    private func page(_ journal: borrowing TemporaryJournal) throws -> String {
        String(decoding: try journal.open().auditReport(), as: UTF8.self)
    }

    @Test func `lets no recorded text become markup`() throws {
        let journal = try TemporaryJournal.after([
            Self.register("\(Self.hostile)", "S-1", name: Self.hostile),
            Self.command(
                "c-2", "examroom.policy.adopt",
                [("changes", .object(of: [("passPercent", .integer(40))]))]),
            Self.command(
                "c-3", "examroom.export.make",
                [
                    ("export", .string("XP-1")), ("scope", .string("audit")),
                    ("format", .string("csv")),
                    ("filters", .object(of: [("search", .string(Self.hostile + "\u{202E}"))])),
                ]),
        ])
        let page = try page(journal)
        #expect(page.contains("&lt;/script&gt;&lt;img src=x onerror="), "\(page)")
        #expect(page.contains("‹U+202E›"))
        #expect(!page.contains("<img"))
        #expect(!page.lowercased().contains("<script"))
        #expect(!page.contains("\u{202E}"))
    }

    @Test func `holds nothing personal, and loads nothing`() throws {
        let journal = try TemporaryJournal.after([
            Self.register("c-1", "S-1", name: "Amal Haddad"),
            TestCommand(
                "c-2", "examroom.session.start", at: Instant("2026-02-02T08:01:00Z"),
                by: "student:S-1",
                [
                    ("session", .string("SE-1")), ("account", .string("S-1")),
                    ("digest", .string("wrong")), ("deviceInfo", .string("Amal's tablet")),
                    ("ip", .string("203.0.113.7")), ("method", .string("credential")),
                ]),
        ])
        let page = try page(journal)
        for text in ["Amal", "secret-digest", "203.0.113.7", "http:", "https:", "url(", "src="] {
            #expect(!page.contains(text), "\(text)")
        }
        #expect(page.contains("An account was registered."))
    }

    @Test func `says what there is, and the same each time`() throws {
        let journal = try TemporaryJournal()
        #expect(try page(journal).contains("Nothing happened in this period."))
        let commands = ExamRoomHistory.commands(seed: 11, count: 150)
        try journal.run(commands)
        let engine = try journal.open()
        let page = try page(journal)
        #expect(page == String(decoding: try journal.open().auditReport(), as: UTF8.self))
        let events = try engine.allEvents()
        let refusals = events.filter { $0.type == "examroom.violation.recorded" }
        for (name, count) in [
            ("Events", events.count), ("Refusals", refusals.count),
            ("Erasures", events.filter { $0.type == "account.erased" }.count),
            ("Actors", Set(events.map { $0.json["by"]?.string ?? "" }).count),
            ("Streams", Set(events.map(\.stream)).count),
        ] {
            #expect(
                page.contains("<dt>\(name)</dt><dd>\(count)</dd>")
                    || page.contains("<dt>\(name)</dt><dd class=\"alarm\">\(count)</dd>"),
                "\(name) \(count)")
        }
        for act in refusals { #expect(page.contains("position \(act.position)<")) }
        #expect(page.contains("no checkpoint has been made"))
    }

    @Test func `counts the period with both ends`() throws {
        let journal = try TemporaryJournal.after(ExamRoomHistory.commands(seed: 12, count: 120))
        let engine = try journal.open()
        let events = try engine.allEvents()
        let instants = events.map(\.at).sorted()
        let from = instants[instants.count / 4]
        let to = instants[instants.count / 2]
        let count = instants.count { $0 >= from && $0 <= to }
        let page = String(
            decoding: try engine.auditReport(from: from, to: to), as: UTF8.self)
        #expect(page.contains("<dt>Events</dt><dd>\(count)</dd>"))
        #expect(throws: EngineError.self) { try engine.auditReport(from: to, to: from) }
    }

    @Test func `calls signed what a key beside the journal signed, and nothing else`() throws {
        let archive = try Archive(events: 14)
        _ = try archive.checkpoint()
        #expect(try page(archive.journal).contains("has the root that was signed."))
        // Whatever stands among the keys.
        let keys = URL(fileURLWithPath: archive.journal.path + "/checkpoints/log.vkeys")
        let other = try Archive(events: 15)
        for text in ["garbage\n", ""] {
            try Data(text.utf8).write(to: keys)
            #expect(try page(archive.journal).contains("NO KEY THAT IS KEPT BESIDE IT SIGNED THAT"))
        }
        #expect(try page(other.journal).contains("no checkpoint has been made"))
    }

    @Test func `closes every element that it opens`() throws {
        let journal = try TemporaryJournal.after(ExamRoomHistory.commands(seed: 13, count: 150))
        let page = try page(journal)
        var open: [Substring] = []
        for match in page.matches(of: /<(\/?)([a-z0-9]+)[^>]*>/) {
            let name = match.output.2
            if ["meta", "html"].contains(name) { continue }
            if match.output.1.isEmpty {
                open.append(name)
            } else {
                #expect(open.popLast() == name)
            }
        }
        #expect(open == [])
    }
}
