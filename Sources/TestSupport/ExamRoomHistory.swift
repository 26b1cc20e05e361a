import Events

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

    private struct Exam {
        let id: String
        var questions: [Question] = []
        var lastID = 0
        var isPublished = false
        var isDeleted = false
    }

    private struct Question {
        let id: String
        let options: [String]
        let correct: Set<String>
    }

    private struct Attempt {
        let id: String
        let exam: String
        let student: String
        let questions: [Question]
    }

    private var random: SplitMix64
    private var now = Instant("2026-02-02T08:00:00Z")
    private var commands: [TestCommand] = []
    private var admins: [String] = []
    private var students: [String] = []
    private var digests: [String: String] = [:]
    private var exams: [Exam] = []
    private var attempts: [Attempt] = []
    private var sessions: [(id: String, owner: String)] = []
    private var requests: [String] = []
    private var images: [(exam: String, question: String)] = []
    private var lastNumber = 0

    private init(seed: UInt64) { random = SplitMix64(seed: seed) }

    // MARK: Chances

    private mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(max(1, bound))) }
    private mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    private mutating func one<E>(of elements: [E]) -> E? {
        elements.isEmpty ? nil : elements[below(elements.count)]
    }

    private mutating func number() -> Int {
        lastNumber += 1
        return lastNumber
    }

    // MARK: Telling

    private mutating func tell(
        _ command: String, by: String, device: String? = nil, at: Instant? = nil,
        _ data: [(String, JSON)] = []
    ) {
        commands.append(
            TestCommand(
                "c-\(commands.count + 1)", command, at: at ?? now, by: by, device: device, data))
    }

    private mutating func admin() -> String {
        one(of: admins).map { "admin:\($0)" } ?? "system"
    }

    private mutating func device(of person: String) -> String? {
        chance(60) ? "D-\(person)" : nil
    }

    private func credential(_ digest: String) -> JSON {
        .object(of: [
            ("scheme", .string("bcrypt")), ("salt", .string("salt")), ("digest", .string(digest)),
        ])
    }

    private mutating func passTime() {
        switch below(20) {
        case 0..<4: break
        case 4..<14: now = now + Int64(1 + below(240))
        case 14..<18: now = (now + Int64(below(7200))).adding(milliseconds: Int64(below(1000)))
        case 18: now = now + Int64(86_400 + below(90_000))
        default: now = now + Int64(below(600))
        }
    }

    // MARK: The stage

    private mutating func setStage() {
        register("A-1", "admin", by: "system")
        for index in 1...3 { register("S-\(index)", "student", by: "admin:A-1") }
        for _ in 1...2 {
            createExam()
            for _ in 0..<2 { addQuestion(to: exams.count - 1) }
            publish(exams.count - 1)
        }
    }

    private mutating func register(_ id: String, _ role: String, by: String) {
        var data: [(String, JSON)] = [
            ("account", .string(id)), ("role", .string(role)), ("name", .string("Person \(id)")),
            ("credential", credential("dg-\(id)")),
        ]
        if chance(40) { data.append(("email", .string("\(id)@example.org"))) }
        if chance(40) {
            let zones = ["Asia/Riyadh", "America/New_York", "UTC", "Pacific/Auckland", "No/Where"]
            data.append(("timeZone", .string(zones[below(chance(5) ? 5 : 4)])))
        }
        if role == "student", chance(5) { data.append(("temporary", .bool(true))) }
        tell("examroom.account.register", by: by, data)
        digests[id] = "dg-\(id)"
        if role == "admin" { admins.append(id) } else { students.append(id) }
    }

    private mutating func details() -> [(String, JSON)] {
        var data: [(String, JSON)] = []
        if chance(60) { data.append(("durationMinutes", .integer(Int64(below(chance(5) ? 1500 : 40))))) }
        if chance(60) {
            data.append(("maxAttempts", chance(30) ? .null : .integer(Int64(1 + below(3)))))
        }
        if chance(40) { data.append(("shuffleQuestions", .bool(chance(70)))) }
        if chance(40) { data.append(("shuffleOptions", .bool(chance(70)))) }
        if chance(40) { data.append(("feedback", .string(chance(60) ? "instant" : "after"))) }
        if chance(30) { data.append(("passPercent", .hundredths(Int64(below(10_500))))) }
        if chance(20) { data.append(("description", .string("About \(below(9))"))) }
        if chance(15) {
            let opens = now + Int64(below(7200) - 3600)
            let closes = opens + Int64(below(86_400 * 2))
            data.append((
                "window",
                .object(of: [
                    ("opensAt", chance(70) ? .string("\(opens)") : .null),
                    ("closesAt", chance(70) ? .string("\(closes)") : .null),
                ])
            ))
        }
        return data
    }

    private mutating func createExam() {
        let id = "EX-\(exams.count + 1)"
        tell(
            "examroom.exam.create", by: admin(),
            [("exam", .string(id)), ("title", .string("Exam \(below(4))"))] + details())
        exams.append(Exam(id: id))
    }

    private mutating func content() -> (data: [(String, JSON)], options: [String], correct: Set<String>) {
        let options = Array(["a", "b", "c", "d"].prefix(2 + below(3)))
        var correct: Set<String> = [options[below(options.count)]]
        if chance(25) { correct.insert(options[below(options.count)]) }
        if chance(3) { correct.removeAll() }
        let list = JSON.array(
            options.map { option in
                .object(of: [
                    ("option", .string(option)), ("text", .string("Text \(option)")),
                    ("correct", .bool(correct.contains(option))),
                ])
            })
        return ([("prompt", .string("Prompt \(below(9))?")), ("options", list)], options, correct)
    }

    private mutating func addQuestion(to index: Int) {
        guard exams.indices.contains(index) else { return }
        exams[index].lastID += 1
        let id = "Q-\(exams[index].lastID)"
        var (data, options, correct) = content()
        data += [("exam", .string(exams[index].id)), ("question", .string(id))]
        if chance(50) { data.append(("points", .integer(Int64(1 + below(4))))) }
        if chance(30) { data.append(("explanation", .string("Because."))) }
        tell("examroom.question.add", by: admin(), data)
        if !correct.isEmpty {
            exams[index].questions.append(Question(id: id, options: options, correct: correct))
        }
    }

    private mutating func publish(_ index: Int) {
        tell("examroom.exam.publish", by: admin(), [("exam", .string(exams[index].id))])
        exams[index].isPublished = true
    }

    // MARK: One step

    private mutating func step() {
        passTime()
        let before = commands.count
        switch below(100) {
        case 0..<18: startAttempt()
        case 18..<46: work()
        case 46..<54: submitAttempt()
        case 54..<59: editExam()
        case 59..<66: seat()
        case 66..<71: accommodation()
        case 71..<75: grade()
        case 75..<78: results()
        case 78..<83: session()
        case 83..<86: policy()
        case 86..<89: person()
        case 89..<92: tell("clock.advance", by: chance(80) ? "system" : "student:S-1")
        case 92..<93: farewell()
        case 93..<95: again()
        default: nonsense()
        }
        // Told late: an instant that lies behind others.
        if chance(6), commands.count == before + 1, let last = commands.indices.last {
            commands[last].at = now - Int64(below(7200))
        }
    }

    private mutating func startAttempt() {
        guard let student = one(of: students) else { return }
        let published = exams.filter(\.isPublished)
        guard let exam = one(of: chance(90) ? published : exams) else { return }
        let id = chance(97) ? "AT-\(number())" : "AT-\(1 + below(max(1, lastNumber)))"
        let actor = chance(96) ? student : "S-1"
        tell(
            "examroom.attempt.start", by: "student:\(actor)", device: device(of: student),
            [
                ("attempt", .string(id)), ("exam", .string(exam.id)),
                ("student", .string(student)),
            ])
        attempts.append(Attempt(id: id, exam: exam.id, student: student, questions: exam.questions))
    }

    private mutating func recentAttempt() -> Attempt? {
        one(of: chance(85) ? Array(attempts.suffix(4)) : attempts)
    }

    private mutating func work() {
        guard let attempt = recentAttempt(), let question = one(of: attempt.questions) else {
            return startAttempt()
        }
        let by = "student:\(attempt.student)"
        let device = device(of: attempt.student)
        if chance(15) {
            tell(
                "examroom.time.log", by: by, device: device,
                [
                    ("attempt", .string(attempt.id)), ("question", .string(question.id)),
                    ("seconds", .integer(Int64(below(90)))),
                ])
            return
        }
        var chosen = chance(65) ? question.correct.sorted() : [question.options[below(2)]]
        if chance(5) { chosen = [] }
        if chance(3) { chosen = ["a", "b", "z"] }
        var data: [(String, JSON)] = [
            ("attempt", .string(attempt.id)), ("question", .string(question.id)),
            ("chosen", .array(chosen.map { .string($0) })),
        ]
        if chance(60) { data.append(("seconds", .integer(Int64(below(120))))) }
        tell("examroom.answer.save", by: by, device: device, data)
    }

    private mutating func submitAttempt() {
        guard let attempt = recentAttempt() else { return startAttempt() }
        let command = chance(85) ? "examroom.attempt.submit" : "examroom.attempt.discard"
        tell(
            command, by: "student:\(attempt.student)", device: device(of: attempt.student),
            [("attempt", .string(attempt.id))])
    }

    private mutating func editExam() {
        guard let index = exams.indices.randomElement(using: &random) else { return }
        let exam = exams[index]
        let id: (String, JSON) = ("exam", .string(exam.id))
        switch below(12) {
        case 0:
            createExam()
        case 1, 2:
            addQuestion(to: index)
        case 3:
            publish(index)
        case 4:
            tell("examroom.exam.withdraw", by: admin(), [id])
            exams[index].isPublished = false
        case 5, 6:
            let changes = [("title", .string("Exam \(below(4))"))] + details()
            tell("examroom.exam.revise", by: admin(), [id, ("changes", .object(of: changes))])
        case 7:
            guard let question = exam.questions.last else { return }
            let (data, options, correct) = content()
            tell(
                "examroom.question.revise", by: admin(),
                [id, ("question", .string(question.id)), ("changes", .object(of: data))])
            guard !correct.isEmpty else { return }
            exams[index].questions[exam.questions.count - 1] = Question(
                id: question.id, options: options, correct: correct)
        case 8:
            guard let question = one(of: exam.questions) else { return }
            tell(
                "examroom.question.remove", by: admin(), [id, ("question", .string(question.id))])
            exams[index].questions.removeAll { $0.id == question.id }
        case 9, 10:
            if chance(40), let image = one(of: images) {
                return tell(
                    "examroom.image.detach", by: admin(),
                    [("exam", .string(image.exam)), ("question", .string(image.question))])
            }
            guard let question = one(of: exam.questions) else { return }
            let target: (String, JSON) = ("question", .string(question.id))
            images.append((exam.id, question.id))
            let digit = ["a", "b"][below(2)]
            tell(
                "examroom.image.attach", by: admin(),
                [
                    id, target, ("hash", .string(String(repeating: digit, count: 64))),
                    ("format", .string(chance(90) ? "png" : "gif")),
                    ("bytes", .integer(Int64(below(5000)))),
                ])
        default:
            guard chance(30) else { return }
            tell("examroom.exam.delete", by: admin(), [id])
            exams[index].isDeleted = true
        }
    }

    private mutating func seat() {
        guard let exam = one(of: exams), let student = one(of: students) else { return }
        let place: [(String, JSON)] = [
            ("exam", .string(exam.id)), ("student", .string(student)),
        ]
        let offer: [(String, JSON)] = [
            ("kind", .string("minutes")), ("value", .integer(chance(90) ? 15 : 7)),
        ]
        switch below(5) {
        case 0:
            tell("examroom.student.block", by: admin(), place + [("reason", .string("A reason"))])
        case 1: tell("examroom.student.unblock", by: admin(), place)
        case 2: tell("examroom.extension.grant", by: admin(), place + offer)
        case 3:
            tell(
                "examroom.extension.modify", by: admin(),
                place + [("kind", .string("percent")), ("value", .integer(50))])
        default: tell("examroom.extension.revoke", by: admin(), place)
        }
    }

    private mutating func accommodation() {
        guard let exam = one(of: exams), let student = one(of: students) else { return }
        if chance(50) || requests.isEmpty {
            let id = "R-\(number())"
            tell(
                "examroom.accommodation.request", by: "student:\(student)",
                device: device(of: student),
                [
                    ("request", .string(id)), ("exam", .string(exam.id)),
                    ("student", .string(student)), ("kind", .string("percent")),
                    ("value", .integer(25)), ("justification", .string(chance(90) ? "I need it" : " ")),
                ])
            requests.append(id)
        } else if let request = one(of: requests) {
            let id: (String, JSON) = ("request", .string(request))
            if chance(60) {
                tell("examroom.accommodation.approve", by: admin(), [id])
            } else {
                tell(
                    "examroom.accommodation.deny", by: admin(),
                    [id, ("reason", .string("Not this time"))])
            }
        }
    }

    private mutating func grade() {
        guard let attempt = recentAttempt() else { return }
        tell(
            "examroom.grade.modify", by: admin(),
            [
                ("attempt", .string(attempt.id)), ("score", .integer(Int64(below(8)))),
                ("reason", .string(chance(95) ? "Appeal" : "")),
            ])
    }

    private mutating func results() {
        guard let exam = one(of: exams) else { return }
        if chance(20) {
            let scope = chance(50) ? "exam" : "results"
            return tell(
                "examroom.export.make", by: admin(),
                [
                    ("export", .string("E-\(number())")), ("scope", .string(scope)),
                    ("format", .string(scope == "exam" ? "json" : "csv")),
                    ("exam", .string(exam.id)),
                ])
        }
        tell(
            chance(70) ? "examroom.results.publish" : "examroom.results.withhold", by: admin(),
            [("exam", .string(exam.id))])
    }

    private mutating func session() {
        guard let person = one(of: students + admins) else { return }
        let actor = (admins.contains(person) ? "admin:" : "student:") + person
        if chance(30), let open = one(of: sessions) {
            let owner = (admins.contains(open.owner) ? "admin:" : "student:") + open.owner
            return tell(
                "examroom.session.end", by: owner, device: "D-\(open.owner)",
                [("session", .string(open.id))])
        }
        let id = "SE-\(number())"
        var data: [(String, JSON)] = [("session", .string(id)), ("account", .string(person))]
        if chance(85) {
            let digest = chance(70) ? digests[person] ?? "" : "wrong"
            data += [("method", .string("credential")), ("digest", .string(digest))]
        } else {
            data.append(("method", .string("biometric")))
        }
        if chance(40) { data.append(("ip", .string("10.0.0.\(below(9))"))) }
        tell("examroom.session.start", by: actor, device: "D-\(person)", data)
        sessions.append((id, person))
    }

    private mutating func policy() {
        let all: [(String, JSON)] = [
            ("awardsWhen", .string(chance(50) ? "results" : "completion")),
            ("pointsPerPercent", .integer(Int64(1 + below(20)))),
            ("pointsRounding", .string(chance(50) ? "nearest" : "down")),
            ("warningSeconds", .array([.integer(Int64(30 + below(600)))])),
            ("closeEndsAttempts", .bool(chance(50))),
            ("instantAnswerFinal", .bool(chance(50))),
            ("milestones", .array([.integer(50), .integer(Int64(100 + below(300)))])),
            ("streakBadges", .array([.integer(2), .integer(3)])),
            ("extensionAfterStart", .string(chance(50) ? "refuse" : "next-attempt")),
            ("defaultTimeZone", .string(chance(50) ? "Asia/Riyadh" : "UTC")),
            ("defaultMaxAttempts", .integer(Int64(1 + below(4)))),
            ("discardAfterDays", .integer(Int64(below(2)))),
            ("scoreBuckets", .integer(chance(80) ? 20 : 33)),
            ("noSuchPolicy", .integer(1)),
        ]
        let changes = all.filter { _ in chance(15) }
        tell(
            "examroom.policy.adopt", by: chance(50) ? "system" : admin(),
            [("changes", .object(of: changes))])
        if chance(6) {
            for holds in [true, false] {
                tell(
                    "examroom.policy.adopt", by: "system",
                    [("changes", .object(of: [("requireSession", .bool(holds))]))])
                if holds { for _ in 0..<3 { chance(50) ? session() : work() } }
            }
        }
    }

    private mutating func person() {
        guard let student = one(of: students) else { return }
        let by = "student:\(student)"
        let account: (String, JSON) = ("account", .string(student))
        switch below(6) {
        case 0: register("S-\(students.count + 1)", "student", by: admin())
        case 1: register("A-\(admins.count + 1)", "admin", by: chance(80) ? admin() : by)
        case 2:
            var data: [(String, JSON)] = [account, ("name", .string("Renamed \(below(9))"))]
            if chance(50) { data.append(("email", .null)) }
            if chance(30) { data.append(("timeZone", .string("Asia/Tokyo"))) }
            tell("examroom.profile.revise", by: chance(50) ? by : admin(), data)
        case 3:
            tell(
                "examroom.preference.choose", by: by, device: device(of: student),
                [
                    account,
                    (
                        "changes",
                        .object(of: [
                            ("leaderboard", .string(chance(50) ? "hidden" : "shown")),
                            ("biometric", .bool(chance(70))),
                        ])
                    ),
                ])
        case 4:
            tell(
                "examroom.credential.replace", by: admin(),
                [account, ("credential", credential("new-\(student)"))])
            digests[student] = "new-\(student)"
        default:
            tell(
                "examroom.credential.change", by: by, device: device(of: student),
                [
                    account, ("digest", .string(digests[student] ?? "")),
                    ("credential", credential("own-\(student)")),
                ])
            digests[student] = "own-\(student)"
        }
    }

    private mutating func farewell() {
        guard let person = one(of: students + admins) else { return }
        if chance(50) {
            tell(
                "examroom.account.delete", by: admin(),
                [("account", .string(person)), ("reason", .string("Left"))])
        } else {
            tell(
                "account.erase", by: chance(70) ? "system" : "student:\(person)",
                [("subject", .string("examroom/\(person)"))])
        }
    }

    /// The same line again, or its id with other content.
    private mutating func again() {
        guard var command = one(of: commands) else { return }
        if chance(40) {
            command.data = .object(of: [("exam", .string("EX-1")), ("title", .string("Other"))])
            command.command = "examroom.exam.create"
        }
        commands.append(command)
    }

    private mutating func nonsense() {
        switch below(6) {
        case 0: tell("examroom.exam.invent", by: "system")
        case 1: tell("examroom.exam.publish", by: admin(), [("exam", .integer(1))])
        case 2: tell("examroom.exam.publish", by: "coach:C-1", [("exam", .string("EX-1"))])
        case 3: tell("examroom.attempt.submit", by: "student:S-1", [("attempt", .string("AT-none"))])
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
