import Engine
import Core
import ExamRoomEvents
import TestSupport
import Testing

/// ExamRoom R48 and `examroom.changes` are answered from blocks of positions: they must say what a walk through
/// the events would.
@Suite struct `What a device lacks` {
    @Test(
        "ExamRoom R48: pending commands and changes are those that the events tell of",
        arguments: UInt64(600)..<606)
    func pendingAndChanges(seed: UInt64) {
        expectLaw(seed: seed) { commands in
            let journal = try TemporaryJournal()
            let engine = try journal.open()
            try engine.run(commands)
            let events = try engine.allEvents()
            for device in ["D-1", "D-S-1", "D-never"] {
                let sync = try JSON(
                    parsing: engine.show("examroom.sync", key: device).bytes)
                let through = sync["through"]?.wholeNumber ?? 0
                let expected = Self.pending(events, after: through)
                if sync["pending"]?.wholeNumber != Int64(expected) {
                    return "\(device): \(expected) commands wait, not \(sync)"
                }
                for since in [0, Int64(events.count / 3), through] {
                    var request = ShowRequest()
                    request.arguments = ["since": "\(since)", "page": "all"]
                    let shown = try JSON(
                        parsing: engine.show("examroom.changes", key: device, request).bytes)
                    let positions = (shown["changes"]?.array ?? []).map {
                        $0["position"]?.wholeNumber ?? 0
                    }
                    let wanted = Self.changes(events, after: since, notBy: device)
                    if positions != wanted { return "\(device) since \(since): \(shown)" }
                    if shown["last"]?.wholeNumber != Int64(events.count) { return "last: \(shown)" }
                }
            }
            return nil
        }
    }

    private static func noun(_ event: PastFact) -> String {
        String(event.stream.split(separator: "/").dropFirst().first ?? "")
    }

    private static func changes(
        _ events: [PastFact], after since: Int64, notBy device: String
    ) -> [Int64] {
        events.filter { event in
            let writer = event.data["origin"]?["device"]?.string ?? event.json["device"]?.string
            return event.position > since && event.type.hasPrefix("examroom.")
                && !["device", "inbox", "audit"].contains(noun(event)) && writer != device
        }.map(\.position)
    }

    /// ExamRoom R48's parenthesis, word by word.
    private static func pending(_ events: [PastFact], after through: Int64) -> Int {
        var groups: [[PastFact]] = []
        for event in events where event.type != "examroom.violation.recorded" {
            guard let command = event.command else { continue }
            if groups.last?.first?.command == command {
                groups[groups.count - 1].append(event)
            } else {
                groups.append([event])
            }
        }
        return groups.count { group in
            let types = Set(group.map(\.type))
            let isOther =
                group.contains { noun($0) == "device" }
                || types.contains("examroom.conflict.resolved")
                || types.contains("account.erased") && !types.contains("examroom.account.deleted")
            return !isOther
                && group.contains { $0.position > through && $0.data["origin"] == nil }
        }
    }

    @Test("An export and an archive quote what waits in the same batch, and a dry run does too")
    func quoting() throws {
        let at = Instant("2026-02-02T08:00:00Z")
        let commands = [
            TestCommand(
                "c-1", "examroom.account.register", at: at, by: "system",
                [
                    ("account", .string("A-1")), ("role", .string("admin")), ("name", .string("A")),
                    (
                        "credential",
                        .object(of: [
                            ("scheme", .string("bcrypt")), ("salt", .string("s")),
                            ("digest", .string("d")),
                        ])
                    ),
                ]),
            TestCommand(
                "c-2", "examroom.exam.create", at: at, by: "admin:A-1",
                [("exam", .string("EX-1")), ("title", .string("T"))]),
            TestCommand(
                "c-3", "examroom.export.make", at: at, by: "admin:A-1",
                [
                    ("export", .string("XP-1")), ("scope", .string("audit")),
                    ("format", .string("csv")),
                ]),
            TestCommand("c-4", "clock.advance", at: Instant("2028-01-01T00:00:00Z"), by: "system"),
        ]
        let together = try TemporaryJournal()
        let dry = try together.open().submit(
            commands.map(\.line), clock: Scenario.clock, isDryRun: true)
        #expect(try together.open().allEvents().isEmpty)
        let one = try together.run(commands)
        let apart = try TemporaryJournal()
        var each: [Outcome] = []
        for command in commands { each += try apart.run([command]) }
        #expect(one.map(\.document.text) == each.map(\.document.text))
        #expect(dry.map(\.document.text) == each.map(\.document.text))
        #expect(one[2].events.first?["data"]?["records"]?.wholeNumber == 2)
        #expect(one[3].events.first?["data"]?["entries"]?.wholeNumber == 3)
    }
}
