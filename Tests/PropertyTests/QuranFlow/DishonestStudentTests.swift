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
    static func life(seed: UInt64, count: Int = 140) -> [TestCommand] {
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
            ("weekZone", .string(["semester", "student"][below(2)])),
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
        let enrollment =
            below(4) > 0
            ? enrollments[enrollments.count - 1] : enrollments[below(enrollments.count)]
        let week = JSON.integer(Int64(1 + below(5)))
        switch below(12) {
        case 0..<5, 11:
            add(
                "recording.submit",
                [
                    ("enrollment", .string(enrollment)),
                    ("recording", .string("R-\(commands.count)")), ("week", week),
                    ("audio", .string("r")), ("seconds", .integer(9)), ("confirmed", .bool(true)),
                ])
            guard below(6) == 0 else { return }
            add("enrollment.withdraw", [("enrollment", .string(enrollment))])
            let next = "E-\(commands.count)"
            enrollments.append(next)
            add(
                "enrollment.open",
                [
                    ("enrollment", .string(next)), ("student", .string("S-1")),
                    ("semester", .string("SEM-1")),
                ])
        case 5, 10:
            add(
                "timezone.choose",
                [
                    ("student", .string("S-1")), ("timeZone", .string(Self.zones[below(3)])),
                    ("source", .string("chosen")),
                ])
        case 6, 9:
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

    /// What the dishonest one has that the honest one has not; nil when there is nothing.
    private func gain(_ commands: [TestCommand], honestly told: [TestCommand]) throws -> String? {
        let journal = try TemporaryJournal.after(commands)
        defer { withExtendedLifetime(journal) {} }
        let engine = try journal.open()
        let facts = try engine.allEvents()
        let submitted = facts.filter { $0.type == "quranflow.recording.submitted" }
        let recordings = submitted.map { String($0.stream.split(separator: "/").last ?? "") }
        let other = try honest(told, recordings: Set(recordings))
        defer { withExtendedLifetime(other) {} }
        let honest = try other.open()
        let accepted = try honest.allEvents().count { $0.type == "quranflow.recording.submitted" }
        if accepted != submitted.count { return "\(submitted.count) recordings for \(accepted)" }
        for fact in facts where fact.type == "quranflow.eoc.unlocked" {
            let id = String(fact.stream.split(separator: "/").last ?? "")
            let weeks = submitted.filter {
                $0.text("enrollment") == id && $0.position < fact.position
            }.map { $0.number("week") }
            if Set(weeks).count < 3 { return "EOC after \(weeks)" }
        }
        guard let now = facts.map(\.at).max() else { return nil }
        let own = try show(engine, "today", "S-1", at: now)
        guard let enrollment = own["enrollment"]?.string, own["phase"]?.string != "withdrawn"
        else { return nil }
        let mine = try show(engine, "submission-check", enrollment, at: now)["attemptsText"]
        let theirs = try show(honest, "submission-check", "E-1", at: now)["attemptsText"]
        if mine != theirs { return "\(mine ?? .null) for \(theirs ?? .null)" }
        func open(_ engine: EventEngine) throws -> [JSON] {
            (try show(engine, "learn", "S-1", at: now, ["view": "all"])["weeks"]?.array ?? [])
                .filter { $0["status"]?.string != "upcoming" }.compactMap { $0["week"] }
        }
        return try open(engine) == open(honest) ? nil : "weeks \(try open(engine))"
    }

    private static let seeds = UInt64(3200)..<3216

    @Test(
        "R5, R16, R17: gets no attempt, no week and no assessment that an honest one would not",
        arguments: seeds)
    func gainsNothing(seed: UInt64) {
        let failure = Law.failure(seed: seed, DishonestStudent.life(seed: seed)) {
            try gain($0, honestly: $0)
        }
        if let failure { Issue.record(Comment(rawValue: failure)) }
    }

    /// The policy of the life, and of the dishonest one alone.
    @Test(arguments: [
        ("submissionsPerPeriod", JSON.integer(9)), ("requiredSubmissions", .integer(1)),
    ])
    func `is found out under a rule that others have not`(policy: String, value: JSON) throws {
        let found = try Self.seeds.contains { seed in
            let commands = DishonestStudent.life(seed: seed)
            let lifted = commands.map { command in
                guard command.command == "quranflow.policy.adopt" else { return command }
                let changes = (command.data["changes"]?.members ?? []).map { ($0.name, $0.value) }
                    .filter { $0.0 != policy }
                return command.with("changes", .object(of: changes + [(policy, value)]))
            }
            return try gain(lifted, honestly: commands) != nil
        }
        #expect(found)
    }

    /// What the lives reach, so that the law has something to look at.
    @Test func `gets far enough to try`() throws {
        var reached: [String: Int] = [:]
        for seed in Self.seeds {
            let journal = try TemporaryJournal.after(DishonestStudent.life(seed: seed))
            defer { withExtendedLifetime(journal) {} }
            for event in try journal.open().allEvents() { reached[event.type, default: 0] += 1 }
        }
        for (type, least) in [
            ("recording.submitted", 60), ("enrollment.withdrawn", 16), ("enrollment.opened", 32),
            ("timezone.chosen", 40), ("video.watched", 16), ("eoc.unlocked", 1),
        ] {
            let times = reached["quranflow.\(type)", default: 0]
            #expect(times >= least, "\(type): \(times)")
        }
    }
}
