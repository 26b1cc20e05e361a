import Engine
import Core
import Foundation
import TestSupport
import Testing

private let day = "2026-02-02T09:00:00Z"

@Suite struct `A command's id` {
    @Test func `told again with the same content answers duplicate with the first answer's events`()
        throws
    {
        let journal = try TemporaryJournal()
        let lines = [Room.register("S-1", at: day)] + Room.exam("EX-1", at: day)
        let first = try journal.open().submit(lines, clock: fixedClock)
        #expect(first.allSatisfy { $0.status == .accepted })
        let before = try journal.open().exportedBytes()
        // In the same engine, in one that was opened anew, and in one that only tries.
        let engine = try journal.open()
        for isDryRun in [false, true, false] {
            let again = try engine.submit(lines, clock: "2026-03-01T00:00:00Z", isDryRun: isDryRun)
            for (answer, known) in zip(again, first) {
                #expect(answer.status == .duplicate)
                #expect(answer.json["events"] == known.json["events"])
            }
        }
        #expect(try engine.exportedBytes() == before)
    }

    @Test func `told twice in one batch is recorded once`() throws {
        let journal = try TemporaryJournal()
        let engine = try journal.open()
        let register = Room.register("S-1", at: day)
        let outcomes = try engine.submit([register, register, register], clock: fixedClock)
        #expect(outcomes.map(\.status) == [.accepted, .duplicate, .duplicate])
        #expect(outcomes[0].json["events"] == outcomes[2].json["events"])
        #expect(try engine.allEvents().count == 1)
    }

    @Test(arguments: [
        Room.register("S-1", "admin", at: day), Room.register("S-1", at: "2026-02-02T09:00:01Z"),
        line("register-S-1", "clock.advance", day),
        line("register-S-1", "examroom.account.register", day, by: "admin:A-9", data(of: "S-1")),
    ])
    func `with other content is rejected, also after a restart`(other: [UInt8]) throws {
        let journal = try TemporaryJournal()
        _ = try journal.open().submit(one: Room.register("S-1", at: day))
        let before = try journal.open().exportedBytes()
        for _ in 0..<2 {
            let outcome = try journal.open().submit(one: other)
            #expect(outcome.code == "id-reused")
        }
        #expect(try journal.open().exportedBytes() == before)
    }

    @Test func `is the same however the JSON is written`() throws {
        let journal = try TemporaryJournal()
        let engine = try journal.open()
        let plain =
            #"{"id":"é","command":"clock.advance","at":"2026-02-02T09:00:00Z","by":"system","data":{}}"#
        let other =
            #" { "data" : { } , "by":"system", "at":"2026-02-02T12:00:00+03:00","#
            + #""command":"clock.advance","id":"\u00e9" } "#
        #expect(try engine.submit(one: Array(plain.utf8)).status == .accepted)
        #expect(try engine.submit(one: Array(other.utf8)).status == .duplicate)
        // The same letter composed of two is another id.
        let composed = plain.replacing("é", with: "e\u{301}")
        #expect(try engine.submit(one: Array(composed.utf8)).status == .accepted)
    }

    @Test func `of 128 characters is remembered, whatever they are`() throws {
        let journal = try TemporaryJournal()
        for character in ["x", "ß", "語", "🜁"] {
            let id = String(repeating: character, count: 128)
            let advance = line(id, "clock.advance", day)
            #expect(try journal.open().submit(one: advance).status == .accepted)
            #expect(try journal.open().submit(one: advance).status == .duplicate)
            let longer = line(id + character, "clock.advance", day)
            #expect(try journal.open().submit(one: longer).code == "malformed")
        }
    }

    @Test func `of a rejected command can be used again, for anything`() throws {
        let journal = try TemporaryJournal()
        let tooEarly = Room.start("AT-1", "EX-1", "S-1", at: day, id: "again")
        #expect(try journal.open().submit(one: tooEarly).status == .rejected)
        _ = try journal.open().submit(
            [Room.register("S-1", at: day)] + Room.exam("EX-1", at: day), clock: fixedClock)
        #expect(try journal.open().submit(one: tooEarly).status == .accepted)
        #expect(try journal.open().submit(one: tooEarly).status == .duplicate)
        // A refusal that is recorded leaves its id free as well.
        let refused = line(
            "sign-in", "examroom.session.start", day, by: "student:S-1",
            #"{"session":"SE-1","account":"S-1","method":"credential","digest":"wrong"}"#)
        let outcome = try journal.open().submit(one: refused)
        #expect(outcome.code == "credential-wrong", "\(outcome.document.text)")
        #expect(outcome.types == ["examroom.violation.recorded"])
        #expect(try journal.open().submit(one: refused).types == ["examroom.violation.recorded"])
        let right = line(
            "sign-in", "examroom.session.start", day, by: "student:S-1",
            #"{"session":"SE-1","account":"S-1","method":"credential","digest":"d"}"#)
        #expect(try journal.open().submit(one: right).status == .accepted)
        #expect(try journal.open().submit(one: refused).code == "id-reused")
    }
}

/// The data of a registration.
private func data(of account: String) -> String {
    #"{"account":"\#(account)","role":"student","name":"\#(account)",\#(Room.credential)}"#
}

@Suite struct `Time` {
    /// A day with warnings and ends that come by themselves: lines in the order of their instants.
    private static let lines: [[UInt8]] =
        [Room.register("S-1", at: day), Room.register("S-2", at: day)]
        + Room.exam("EX-1", minutes: 10, maxAttempts: 9, at: day)
        + [
            Room.start("AT-1", "EX-1", "S-1", at: "2026-02-02T09:00:00Z"),
            Room.start("AT-2", "EX-1", "S-2", at: "2026-02-02T09:01:00Z"),
            Room.answer("AT-1", "Q-1", "a", "S-1", at: "2026-02-02T09:04:59Z"),
            line("c-1", "clock.advance", "2026-02-02T09:05:30Z"),
            line("c-2", "clock.advance", "2026-02-02T09:05:00Z"),  // told late
            Room.submit("AT-1", "S-1", at: "2026-02-02T09:20:00Z"),  // rejected: over long ago
            Room.start("AT-3", "EX-1", "S-1", at: "2026-02-02T09:21:00Z"),
            Room.answer("AT-3", "Q-1", "b", "S-1", at: "2026-02-02T09:31:00Z"),  // the very end
            line("c-3", "clock.advance", "2026-02-02T09:31:00Z"),
            Room.start("AT-4", "EX-1", "S-2", at: "2026-02-02T10:00:00Z"),
            Room.submit("AT-4", "S-2", at: "2026-02-02T10:00:30Z"),
            line("c-4", "clock.advance", "2026-02-03T00:00:00Z", by: "student:S-1"),
            line("c-5", "clock.advance", "2026-02-03T00:00:00Z"),
        ]

    @Test func `goes on in an engine that is opened anew between any two commands`() throws {
        let stayed = try TemporaryJournal()
        let engine = try stayed.open()
        let expected = try Self.lines.map { try engine.submit(one: $0).document }
        let together = try TemporaryJournal()
        #expect(
            try together.open().submit(Self.lines, clock: fixedClock).map(\.document) == expected)
        let reopened = try TemporaryJournal()
        var found: [Document] = []
        for (index, line) in Self.lines.enumerated() {
            // With and without stored views to go on from.
            if index % 3 == 1 { _ = try reopened.open().show("timers.pending") }
            found.append(try reopened.open().submit(one: line).document)
        }
        #expect(found == expected)
        let bytes = try stayed.open().told()
        #expect(try together.open().told() == bytes)
        #expect(try reopened.open().told() == bytes)
    }

    @Test func `fires a timer before a later command, and after one at the same instant`() throws {
        let journal = try TemporaryJournal()
        let engine = try journal.open()
        _ = try engine.submit(
            [Room.register("S-1", at: day)] + Room.exam("EX-1", minutes: 6, at: day)
                + [Room.start("AT-1", "EX-1", "S-1", at: day)], clock: fixedClock)
        // 300 seconds before the end, which is a minute after the start.
        let at = Room.answer("AT-1", "Q-1", "a", "S-1", at: "2026-02-02T09:01:00Z")
        #expect(try engine.submit(one: at).types == ["examroom.answer.saved"])
        let after = Room.answer("AT-1", "Q-2", "a", "S-1", at: "2026-02-02T09:01:00.001Z")
        let outcome = try engine.submit(one: after)
        #expect(
            outcome.types == [
                "examroom.time.warned", "examroom.notification.raised", "examroom.answer.saved",
            ])
        #expect(
            outcome.events.map { $0["at"]?.string } == [
                "2026-02-02T09:01:00Z", "2026-02-02T09:01:00Z", "2026-02-02T09:01:00.001Z",
            ])
        // An advance to the very instant does fire.
        let advance = line("advance", "clock.advance", "2026-02-02T09:05:00Z")
        #expect(try engine.submit(one: advance).types.first == "examroom.time.warned")
    }

    @Test func `fires its timers before a refusal, which lists them, then what it records`() throws
    {
        let journal = try TemporaryJournal()
        let engine = try journal.open()
        _ = try engine.submit(
            [Room.register("S-1", at: day)] + Room.exam("EX-1", minutes: 3, at: day)
                + [Room.start("AT-1", "EX-1", "S-1", at: day)], clock: fixedClock)
        let refused = line(
            "sign-in", "examroom.session.start", "2026-02-02T10:00:00Z", by: "student:S-1",
            #"{"session":"SE-1","account":"S-1","method":"credential","digest":"wrong"}"#)
        let outcome = try engine.submit(one: refused)
        #expect(outcome.code == "credential-wrong")
        #expect(
            outcome.types.prefix(2) == ["examroom.time.warned", "examroom.notification.raised"])
        #expect(outcome.types.contains("examroom.attempt.submitted"))
        #expect(outcome.types.last == "examroom.violation.recorded")
        let events = try engine.allEvents()
        let recorded = events.suffix(outcome.types.count)
        #expect(recorded.map(\.type) == outcome.types)
        #expect(recorded.dropLast().allSatisfy { $0.command == nil })
        #expect(recorded.last?.command == "sign-in")
    }

    @Test(arguments: [
        #"{"id":"x","command":"examroom.nothing","at":"2026-02-09T09:00:00Z","by":"system"}"#,
        #"{"id":"x","command":"clock.advance","at":"2026-02-09T09:00:00Z","by":"nobody"}"#,
        #"{"id":"register-S-1","command":"clock.advance","at":"2026-02-09T09:00:00Z","by":"system"}"#,
    ])
    func `stands still for a line that is no command of its own`(text: String) throws {
        let journal = try TemporaryJournal()
        let engine = try journal.open()
        _ = try engine.submit(
            [Room.register("S-1", at: day)] + Room.exam("EX-1", minutes: 3, at: day)
                + [Room.start("AT-1", "EX-1", "S-1", at: day)], clock: fixedClock)
        let before = try engine.exportedBytes()
        let outcome = try engine.submit(one: Array(text.utf8))
        #expect(outcome.status == .rejected)
        #expect(outcome.types == [])
        #expect(try engine.exportedBytes() == before)
    }

    @Test func `of what comes earlier than its stream's last event is behind the clock`() throws {
        let journal = try TemporaryJournal()
        _ = try journal.open().submit(
            [Room.register("S-1", at: day)] + Room.exam("EX-1", at: day)
                + [Room.start("AT-1", "EX-1", "S-1", at: "2026-02-02T10:00:00Z")],
            clock: fixedClock)
        let early = Room.answer("AT-1", "Q-1", "a", "S-1", at: "2026-02-02T09:59:59.999Z")
        #expect(try journal.open().submit(one: early).code == "clock-behind")
        // Another stream does not mind.
        let other = Room.register("S-2", at: "2026-02-01T09:00:00Z")
        #expect(try journal.open().submit(one: other).status == .accepted)
    }

    @Test func `and everything else stays as it was after a dry run`() throws {
        let journal = try TemporaryJournal()
        let engine = try journal.open()
        let half = Self.lines.count / 2
        _ = try engine.submit(Array(Self.lines.prefix(half)), clock: fixedClock)
        let before = try engine.exportedBytes()
        let documents = try Documents.all(of: engine)
        let rest = Array(Self.lines.dropFirst(half))
        let tried = try engine.submit(rest, clock: fixedClock, isDryRun: true)
        #expect(try engine.exportedBytes() == before)
        let after = try Documents.all(of: engine)
        #expect(Documents.difference(documents, after) == nil)
        #expect(try engine.verify().isWhole)
        // What it foretold is what then happens.
        let done = try engine.submit(rest, clock: fixedClock)
        #expect(done.map(\.document) == tried.map(\.document))
    }
}
