import Products
import Engine
import EventLog
import Core
import Foundation
import Testing

@Suite struct `A command` {
    @Test func `that happens too far ahead is refused, and fires nobody's timers`() throws {
        let place = try DiskPlace(makesJournal: false)
        try EventEngine.create(at: place.journal)
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
            // Four bytes a character: a text may have 20,000 of them.
            let text = String(repeating: "🎓", count: count / 4)
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
        #expect(try events("SE-2", String(repeating: "🎓", count: 17_500)) == 0)
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
            var options = EventEngine.Options()
            options.mostTimerEvents = most
            let engine = try EventEngine(at: place.journal, options: options)
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
