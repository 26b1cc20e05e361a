import Core
import ExamRoomEvents

/// A seeded random life of an ExamRoom: mostly valid commands, some that must be refused, some told
/// late, some told twice.
///
/// It keeps a rough picture of its own, so that most of what it asks for makes sense; whether it
/// does is the engine's to say.
package struct ExamRoomHistory {
    /// About so many commands, after the few that set the stage.
    package static func commands(seed: UInt64, count: Int = 110) -> [TestCommand] {
        var history = ExamRoomHistory(seed: seed)
        history.setStage()
        while history.commands.count < count { history.step() }
        return history.commands
    }

    struct Exam {
        let id: String
        var questions: [Question] = []
        var lastID = 0
        var isPublished = false
        /// The minutes that were last told.
        var minutes: Int
    }

    struct Question {
        let id: String
        let options: [String]
        let correct: Set<String>
    }

    struct Attempt {
        let id: String
        let exam: String
        let student: String
        let questions: [Question]
        /// If it was started at all: when its time is up, without extra time.
        let end: Instant
    }

    var random: SplitMix64
    var now = Instant("2026-02-02T08:00:00Z")
    var commands: [TestCommand] = []
    var admins: [String] = []
    var students: [String] = []
    var digests: [String: String] = [:]
    var exams: [Exam] = []
    var attempts: [Attempt] = []
    var sessions: [(id: String, owner: String)] = []
    var requests: [String] = []
    var extended: [(exam: String, student: String)] = []
    var blocked: [(exam: String, student: String)] = []
    var images: [(exam: String, question: String)] = []
    var migration: Migration?
    var lastNumber = 0

    private init(seed: UInt64) { random = SplitMix64(seed: seed) }

    // MARK: Chances

    mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(max(1, bound))) }
    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    mutating func one<E>(of elements: [E]) -> E? {
        elements.isEmpty ? nil : elements[below(elements.count)]
    }

    mutating func number() -> Int {
        lastNumber += 1
        return lastNumber
    }

    // MARK: Telling

    mutating func tell(
        _ command: String, by: String, device: String? = nil, at: Instant? = nil,
        _ data: [(String, JSON)] = []
    ) {
        commands.append(
            TestCommand(
                "c-\(commands.count + 1)", command, at: at ?? now, by: by, device: device, data))
    }

    mutating func admin() -> String {
        one(of: admins).map { "admin:\($0)" } ?? "system"
    }

    mutating func device(of person: String) -> String? {
        chance(60) ? "D-\(person)" : nil
    }

    func credential(_ digest: String) -> JSON {
        .object(of: [
            ("scheme", .string("bcrypt")), ("salt", .string("salt")), ("digest", .string(digest)),
        ])
    }

    mutating func passTime() {
        switch below(20) {
        case 0..<4: break
        case 4..<14: now = now + Int64(1 + below(240))
        case 14..<18: now = (now + Int64(below(7200))).adding(milliseconds: Int64(below(1000)))
        case 18: now = now + Int64(86_400 + below(90_000))
        default: now = max(now, attempts.last?.end ?? now)  // the very instant
        }
    }

    // MARK: The stage

    mutating func setStage() {
        register("A-1", "admin", by: "system")
        for index in 1...3 { register("S-\(index)", "student", by: "admin:A-1") }
        for _ in 1...2 {
            createExam()
            for _ in 0..<2 { addQuestion(to: exams.count - 1) }
            publish(exams.count - 1)
        }
    }

    // MARK: One step

    mutating func step() {
        passTime()
        if chance(1) { silence() }
        let before = commands.count
        switch below(108) {
        case 100...: deviceWork()
        case 0..<18: startAttempt()
        case 18..<43: work()
        case 43..<46: library()
        case 46..<54: submitAttempt()
        case 54..<60: editExam()
        case 60..<66: seat()
        case 66..<71: accommodation()
        case 71..<75: grade()
        case 75..<78: results()
        case 78..<83: session()
        case 83..<86: policy()
        case 86..<89: person()
        case 89..<92: tell("clock.advance", by: chance(80) ? "system" : "student:S-1")
        case 92..<94: farewell()
        case 94..<96: again()
        default: nonsense()
        }
        // Told late: an instant that lies behind others.
        if chance(6), commands.count == before + 1, let last = commands.indices.last {
            commands[last].at = now - Int64(below(chance(80) ? 7200 : 500 * 86_400))
        }
    }

    /// The same line again, or its id with other content.
    mutating func again() {
        guard var command = one(of: commands) else { return }
        if chance(40) {
            command.data = .object(of: [("exam", .string("EX-1")), ("title", .string("Other"))])
            command.command = "examroom.exam.create"
        }
        commands.append(command)
    }

    mutating func nonsense() {
        switch below(6) {
        case 0: tell("examroom.exam.invent", by: "system")
        case 1: tell("examroom.exam.publish", by: admin(), [("exam", .integer(1))])
        case 2: tell("examroom.exam.publish", by: "coach:C-1", [("exam", .string("EX-1"))])
        case 3:
            tell("examroom.attempt.submit", by: "student:S-1", [("attempt", .string("AT-none"))])
        case 4:
            tell(
                "examroom.attempt.start", by: "student:S-404",
                [
                    ("attempt", .string("AT-\(number())")), ("exam", .string("EX-404")),
                    ("student", .string("S-404")),
                ])
        default: tell("examroom.exam.publish", by: "nobody", [("exam", .string("EX-1"))])
        }
    }
}
