import Core

/// What a journal and several devices do that part from it one after the other, each with what it
/// has seen until then: attempts, publications, blocks and windows (ExamRoom R42 to R44, R53, R54).
///
/// What ExamRoom R47 leaves open is left out: nobody changes a policy or a limit, and nothing is
/// deleted.
package struct PartedHistory {
    /// The marker at which its device parts: it has seen what stands before.
    package static let part = "part"

    /// The journal's own commands (without a device) with the markers among them, then those of each
    /// device.
    package static func commands(seed: UInt64, devices: Int) -> [TestCommand] {
        var history = PartedHistory(seed: seed)
        history.setStage()
        var here = (1...devices).map { "D-\($0)" }
        for _ in 0..<(2 + history.below(6)) {
            history.step([.start, .start, .answer, .submit, .publish])
            if history.chance(35), let device = here.popLast() { history.part(device) }
        }
        for device in here { history.part(device) }
        for device in 1...devices { history.away("D-\(device)") }
        return history.commands
    }

    private enum Kind { case start, answer, submit, publish, withhold, block, unblock, window }

    private struct Sitting {
        let id: String
        let exam: String
        let student: String
    }

    private var random: SplitMix64
    private var now = Instant("2026-02-02T08:00:00Z")
    private var commands: [TestCommand] = []
    private var device: String?
    private var attempts: [Sitting] = []
    /// The attempts that each device had seen begin.
    private var known: [String: [Sitting]] = [:]
    private let exams = ["EX-1", "EX-2"]

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
        for (id, role) in [("A-1", "admin"), ("S-1", "student"), ("S-2", "student")] {
            let credential = JSON.object(of: [
                ("scheme", .string("bcrypt")), ("salt", .string("s")), ("digest", .string("d")),
            ])
            tell(
                "account.register", by: "system",
                [
                    ("account", .string(id)), ("role", .string(role)), ("name", .string(id)),
                    ("credential", credential),
                ])
        }
        for exam in exams {
            tell(
                "exam.create", by: "admin:A-1",
                [
                    ("exam", .string(exam)), ("title", .string(exam)),
                    ("durationMinutes", .integer(exam == "EX-1" ? 60 : 600)),
                    ("maxAttempts", exam == "EX-1" ? .integer(2) : .null),
                    ("feedback", .string(exam == "EX-1" ? "after" : "instant")),
                ])
            for question in ["Q-1", "Q-2"] {
                let options = ["a", "b"].map { option in
                    JSON.object(of: [
                        ("option", .string(option)), ("text", .string(option)),
                        ("correct", .bool(option == "a")),
                    ])
                }
                tell(
                    "question.add", by: "admin:A-1",
                    [
                        ("exam", .string(exam)), ("question", .string(question)),
                        ("prompt", .string("?")), ("options", .array(options)),
                    ])
            }
            tell("exam.publish", by: "admin:A-1", [("exam", .string(exam))])
        }
    }

    private mutating func part(_ device: String) {
        known[device] = attempts
        commands.append(
            TestCommand("part-\(device)", Self.part, at: now, by: "system", device: device))
    }

    /// A device sits exams, or administers them, or does both.
    private mutating func away(_ name: String) {
        device = name
        now = Instant("2026-02-02T08:10:00Z") + Int64(60 * below(60))
        let sits: [Kind] = [.start, .start, .answer, .answer, .submit]
        let administers: [Kind] = [
            .publish, .publish, .publish, .withhold, .block, .unblock, .window,
        ]
        let kinds = one(of: [sits, sits, administers, administers, sits + administers])
        for _ in 0..<(1 + below(5)) { step(kinds) }
        device = nil
    }

    private mutating func step(_ kinds: [Kind]) {
        now = now + Int64(60 * below(10))
        let exam = one(of: exams)
        let student = one(of: ["S-1", "S-1", "S-1", "S-2"])
        let place: [(String, JSON)] = [("exam", .string(exam)), ("student", .string(student))]
        switch one(of: kinds) {
        case .start:
            let id = "AT-\(device ?? "base")-\(commands.count)"
            tell("attempt.start", by: "student:\(student)", [("attempt", .string(id))] + place)
            let own = Sitting(id: id, exam: exam, student: student)
            if let device {
                known[device, default: []].append(own)
            } else {
                attempts.append(own)
            }
        case .answer:
            guard let (attempt, by) = sitting() else { return }
            let chosen = one(of: [["a"], ["b"], []]).map { JSON.string($0) }
            let question = one(of: ["Q-1", "Q-2"])
            tell(
                "answer.save", by: by,
                attempt + [("question", .string(question)), ("chosen", .array(chosen))])
        case .submit:
            guard let (attempt, by) = sitting() else { return }
            tell("attempt.submit", by: by, attempt)
        case .publish: tell("results.publish", by: "admin:A-1", [place[0]])
        case .withhold: tell("results.withhold", by: "admin:A-1", [place[0]])
        case .block: tell("student.block", by: "admin:A-1", place)
        case .unblock: tell("student.unblock", by: "admin:A-1", place)
        case .window:
            let closing = Instant("2026-02-02T08:30:00Z") + Int64(60 * below(60))
            let window = JSON.object(of: [
                ("opensAt", .null), ("closesAt", .string("\(closing)")),
            ])
            tell(
                "exam.revise", by: "admin:A-1",
                [place[0], ("changes", .object(of: [("window", window)]))])
        }
    }

    /// One of the attempts that are known where this is, and who sits it.
    private mutating func sitting() -> (data: [(String, JSON)], by: String)? {
        let all = device.map { known[$0] ?? [] } ?? attempts
        guard !all.isEmpty else { return nil }
        let sitting = one(of: all)
        return ([("attempt", .string(sitting.id))], "student:\(sitting.student)")
    }
}
