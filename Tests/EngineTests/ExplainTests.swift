import Core
import Engine
import Products
import TestSupport
import Testing

/// `explain` against what a submission then says.
@Suite struct `Why a command is decided so` {
    private static let scenarios = [
        "examroom/01-exam-day", "examroom/07-devices-meet", "learnable/optional-quiz",
        "quranflow/03-submission-limit",
        "tafawoq/dashboard",
    ]

    private static func commands(_ scenario: String) throws -> [JSON] {
        try Scenario(file: "Examples/\(scenario).jsonl").steps.compactMap { step in
            guard case .submit(let command, _) = step.kind else { return nil }
            return command
        }
    }

    /// The same command under another id.
    private static func renamed(_ command: JSON, _ id: String) -> JSON {
        .object(
            of: (command.members ?? []).map {
                ($0.name, $0.name == "id" ? .string(id) : $0.value)
            })
    }

    /// A journal of a student and a published exam of an hour.
    private static func opened() throws -> (journal: TemporaryJournal, engine: EventEngine) {
        let journal = try TemporaryJournal()
        let engine = try journal.open()
        let lines =
            [Room.register("S-1", at: "2026-02-01T09:00:00Z")]
            + Room.exam("EX-1", at: "2026-02-01T09:00:00Z")
        let outcomes = try engine.submit(lines)
        try #require(outcomes.allSatisfy { $0.status == .accepted })
        return (journal, engine)
    }

    private static func explain(_ lines: [[UInt8]], _ engine: EventEngine) throws
        -> [ExplainedOutcome]
    {
        try engine.explain(lines.map { String(decoding: $0, as: UTF8.self) })
    }

    @Test(arguments: scenarios)
    func `what is explained is what a submission answers, and nothing is recorded`(
        scenario: String
    ) throws {
        let journal = try TemporaryJournal()
        let engine = try journal.open()
        let clock = try #require(Instant(rfc3339: "2030-01-01T00:00:00Z"))
        var accepted = 0
        for (index, command) in try Self.commands(scenario).enumerated() {
            // The second time most are refused: what they make is there.
            for again in [command, Self.renamed(command, "again-\(index)")] {
                let line = again.canonical
                let head = try engine.allEvents().count
                let explained = try #require(
                    try engine.explain([String(decoding: line, as: UTF8.self)], clock: clock).first)
                #expect(try engine.allEvents().count == head)
                let submitted = try engine.submitAll([line], clock: clock, explains: true)
                let outcome = try #require(submitted.outcomes.first)
                #expect(explained.outcome.document == outcome.document)
                #expect(submitted.explained.map(\.document) == [explained.document])
                let last = try #require(explained.checks.last)
                #expect(last.holds == (outcome.status != .rejected), "\(again)")
                if let code = outcome.code { #expect(last.code == code, "\(again)") }
                if outcome.status == .accepted { accepted += 1 }
            }
        }
        #expect(accepted > 3)
    }

    @Test func `each check is listed with what it saw, up to the one that refuses`() throws {
        let (journal, engine) = try Self.opened()
        defer { withExtendedLifetime(journal) {} }
        let start = Room.start("AT-9", "EX-9", "S-1", at: "2026-02-01T10:00:00Z")
        let explained = try #require(
            try Self.explain([start], engine).first)
        #expect(
            explained.checks.map(\.name).starts(with: ["command", "form", "id"]),
            "\(explained.checks)")
        let sender = try #require(explained.checks.first { $0.name == "sender" })
        #expect(sender.holds && sender.saw == ["by": "student:S-1", "may": "student (self)"])
        let last = try #require(explained.checks.last)
        #expect(last.name == "found" && !last.holds && last.code == "not-found")
        #expect(last.saw == ["exam": "EX-9"])
    }

    @Test func `a rule that many commands share is listed where it lets the command pass, too`()
        throws
    {
        let (journal, engine) = try Self.opened()
        defer { withExtendedLifetime(journal) {} }
        let start = Room.start("AT-1", "EX-1", "S-1", at: "2026-02-01T10:00:00Z")
        _ = try engine.submit([start])
        let answer =
            #"{"id":"a","command":"examroom.attempt.submit","at":"AT","by":"student:S-1","data":{"attempt":"AT-1"}}"#
        for (at, holds) in [("2026-02-01T10:01:00Z", true), ("2026-02-02T10:00:00Z", false)] {
            let explained = try #require(
                try engine.explain([answer.replacing(#""at":"AT""#, with: #""at":"\#(at)""#)]).first
            )
            let rule = try #require(explained.checks.first { $0.name == "rule" })
            #expect(rule.code == "attempt-closed" && rule.holds == holds, "\(explained.checks)")
            #expect((explained.outcome.status == .accepted) == holds)
        }
    }

    @Test func `what is submitted beside is explained to whoever asks for it`() throws {
        let (journal, engine) = try Self.opened()
        defer { withExtendedLifetime(journal) {} }
        let lines = [
            Room.register("S-2", at: "2026-02-01T10:00:00Z"), Array("{".utf8),
            Room.register("S-2", at: "2026-02-01T10:00:00Z"),
        ]
        let submitted = try engine.submitAll(lines, explains: true)
        #expect(submitted.explained.map(\.outcome.status) == [.accepted, .rejected, .duplicate])
        #expect(submitted.explained.map { $0.checks.last?.name } == ["size", "form", "id"])
        #expect(try engine.submitAll(lines).explained.isEmpty)
        let dry = try engine.submitAll(
            [Room.register("S-3", at: "2026-02-01T10:00:00Z")], isDryRun: true, explains: true)
        #expect(dry.explained.count == 1)
        #expect(try engine.show("examroom.account", key: "S-3").value.isNull)
    }

    @Test func `events of timers that are due before are told apart`() throws {
        let (journal, engine) = try Self.opened()
        defer { withExtendedLifetime(journal) {} }
        let start = Room.start("AT-1", "EX-1", "S-1", at: "2026-02-01T10:00:00Z")
        let later = Room.register("S-2", at: "2026-02-01T18:00:00Z")
        let explained = try Self.explain([start, later], engine)
        #expect(explained.map(\.outcome.status) == [.accepted, .accepted])
        #expect(explained[0].timerEvents == 0)
        #expect(explained[1].timerEvents > 0)
        #expect(explained[1].outcome.recorded.count > explained[1].timerEvents)
    }

    @Test(arguments: [
        ("{", "form", "malformed"),
        (
            #"{"id":"x","command":"examroom.none","by":"system","data":{}}"#, "command",
            "unknown-command"
        ),
        (
            #"{"id":"x","command":"clock.advance","by":"student:S-1","data":{}}"#, "sender",
            "forbidden"
        ),
        (
            #"{"id":"x","command":"account.erase","by":"system","data":{"subject":"nobody/S-1"}}"#,
            "found", "not-found"
        ),
    ])
    func `bad input is explained as it is answered`(line: String, check: String, code: String)
        throws
    {
        let (journal, engine) = try Self.opened()
        defer { withExtendedLifetime(journal) {} }
        let explained = try #require(try engine.explain([line]).first)
        #expect(explained.outcome.code == code)
        let last = try #require(explained.checks.last)
        #expect(last.name == check && last.code == code && !last.holds)
    }
}
