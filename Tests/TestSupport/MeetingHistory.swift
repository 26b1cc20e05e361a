package import Core
import ExamRoomEvents

/// What several devices do while they are away from each other, round after round: commands of ExamRoom R40 to
/// R42 and such as create things, each device by a clock of its own that is wrong by minutes.
///
/// What ExamRoom R47 leaves open is left out: nobody changes policies, limits or zones that others depend on,
/// and no thing is deleted on two devices. A live write records only what differs and a merged one all
/// that is given (ExamRoom R40): so no command gives a field its present value beside another, or the journal
/// of its own device would know less of it than the others.
package struct MeetingHistory {
    /// The marker after which all devices meet.
    package static let meet = "meet"

    /// The stage (without a device), then each round: what every device does, then the marker.
    package static func commands(
        seed: UInt64, devices: Int, rounds: Int = 2, each: Int = 24
    ) -> [TestCommand] {
        var history = MeetingHistory(seed: seed)
        history.setStage()
        for round in 0..<rounds {
            for device in 1...devices { history.away("D-\(device)", round: round, count: each) }
            history.commands.append(
                TestCommand("meet-\(round)", meet, at: roundStart(round + 1), by: "system"))
        }
        return history.commands
    }

    package static func roundStart(_ round: Int) -> Instant {
        Instant("2026-02-02T09:00:00Z") + Int64(round * 86_400)
    }

    private var random: SplitMix64
    private var now = Instant("2026-02-02T08:00:00Z")
    private var commands: [TestCommand] = []
    private var device: String?
    private var exams = ["EX-1", "EX-2"]
    private var questions = [
        "EX-1": ["Q-1", "Q-2", "Q-3"], "EX-2": ["Q-1", "Q-2", "Q-3"],
    ]
    private let students = ["S-1", "S-2", "S-3"]
    private var attempts: [(id: String, exam: String, student: String)] = []
    private var deleted: Set<String> = []

    private init(seed: UInt64) { random = SplitMix64(seed: seed) }

    private mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(max(1, bound))) }
    private mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    private mutating func one<E>(of elements: [E]) -> E { elements[below(elements.count)] }

    private mutating func tell(_ command: String, by: String, _ data: [(String, JSON)]) {
        commands.append(
            TestCommand(
                "\(device ?? "base")-\(commands.count)", "examroom.\(command)", at: now, by: by,
                device: device, data))
    }

    private mutating func setStage() {
        for (id, role) in [("A-1", "admin"), ("A-2", "admin")] + students.map({ ($0, "student") }) {
            let credential = JSON.object(of: [
                ("scheme", .string("bcrypt")), ("salt", .string("s")), ("digest", .string("d")),
            ])
            tell(
                "account.register", by: "system",
                [
                    ("account", .string(id)), ("role", .string(role)),
                    ("name", .string("Person \(id)")), ("credential", credential),
                ])
        }
        for exam in exams {
            tell(
                "exam.create", by: "admin:A-1",
                [
                    ("exam", .string(exam)), ("title", .string("Exam \(exam)")),
                    ("durationMinutes", .integer(exam == "EX-1" ? 600 : 30)),
                    ("maxAttempts", exam == "EX-1" ? .integer(2) : .null),
                    ("feedback", .string(exam == "EX-1" ? "after" : "instant")),
                    ("shuffleQuestions", .bool(exam == "EX-1")),
                ])
            for question in questions[exam] ?? [] { add(question, to: exam) }
            tell("exam.publish", by: "admin:A-1", [("exam", .string(exam))])
        }
        now = now + 1800
        for student in students { start("EX-1", student) }
        commands.append(
            TestCommand("stage", "clock.advance", at: now + 60, by: "system"))
    }

    private mutating func away(_ name: String, round: Int, count: Int) {
        device = name
        now = Self.roundStart(round) + Int64(900 + below(600) - 300)
        for _ in 0..<count {
            now = now + Int64(chance(15) ? 0 : below(240))
            step()
        }
        device = nil
    }

    private mutating func step() {
        switch below(100) {
        case 0..<10: account()
        case 10..<14: policy()
        case 14..<22: details()
        case 22..<36: question()
        case 36..<42: life()
        case 42..<56: seat()
        case 56..<66: start(one(of: exams), one(of: students))
        case 66..<92: answer()
        default: submit()
        }
    }

    /// A number that was in no command before.
    private var fresh: Int { commands.count }

    private mutating func admin() -> String { one(of: ["admin:A-1", "admin:A-2"]) }

    private mutating func account() {
        if chance(50) {
            var data: [(String, JSON)] = [("account", .string(one(of: students + ["A-1"])))]
            if chance(70) { data.append(("name", .string("Name \(fresh)"))) }
            if chance(50) || data.count == 1 {
                data.append(("email", .string("\(fresh)@example.org")))
            }
            tell("profile.revise", by: admin(), data)
        } else {
            let all: [(String, JSON)] = [
                ("theme", .string(one(of: ["light", "dark"]))),
                ("leaderboard", .string(one(of: ["shown", "hidden"]))),
                ("notifications", .bool(chance(50))),
            ]
            let (owner, by) = one(of: [("S-1", "student:S-1"), ("A-1", "admin:A-1")])
            tell(
                "preference.choose", by: by,
                [("account", .string(owner)), ("changes", .object(of: [one(of: all)]))])
        }
    }

    private mutating func policy() {
        let all: [(String, JSON)] = [
            ("coldDataDays", .integer(Int64(1 + below(9)))),
            ("retryBaseSeconds", .integer(Int64(1 + below(9)))),
            ("defaultTheme", .string(one(of: ["light", "dark"]))),
        ]
        tell(
            "policy.adopt", by: admin(),
            [("changes", .object(of: [one(of: all), ("bytesPerCommand", .integer(500))]))])
    }

    private mutating func details() {
        let exam = one(of: exams)
        if chance(15), let device {
            let id = "EX-\(device)-\(commands.count)"
            tell("exam.create", by: admin(), [("exam", .string(id)), ("title", .string("New"))])
            exams.append(id)
            questions[id] = []
            return
        }
        var changes: [(String, JSON)] = [("title", .string("Title \(fresh)"))]
        if chance(40) { changes.append(("durationMinutes", .integer(Int64(20 + fresh)))) }
        if chance(40) { changes.append(("description", .string("About \(fresh)"))) }
        if chance(40) {
            let single: [(String, JSON)] = [
                ("shuffleOptions", .bool(chance(50))),
                ("feedback", .string(one(of: ["instant", "after"]))),
                ("passPercent", .integer(Int64(below(101)))),
            ]
            changes = [one(of: single)]
        }
        tell(
            "exam.revise", by: admin(),
            [("exam", .string(exam)), ("changes", .object(of: changes))])
    }

    private mutating func content() -> [(String, JSON)] {
        let right = below(3)
        let options = JSON.array(
            ["a", "b", "c"].enumerated().map { index, option in
                .object(of: [
                    ("option", .string(option)), ("text", .string("Text \(option)")),
                    ("correct", .bool(index == right || index == 2 && right == 0)),
                ])
            })
        return [("prompt", .string("Prompt \(below(9))?")), ("options", options)]
    }

    private mutating func add(_ question: String, to exam: String) {
        tell(
            "question.add", by: "admin:A-1",
            [
                ("exam", .string(exam)), ("question", .string(question)),
                ("points", .integer(Int64(1 + below(3)))),
            ] + content())
    }

    private mutating func question() {
        let exam = one(of: exams)
        let known = questions[exam] ?? []
        if chance(20) || known.isEmpty {
            let id = "Q-\(device ?? "")-\(commands.count)"
            questions[exam, default: []].append(id)
            return add(id, to: exam)
        }
        let question = one(of: known)
        let place: [(String, JSON)] = [("exam", .string(exam)), ("question", .string(question))]
        switch below(10) {
        case 0..<5:
            let changes = chance(50) ? content() : [("points", .integer(Int64(1 + below(3))))]
            tell("question.revise", by: admin(), place + [("changes", .object(of: changes))])
        case 5, 6:
            let digit = one(of: ["a", "b", "c"])
            tell(
                "image.attach", by: admin(),
                place + [
                    ("hash", .string(String(repeating: digit, count: 64))),
                    ("format", .string("png")), ("bytes", .integer(100)),
                ])
        case 7: tell("image.detach", by: admin(), place)
        default:
            guard deleted.insert("\(exam)#\(question)").inserted else { return }
            tell("question.remove", by: admin(), place)
        }
    }

    private mutating func life() {
        let exam = one(of: exams)
        let data: [(String, JSON)] = [("exam", .string(exam))]
        switch below(10) {
        case 0..<2: tell("exam.withdraw", by: admin(), data)
        case 2..<5: tell("exam.publish", by: admin(), data)
        case 5..<7: tell("results.publish", by: admin(), data)
        case 7: tell("results.withhold", by: admin(), data)
        default:
            guard exam != "EX-1", deleted.insert(exam).inserted else { return }
            tell("exam.delete", by: admin(), data)
        }
    }

    private mutating func seat() {
        let exam = one(of: exams)
        let student = one(of: students)
        let place: [(String, JSON)] = [("exam", .string(exam)), ("student", .string(student))]
        let value = Int64(one(of: [15, 30, 45]))
        let offer: [(String, JSON)] = [("kind", .string("minutes")), ("value", .integer(value))]
        switch below(10) {
        case 0..<2: tell("student.block", by: admin(), place)
        case 2..<4: tell("student.unblock", by: admin(), place)
        case 4..<6: tell("extension.grant", by: admin(), place + offer)
        case 6..<7: tell("extension.modify", by: admin(), place + offer)
        case 7: tell("extension.revoke", by: admin(), place)
        default:
            tell(
                "accommodation.request", by: "student:\(student)",
                [("request", .string("RQ-\(commands.count)"))] + place + offer
                    + [("justification", .string("I need it"))])
        }
    }

    private mutating func start(_ exam: String, _ student: String) {
        let id = "AT-\(device ?? "base")-\(commands.count)"
        tell(
            "attempt.start", by: "student:\(student)",
            [
                ("attempt", .string(id)), ("exam", .string(exam)), ("student", .string(student)),
            ])
        attempts.append((id, exam, student))
    }

    private mutating func answer() {
        let recent = chance(50) ? Array(attempts.prefix(3)) : Array(attempts.suffix(4))
        let attempt = one(of: recent)
        guard let known = questions[attempt.exam], !known.isEmpty else { return submit() }
        let question = one(of: known)
        let by = "student:\(attempt.student)"
        let place: [(String, JSON)] = [
            ("attempt", .string(attempt.id)), ("question", .string(question)),
        ]
        if chance(15) {
            return tell("time.log", by: by, place + [("seconds", .integer(Int64(1 + below(50))))])
        }
        let chosen = one(of: [["a"], ["b"], ["c"], ["a", "c"], []])
        tell(
            "answer.save", by: by,
            place + [
                ("chosen", .array(chosen.map { .string($0) })),
                ("seconds", .integer(Int64(below(50)))),
            ])
    }

    private mutating func submit() {
        let attempt = one(of: chance(50) ? Array(attempts.prefix(3)) : Array(attempts.suffix(4)))
        tell(
            "attempt.submit", by: "student:\(attempt.student)",
            [("attempt", .string(attempt.id))])
    }
}
