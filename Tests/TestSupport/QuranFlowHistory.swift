import Core
import QuranFlowEvents

/// A seeded random life of a QuranFlow programme: a semester of six weeks and another after it, three
/// students in three zones, and everything that may happen to them, told in order or late.
///
/// What it asks for makes sense often enough; whether it does is the engine's to say.
package struct QuranFlowHistory {
    package static func commands(seed: UInt64, count: Int = 240) -> [TestCommand] {
        var history = QuranFlowHistory(seed: seed)
        history.setStage()
        while history.commands.count < count + history.staged { history.step() }
        return history.commands
    }

    package static let students = ["S-1", "S-2", "S-3"]
    private static let zones = ["America/New_York", "Asia/Dubai", "Australia/Lord_Howe"]
    private static let weeks = 6

    private var random: SplitMix64
    private var now = Instant("2026-02-20T08:00:00Z")
    private var commands: [TestCommand] = []
    private var staged = 0
    private var lastNumber = 0
    private var recordings: [(id: String, student: String)] = []
    private var sessions: [(id: String, start: Instant)] = []
    private var slots: [String] = []
    private var enrollments: [String: String] = [:]

    private init(seed: UInt64) { random = SplitMix64(seed: seed) }

    // MARK: Chances

    private mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(max(1, bound))) }

    private mutating func pick<E>(_ elements: [E]) -> E? {
        elements.isEmpty ? nil : elements[below(elements.count)]
    }

    private mutating func id(_ prefix: String) -> String {
        lastNumber += 1
        return "\(prefix)-\(lastNumber)"
    }

    private mutating func add(_ by: String, _ command: String, _ data: [(String, JSON)]) {
        lastNumber += 1
        // One in ten is told late.
        let late = below(10) == 0 ? Int64(below(7200)) : 0
        let name = ["clock", "account"].contains { command.hasPrefix($0) } ? "" : "quranflow."
        commands.append(
            TestCommand("q-\(lastNumber)", name + command, at: now - late, by: by, data))
    }

    // MARK: The stage

    private mutating func setStage() {
        let periods = ["programme-week", "rolling"]
        let changes: [(String, JSON)] = [
            ("weeksPerSemester", .integer(Int64(Self.weeks))), ("eocOpensWeek", .integer(5)),
            ("requiredSubmissions", .integer(Int64(below(4)))),
            ("submissionsPerPeriod", .integer(Int64(1 + below(3)))),
            ("submissionPeriod", .string(periods[below(2)])),
            ("weekZone", .string(["semester", "student"][below(2)])),
            ("submissionCountsWhen", .string(["submitted", "feedback-given"][below(2)])),
            ("sessionNoticesTo", .string(["going", "eligible"][below(2)])),
            ("coachTeamEmail", below(2) == 0 ? .null : .string("c@example.org")),
        ]
        add("admin:A-1", "policy.adopt", [("changes", .object(of: changes))])
        for (coach, gender) in [("C-1", "female"), ("C-2", "male"), ("C-3", "female")] {
            add(
                "admin:A-1", "coach.register",
                [
                    ("coach", .string(coach)), ("name", .string("Coach \(coach)")),
                    ("gender", .string(gender)),
                ])
        }
        for (semester, date) in [("SEM-1", "2026-02-28"), ("SEM-2", "2026-04-25")] {
            add(
                "admin:A-1", "semester.schedule",
                [
                    ("semester", .string(semester)), ("name", .string(semester)),
                    ("startsOn", .string(date)), ("timeZone", .string(Self.zones[below(3)])),
                ])
        }
        for level in 1...4 {
            add(
                "admin:A-1", "eoc.define",
                [
                    ("level", .integer(Int64(level))), ("description", .string("d")),
                    ("passage", Self.passage),
                ])
            for week in 1...Self.weeks where below(8) > 0 { publish(level: level, week: week) }
        }
        for (place, student) in Self.students.enumerated() { enter(student, place) }
        staged = commands.count
    }

    private static let passage = JSON.object(of: [
        ("surah", .string("Al-Mulk")), ("from", .integer(1)), ("to", .integer(2)),
        ("text", .string("...")),
    ])

    private mutating func publish(level: Int, week: Int) {
        let videos = ["a", "b"].map { part in
            JSON.object(of: [
                ("video", .string("V\(level)-\(week)\(part)")), ("title", .string("T")),
                ("seconds", .integer(100)),
            ])
        }
        add(
            "admin:A-1", "lesson.publish",
            [
                ("level", .integer(Int64(level))), ("week", .integer(Int64(week))),
                ("topic", .string("T\(week)")), ("objectives", .array([])),
                ("videos", .array(videos)),
                ("passage", Self.passage),
            ])
    }

    private mutating func enter(_ student: String, _ place: Int) {
        let gender = place == 1 ? "male" : "female"
        add(
            "service:x", "student.register",
            [
                ("student", .string(student)), ("name", .string("Name \(student)")),
                ("email", .string("e")), ("gender", .string(gender)),
                ("timeZone", .string(Self.zones[place])),
            ])
        add(
            "student:\(student)", "assessment.submit",
            [
                ("student", .string(student)), ("audio", .string("a")), ("seconds", .integer(9)),
            ])
        enrollments[student] = "E-\(student)"
        add(
            "admin:A-1", "student.place",
            [
                ("student", .string(student)), ("level", .integer(Int64(3 + below(2)))),
                ("coach", .string(place == 1 ? "C-2" : "C-1")),
                ("enrollment", .string("E-\(student)")), ("semester", .string("SEM-1")),
            ])
        guard below(6) > 0 else { return }
        for step in 1...5 {
            if step == 3 {
                add(
                    "student:\(student)", "font.choose",
                    [
                        ("student", .string(student)), ("font", .string("amiri-quran")),
                    ])
            } else {
                add(
                    "student:\(student)", "onboarding.take-step",
                    [
                        ("student", .string(student)), ("step", .integer(Int64(step))),
                    ])
            }
        }
    }

    // MARK: What happens

    private mutating func step() {
        now = now + Int64(below(below(4) == 0 ? 400_000 : 40_000))
        let student = Self.students[below(3)]
        let actor = "student:\(student)"
        let enrollment = enrollments[student] ?? "E-1"
        switch below(22) {
        case 0, 1, 2, 3: record(student, enrollment)
        case 4, 5: learn(student, enrollment)
        case 6, 7, 8: answer()
        case 9, 10: review()
        case 11: meet(actor, student)
        case 12: schedule()
        case 13, 14: endCourse(actor, enrollment)
        case 15: add("system", "clock.advance", [])
        case 16: enrol(actor, student)
        case 17: settle(actor, student)
        case 18: appoint(actor, student)
        case 19:
            add(
                actor, "message.send",
                [
                    ("student", .string(student)), ("message", .string(id("M"))),
                    ("text", .string("?")),
                ])
        case 20: administer(enrollment)
        default:
            add(
                actor, "timezone.choose",
                [
                    ("student", .string(student)), ("timeZone", .string(Self.zones[below(3)])),
                    ("source", .string("chosen")),
                ])
        }
    }

    private mutating func record(_ student: String, _ enrollment: String) {
        let recording = id("R")
        recordings.append((recording, student))
        add(
            "student:\(student)", "recording.submit",
            [
                ("enrollment", .string(enrollment)), ("recording", .string(recording)),
                ("week", .integer(Int64(1 + below(Self.weeks)))), ("audio", .string("r")),
                ("seconds", .integer(9)), ("confirmed", .bool(true)),
            ])
    }

    private mutating func learn(_ student: String, _ enrollment: String) {
        let week = 1 + below(Self.weeks)
        for level in [3, 4] {
            for part in ["a", "b"] {
                add(
                    "student:\(student)", "video.watch",
                    [
                        ("student", .string(student)),
                        ("video", .string("V\(level)-\(week)\(part)")),
                        ("position", .integer(Int64(below(3) == 0 ? below(100) : 100))),
                    ])
            }
        }
        add(
            "student:\(student)", "lesson.complete",
            [
                ("enrollment", .string(enrollment)), ("week", .integer(Int64(week))),
            ])
        guard below(4) == 0 else { return }
        add(
            "student:\(student)", "lesson.reopen",
            [
                ("enrollment", .string(enrollment)), ("week", .integer(Int64(week))),
            ])
    }

    private mutating func answer() {
        guard let recording = pick(Array(recordings.suffix(8))) else { return }
        add(
            "admin:A-1", "feedback.give",
            [
                ("recording", .string(recording.id)), ("audio", .string("f")),
                ("seconds", .integer(9)),
            ])
    }

    private mutating func review() {
        guard let recording = pick(Array(recordings.suffix(8))) else { return }
        add(
            "student:\(recording.student)", "feedback.review",
            [("recording", .string(recording.id))])
        let by = below(2) == 0 ? "system" : "student:\(recording.student)"
        add(
            by, "comment.post",
            [
                ("recording", .string(recording.id)), ("comment", .string(id("CM"))),
                ("text", .string("?")),
            ])
    }

    private mutating func schedule() {
        let session = id("SS")
        let start = now + Int64(1 + below(150_000))
        sessions.append((session, start))
        add(
            "admin:A-1", "session.schedule",
            [
                ("session", .string(session)), ("kind", .string("office-hours")),
                ("title", .string("T")), ("startsAt", .string("\(start)")),
                ("minutes", .integer(60)), ("joinUrl", .string("u")), ("gender", .string("all")),
                ("coach", .string("C-1")),
            ])
    }

    private mutating func meet(_ actor: String, _ student: String) {
        guard let session = sessions.last else { return schedule() }
        let data: [(String, JSON)] = [
            ("session", .string(session.id)), ("student", .string(student)),
        ]
        add(actor, "rsvp.make", data)
        switch below(4) {
        case 0: add(actor, "rsvp.withdraw", data)
        case 1:
            let start = now + Int64(1 + below(90_000))
            sessions[sessions.count - 1].start = start
            add(
                "admin:A-1", "session.move",
                [("session", .string(session.id)), ("startsAt", .string("\(start)"))])
        default:
            now = max(now, session.start)
            add(actor, "session.join", data)
        }
    }

    private mutating func endCourse(_ actor: String, _ enrollment: String) {
        let ofEnrollment: (String, JSON) = ("enrollment", .string(enrollment))
        add(
            actor, "eoc.submit",
            [
                ofEnrollment, ("audio", .string("e")), ("seconds", .integer(9)),
                ("confirmed", .bool(true)),
            ])
        if below(3) == 0 { return }
        now = now + Int64(below(300_000))
        add(
            "admin:A-1", "eoc.evaluate",
            [
                ofEnrollment, ("passed", .bool(below(3) > 0)), ("audio", .string("r")),
                ("seconds", .integer(9)),
            ])
        if below(2) == 0 { add(actor, "eoc.review-results", [ofEnrollment]) }
    }

    private mutating func enrol(_ actor: String, _ student: String) {
        guard now > Instant("2026-04-04T00:00:00Z") else { return }
        if below(2) == 0 {
            add(actor, "advanced.enroll", [("student", .string(student))])
            return appoint(actor, student)
        }
        let next = id("E")
        add(
            actor, "enrollment.open",
            [
                ("enrollment", .string(next)), ("student", .string(student)),
                ("semester", .string("SEM-2")),
            ])
        if below(2) == 0 { enrollments[student] = next }
    }

    private mutating func settle(_ actor: String, _ student: String) {
        add(
            actor, "notifications.choose",
            [
                ("student", .string(student)), ("push", .bool(below(2) == 0)),
                ("deadlines", .bool(below(3) > 0)), ("sessions", .bool(below(3) > 0)),
            ])
        if below(12) == 0 {
            add("system", "account.erase", [("subject", .string("quranflow/S-3"))])
        }
    }

    private mutating func appoint(_ actor: String, _ student: String) {
        for _ in 0..<2 {
            let slot = id("SL")
            slots.append(slot)
            add(
                "admin:A-1", "slot.offer",
                [
                    ("slot", .string(slot)),
                    ("coach", .string(student == "S-2" ? "C-2" : ["C-1", "C-3"][below(2)])),
                    ("startsAt", .string("\(now + Int64(10_000 + below(300_000)))")),
                    ("minutes", .integer(30)), ("joinUrl", .string("u")),
                ])
        }
        let appointment = id("AP")
        for (command, slot) in zip(["book", "reschedule"], slots.suffix(2)) {
            var data: [(String, JSON)] = [
                ("appointment", .string(appointment)), ("slot", .string(slot)),
            ]
            if command == "book" { data.append(("student", .string(student))) }
            add("admin:A-1", "appointment.\(command)", data)
        }
        if below(3) == 0 {
            add(actor, "appointment.cancel", [("appointment", .string(appointment))])
        }
    }

    private mutating func administer(_ enrollment: String) {
        switch below(5) {
        case 0:
            add(
                "admin:A-1", "announcement.post",
                [
                    ("announcement", .string(id("AN"))), ("title", .string("T")),
                    ("text", .string("t")),
                ])
        case 1: add("admin:A-1", "enrollment.withdraw", [("enrollment", .string(enrollment))])
        case 2: publish(level: 3 + below(2), week: 1 + below(Self.weeks))
        default:
            add(
                "admin:A-1", "coach.assign",
                [
                    ("enrollment", .string(enrollment)),
                    ("coach", .string(["C-1", "C-2", "C-3"][below(3)])),
                ])
        }
    }
}
