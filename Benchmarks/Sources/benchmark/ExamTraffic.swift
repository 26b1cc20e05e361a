import Core

/// Command lines of a busy exam hall: students open papers, answer, log time, hand in; some never do.
///
/// The same seed gives the same lines. One sitting in forty is a long one of about 100 events.
struct ExamTraffic {
    private let prefix: String
    private let students: Int
    private let exams: Int
    private var chance: Chance
    private var desks: [Desk]
    private var turn = 0
    private var sent = 0
    private var nextStudent = 0
    private var nextAttempt = 0
    /// Milliseconds since 1970; nil leaves the instant to the engine.
    private var now: Int64?
    /// What happens beside the sittings; nil for sittings alone.
    private var sidelines: Sidelines?
    private var lastSubmitted: Int?

    private struct Desk {
        var student = 0
        var exam = 0
        var attempt = 0
        var answersLeft = 0
        var isSitting = false
        var leaves = false
    }

    private static let questions = 20

    init(
        prefix: String, students: Int, exams: Int, desks: Int, seed: UInt64, hasClock: Bool,
        isMixed: Bool = false
    ) {
        self.prefix = prefix
        self.students = students
        self.exams = exams
        self.desks = Array(repeating: Desk(), count: desks)
        chance = Chance(seed: seed)
        now = hasClock ? 1_767_600_000_000 : nil
        sidelines = isMixed ? Sidelines() : nil
    }

    /// The instant of the next line, in milliseconds since 1970; 0 without a clock.
    var instant: Int64 { now ?? 0 }

    /// Everyone goes home, and the next line comes at this instant.
    mutating func reopen(at instant: Int64) {
        desks = Array(repeating: Desk(), count: desks.count)
        now = instant
    }

    private mutating func random(_ bound: Int) -> Int { chance.below(bound) }

    private mutating func line(_ command: String, by: String, _ data: String) -> [UInt8] {
        sent += 1
        var at = ""
        if let now {
            self.now = now + 400
            var writer = JSONWriter()
            writer.instant(Instant(milliseconds: now))
            at = ",\"at\":" + String(decoding: writer.bytes, as: UTF8.self)
        }
        return Array(
            "{\"id\":\"\(prefix)-\(sent)\",\"command\":\"examroom.\(command)\"\(at),\"by\":\"\(by)\",\"data\":{\(data)}}"
                .utf8)
    }

    /// Accounts, exams with their questions, all published.
    mutating func preparation() -> [[UInt8]] {
        let admin = "admin:\(prefix)-A"
        var lines = [
            line(
                "account.register", by: "system",
                "\"account\":\"\(prefix)-A\",\"role\":\"admin\",\"name\":\"Mona Saleh\",\(credential(0))"
            )
        ]
        for student in 0..<students {
            lines.append(
                line(
                    "account.register", by: admin,
                    "\"account\":\"\(prefix)-S\(student)\",\"role\":\"student\",\"name\":\"Student \(student)\","
                        + "\"email\":\"s\(student)@example.org\",\(credential(student))"))
        }
        for exam in 0..<exams {
            lines.append(
                line(
                    "exam.create", by: admin,
                    "\"exam\":\"\(prefix)-E\(exam)\",\"title\":\"Exam \(exam) of the term\","
                        + "\"durationMinutes\":60,\"maxAttempts\":null"))
            for question in 0..<Self.questions {
                lines.append(line("question.add", by: admin, questionData(exam, question)))
            }
            lines.append(line("exam.publish", by: admin, "\"exam\":\"\(prefix)-E\(exam)\""))
        }
        return lines
    }

    private func credential(_ number: Int) -> String {
        "\"credential\":{\"scheme\":\"argon2id\",\"salt\":\"c2FsdA\(number)\",\"digest\":\"made-by-the-caller-\(number)\"}"
    }

    private func questionData(_ exam: Int, _ question: Int) -> String {
        let options = (0..<4).map {
            "{\"option\":\"\(Self.letters[$0])\",\"text\":\"Answer \($0) of \(question)\",\"correct\":\($0 == question % 4)}"
        }
        return "\"exam\":\"\(prefix)-E\(exam)\",\"question\":\"\(prefix)-E\(exam)-Q\(question)\","
            + "\"prompt\":\"What is the answer to question \(question)?\",\"options\":["
            + options.joined(separator: ",") + "]"
    }

    private static let letters = ["a", "b", "c", "d"]

    /// The next command of whichever desk has its turn.
    mutating func next() -> [UInt8] {
        if sidelines != nil, random(8) == 0 { return sideline() }
        turn = (turn + 1) % desks.count
        var desk = desks[turn]
        defer { desks[turn] = desk }
        if !desk.isSitting {
            desk.student = nextStudent
            nextStudent = (nextStudent + 1) % students
            // Another exam each time: who left one open comes back to it after its end.
            desk.exam = (desk.student + nextAttempt / students) % exams
            desk.attempt = nextAttempt
            nextAttempt += 1
            desk.answersLeft = random(40) == 0 ? 98 : 6 + random(8)
            desk.leaves = now != nil && random(50) == 0
            desk.isSitting = true
            return line(
                "attempt.start", by: "student:\(prefix)-S\(desk.student)",
                "\"attempt\":\"\(prefix)-T\(desk.attempt)\",\"exam\":\"\(prefix)-E\(desk.exam)\","
                    + "\"student\":\"\(prefix)-S\(desk.student)\"")
        }
        let by = "student:\(prefix)-S\(desk.student)"
        let attempt = "\"attempt\":\"\(prefix)-T\(desk.attempt)\""
        guard desk.answersLeft > 0 else {
            desk.isSitting = false
            lastSubmitted = desk.attempt
            return line("attempt.submit", by: by, attempt)
        }
        desk.answersLeft -= 1
        if desk.leaves && desk.answersLeft == 0 { desk.isSitting = false }
        let question = random(Self.questions)
        let asked = "\"question\":\"\(prefix)-E\(desk.exam)-Q\(question)\""
        if random(10) == 0 {
            return line("time.log", by: by, "\(attempt),\(asked),\"seconds\":\(1 + random(60))")
        }
        // About two answers in three are right.
        let chosen = Self.letters[random(3) < 2 ? question % 4 : random(4)]
        return line(
            "answer.save", by: by,
            "\(attempt),\(asked),\"chosen\":[\"\(chosen)\"],\"seconds\":\(1 + random(90))")
    }

    /// A command beside the sittings, of a student who is not about to begin one.
    private mutating func sideline() -> [UInt8] {
        guard var told = sidelines else { return [] }
        let student = (nextStudent + students / 2 + random(max(1, students / 8))) % students
        let step = told.next(student: student, exam: random(exams), lastAttempt: lastSubmitted) {
            random($0)
        }
        sidelines = told
        func own(_ text: String) -> String {
            text.split(separator: "~", omittingEmptySubsequences: false).joined(
                separator: "\(prefix)-")
        }
        return line(step.command, by: own(step.by), own(step.data))
    }

    /// The end of a term: every timer fires, so that nothing is open any more; then values of the
    /// policy are adopted.
    mutating func end() -> [[UInt8]] {
        now = now.map { $0 + 2 * 86_400_000 }
        sent += 1
        var writer = JSONWriter()
        writer.instant(Instant(milliseconds: now ?? 0))
        let at = String(decoding: writer.bytes, as: UTF8.self)
        let clock =
            "{\"id\":\"\(prefix)-\(sent)\",\"command\":\"clock.advance\",\"at\":\(at),\"by\":\"system\",\"data\":{}}"
        let policy = line(
            "policy.adopt", by: "admin:\(prefix)-A", "\"changes\":{\"coldDataDays\":30}")
        return [Array(clock.utf8), policy]
    }
}
