import Core
import Engine
import QuranFlowEvents
import TestSupport
import Testing

/// One student who tries everything that a student may send, in any order, to get more than is due.
private struct DishonestStudent {
    private var random: SplitMix64
    private(set) var commands: [TestCommand] = []
    private var now = Instant("2026-01-17T06:00:00Z")
    private var enrollments = ["E-1"]
    private static let zones = ["America/New_York", "Pacific/Kiritimati", "America/Los_Angeles"]
    static let by = "student:S-1"

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        stage()
    }

    /// The commands of everybody else, and then those of the student.
    static func life(seed: UInt64, count: Int = 60) -> [TestCommand] {
        var student = DishonestStudent(seed: seed)
        for _ in 0..<count { student.act() }
        return student.commands
    }

    private mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

    private mutating func add(
        _ command: String, by: String = by, at: Instant? = nil, _ data: [(String, JSON)]
    ) {
        commands.append(
            TestCommand(
                "d-\(commands.count)", "quranflow.\(command)", at: at ?? now, by: by, data))
    }

    private static let passage = JSON.object(of: [
        ("surah", .string("Al-Mulk")), ("from", .integer(1)), ("to", .integer(2)),
        ("text", .string("...")),
    ])

    private mutating func stage() {
        let admin = "admin:A-1"
        let start = Instant("2026-01-02T09:00:00Z")
        let changes: [(String, JSON)] = [
            ("weeksPerSemester", .integer(4)), ("eocOpensWeek", .integer(4)),
            ("requiredSubmissions", .integer(3)),
            ("submissionPeriod", .string(["programme-week", "rolling"][below(2)])),
            ("weekZone", .string("semester")),
        ]
        add("policy.adopt", by: admin, at: start, [("changes", .object(of: changes))])
        add(
            "coach.register", by: admin, at: start,
            [("coach", .string("C-1")), ("name", .string("C")), ("gender", .string("female"))])
        add(
            "semester.schedule", by: admin, at: start,
            [
                ("semester", .string("SEM-1")), ("name", .string("S")),
                ("startsOn", .string("2026-01-17")), ("timeZone", .string("America/New_York")),
            ])
        for week in 1...4 {
            let video = JSON.object(of: [
                ("video", .string("V-\(week)")), ("title", .string("T")), ("seconds", .integer(9)),
            ])
            add(
                "lesson.publish", by: admin, at: start,
                [
                    ("level", .integer(2)), ("week", .integer(Int64(week))),
                    ("topic", .string("T")), ("objectives", .array([])),
                    ("videos", .array([video])), ("passage", Self.passage),
                ])
        }
        add(
            "student.register", by: "service:x", at: start,
            [
                ("student", .string("S-1")), ("name", .string("N")), ("email", .string("e")),
                ("gender", .string("female")), ("timeZone", .string("America/New_York")),
            ])
        add(
            "assessment.submit", at: start,
            [("student", .string("S-1")), ("audio", .string("a")), ("seconds", .integer(9))])
        add(
            "student.place", by: admin, at: start,
            [
                ("student", .string("S-1")), ("level", .integer(2)), ("coach", .string("C-1")),
                ("enrollment", .string("E-1")), ("semester", .string("SEM-1")),
            ])
        add(
            "font.choose", at: start,
            [("student", .string("S-1")), ("font", .string("amiri-quran"))])
    }

    private mutating func act() {
        if below(3) == 0 { now = now + Int64(below(below(3) == 0 ? 300_000 : 9_000)) }
        let enrollment = enrollments[below(enrollments.count)]
        let week = JSON.integer(Int64(1 + below(5)))
        switch below(9) {
        case 0, 1, 2:
            add(
                "recording.submit",
                [
                    ("enrollment", .string(enrollment)),
                    ("recording", .string("R-\(commands.count)")), ("week", week),
                    ("audio", .string("r")), ("seconds", .integer(9)), ("confirmed", .bool(true)),
                ])
        case 3: add("enrollment.withdraw", [("enrollment", .string(enrollment))])
        case 4:
            let next = "E-\(commands.count)"
            enrollments.append(next)
            add(
                "enrollment.open",
                [
                    ("enrollment", .string(next)), ("student", .string("S-1")),
                    ("semester", .string("SEM-1")),
                ])
        case 5:
            add(
                "timezone.choose",
                [
                    ("student", .string("S-1")), ("timeZone", .string(Self.zones[below(3)])),
                    ("source", .string("chosen")),
                ])
        case 6:
            add(
                "video.watch",
                [
                    ("student", .string("S-1")), ("video", .string("V-\(1 + below(4))")),
                    ("position", .integer(9)),
                ])
        case 7: add("lesson.complete", [("enrollment", .string(enrollment)), ("week", week)])
        default:
            add(
                "eoc.submit",
                [
                    ("enrollment", .string(enrollment)), ("audio", .string("e")),
                    ("seconds", .integer(9)), ("confirmed", .bool(true)),
                ])
        }
    }
}

@Suite struct `A dishonest student` {
    private func show(
        _ engine: EventEngine, _ model: String, _ key: String, at now: Instant,
        _ arguments: [String: String] = [:]
    ) throws -> JSON {
        var request = ShowRequest()
        request.now = now
        request.arguments = arguments
        return try JSON(parsing: engine.show("quranflow.\(model)", key: key, request).bytes)
    }

    /// The same recordings, sent for the first enrolment by one who does nothing else.
    private func honest(
        _ commands: [TestCommand], recordings: Set<String>
    ) throws -> TemporaryJournal {
        let staged = commands.prefix { $0.command != "quranflow.recording.submit" }
            .filter { $0.by != DishonestStudent.by || $0.command.hasSuffix("assessment.submit") }
        let font = commands.filter { $0.command.hasSuffix("font.choose") }
        let own = commands.filter { command in
            command.data["recording"]?.string.map { recordings.contains($0) } ?? false
        }.map { command in
            var data = command.data.members ?? []
            for place in data.indices where data[place].name == "enrollment" {
                data[place].value = .string("E-1")
            }
            return TestCommand(
                command.id, command.command, at: command.at, by: command.by,
                data.map { ($0.name, $0.value) })
        }
        return try TemporaryJournal.after(staged + font + own)
    }

    @Test(
        "R5, R16, R17: gets no attempt, no week and no assessment that an honest one would not",
        arguments: UInt64(3200)..<3216)
    func gainsNothing(seed: UInt64) throws {
        let commands = DishonestStudent.life(seed: seed)
        let journal = try TemporaryJournal.after(commands)
        defer { withExtendedLifetime(journal) {} }
        let engine = try journal.open()
        let facts = try engine.allEvents()
        let submitted = facts.filter { $0.type == "quranflow.recording.submitted" }
        let recordings = submitted.map { String($0.stream.split(separator: "/").last ?? "") }
        let other = try honest(commands, recordings: Set(recordings))
        defer { withExtendedLifetime(other) {} }
        let honest = try other.open()
        let accepted = try honest.allEvents().count { $0.type == "quranflow.recording.submitted" }
        #expect(accepted == submitted.count, "the honest student may send all of these, too")
        let now = try #require(facts.map(\.at).max())
        let own = try show(engine, "today", "S-1", at: now)
        guard let enrollment = own["enrollment"]?.string, own["phase"]?.string != "withdrawn"
        else { return }
        let mine = try show(engine, "submission-check", enrollment, at: now)
        let theirs = try show(honest, "submission-check", "E-1", at: now)
        #expect(mine["attemptsText"] == theirs["attemptsText"], "seed \(seed)")
        func open(_ engine: EventEngine) throws -> [JSON] {
            (try show(engine, "learn", "S-1", at: now, ["view": "all"])["weeks"]?.array ?? [])
                .filter { $0["status"]?.string != "upcoming" }.compactMap { $0["week"] }
        }
        #expect(try open(engine) == open(honest), "seed \(seed)")
        let required = 3
        let unlocked = facts.filter { $0.type == "quranflow.eoc.unlocked" }
        for fact in unlocked {
            let id = String(fact.stream.split(separator: "/").last ?? "")
            let weeks = submitted.filter {
                $0.text("enrollment") == id && $0.position < fact.position
            }.map { $0.number("week") }
            #expect(Set(weeks).count >= required, "seed \(seed)")
        }
    }
}
