import Core
import LearnableEvents

/// A seeded random life of Learnable: mostly valid commands, some that must be refused.
///
/// Two students in zones whose clocks change, with subjects, pools, quizzes, study, other policies, and now
/// and then a fresh start or an erasure.
package struct LearnableHistory {
    package static func commands(seed: UInt64, count: Int = 150) -> [TestCommand] {
        var history = LearnableHistory(seed: seed)
        history.setStage()
        while history.commands.count < count { history.step() }
        return history.commands
    }

    package static let zones = [
        "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Riyadh",
        "America/Santiago", "Pacific/Apia", "Africa/Casablanca", "Asia/Kathmandu",
    ]

    private var random: SplitMix64
    /// A few days before clocks change in most of these zones.
    private var now: Instant
    private var commands: [TestCommand] = []
    private var subjects: [(id: String, student: String, next: Int)] = []
    private var questions: [(id: String, student: String)] = []
    private var quizzes: [(id: String, student: String, daily: Bool)] = []
    private var lastNumber = 0

    private static let topics = ["1.1", "1.2", "2.1"]
    private static let students = ["S-1", "S-2"]

    private init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        let starts = ["2026-03-20T06:00:00Z", "2026-10-20T06:00:00Z", "2026-03-05T06:00:00Z"]
        now = Instant(starts[Int(seed % 3)])
    }

    private mutating func below(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }

    private mutating func pick<T>(_ list: [T]) -> T { list[below(list.count)] }

    private mutating func id(_ prefix: String) -> String {
        lastNumber += 1
        return "\(prefix)-\(lastNumber)"
    }

    private mutating func tell(
        _ by: String, _ command: String, device: String? = nil, _ data: [(String, JSON)]
    ) {
        lastNumber += 1
        commands.append(
            TestCommand(
                "c-\(lastNumber)", "learnable.\(command)", at: now, by: by, device: device, data))
    }

    private mutating func setStage() {
        if below(3) > 0 {
            tell(
                "system", "policy.adopt",
                [
                    (
                        "changes",
                        .object(of: [
                            ("trial.days", .integer(300)),
                            ("levels.1.correctToAdvance", .integer(1)),
                        ])
                    )
                ])
        }
        for student in Self.students {
            // The trial of S-2 waits for a device.
            tell(
                "student:\(student)", "student.join", device: student == "S-1" ? "D-1" : nil,
                [("student", .string(student)), ("timeZone", .string(pick(Self.zones)))])
            open(student)
            addSubject(of: student)
        }
        for _ in 0..<4 { finishTopic() }
    }

    private mutating func open(_ student: String) {
        tell(
            "student:\(student)", "app.open", device: student == "S-1" ? "D-1" : "D-2",
            [("student", .string(student))])
    }

    private mutating func step() {
        now += Int64([600, 3_600, 14_400, 40_000, 86_400][below(5)])
        let student = pick(Self.students)
        switch below(43) {
        case 0..<5: open(student)
        case 5: addSubject(of: student)
        case 6..<12: study(student)
        case 12..<17: finishTopic()
        case 17..<28: takeDaily(student)
        case 28..<31: takeOptional(student)
        case 31: tell("student:\(student)", "quiz.skip", [("student", .string(student))])
        case 32:
            guard !questions.isEmpty else { return }
            let question = pick(questions)
            let command = pick(["question.delete", "recurrence.disable", "recurrence.enable"])
            let confirmed: [(String, JSON)] =
                command == "question.delete" ? [("confirmed", .bool(true))] : []
            tell(
                "student:\(question.student)", command,
                [("question", .string(question.id))] + confirmed)
        case 33, 34: adopt()
        case 35:
            tell(
                "student:\(student)", "student.relocate",
                [("student", .string(student)), ("timeZone", .string(pick(Self.zones)))])
        case 36:
            guard below(3) == 0 else { return }
            tell(
                "student:\(student)", "student.start-over",
                [("student", .string(student)), ("confirmed", .bool(true))])
        case 37:
            tell(
                "service:pay", "subscription.activate",
                [
                    ("student", .string(student)), ("plan", .string("P")),
                    ("paidUntil", .string("2027-06-01T00:00:00Z")), ("payment", .string("PAY")),
                ])
        case 38:
            guard let subject = subjects.last, below(3) == 0 else { return }
            tell(
                "student:\(subject.student)", "subject.delete",
                [("subject", .string(subject.id)), ("confirmed", .bool(true))])
        case 39, 40:
            tell(
                "student:\(student)", "reminders.configure",
                [
                    ("student", .string(student)), ("quickQuiz", .bool(below(4) > 0)),
                    ("dailyQuiz", .bool(below(4) > 0)), ("study", .bool(below(4) > 0)),
                    ("quickQuizFrequency", .string(pick(["daily", "weekly"]))),
                ])
        case 41: tell("student:\(student)", "app.open", [("student", .string(student))])
        default:
            guard below(6) == 0 else { return }
            lastNumber += 1
            commands.append(
                TestCommand(
                    "c-\(lastNumber)", "account.erase", at: now, by: "system",
                    [("subject", .string("learnable/\(student)"))]))
        }
    }

    private mutating func addSubject(of student: String) {
        let draft = id("DR")
        let subject = id("SU")
        let by = "student:\(student)"
        let named = ("draft", JSON.string(draft))
        tell(by, "draft.start", [("student", .string(student)), named])
        tell(by, "draft.describe", [named, ("description", .string("About \(subject)"))])
        tell(by, "curriculum.request", [named])
        let chapters: JSON = .array([
            .object(of: [
                ("title", .string("A")), ("topics", .array([.string("a1"), .string("a2")])),
            ]),
            .object(of: [("title", .string("B")), ("topics", .array([.string("b1")]))]),
        ])
        tell(
            "service:ai", "curriculum.propose",
            [named, ("request", .integer(1)), ("title", .string(subject)), ("chapters", chapters)])
        tell(by, "tone.choose", [named, ("preset", .string("eli5"))])
        tell(
            by, "add-ons.choose",
            [
                named, ("engagementQuestion", .bool(false)), ("endingProject", .bool(false)),
                ("reinforcement", .bool(true)),
            ])
        tell(by, "generation.request", [named, ("subject", .string(subject))])
        for topic in Self.topics {
            let block = JSON.object(of: [("kind", .string("text")), ("text", .string("Read."))])
            tell(
                "service:ai", "topic.deliver",
                [
                    ("subject", .string(subject)), ("topic", .string(topic)),
                    ("blocks", .array([block])),
                ])
        }
        subjects.append((subject, student, 0))
    }

    private mutating func study(_ student: String) {
        let length = Int64([60, 900, 7_200, 30_000][below(4)])
        tell(
            "student:\(student)", "study.record",
            [
                ("student", .string(student)), ("activity", .string("lecture")),
                ("from", .string("\(now - length)")), ("to", .string("\(now)")),
            ])
    }

    private mutating func finishTopic() {
        let place = below(subjects.count)
        let subject = subjects[place]
        guard subject.next < Self.topics.count else { return }
        let named: [(String, JSON)] = [
            ("subject", .string(subject.id)), ("topic", .string(Self.topics[subject.next])),
        ]
        tell("student:\(subject.student)", "topic.open", named)
        tell("student:\(subject.student)", "topic.complete", named)
        var made: [JSON] = []
        for _ in 0...below(3) {
            let question = id("Q")
            if let json = try? JSON(parsing: RulesInMemory<Learnable>.question(question)) {
                made.append(json)
            }
            questions.append((question, subject.student))
        }
        tell("service:ai", "question.pool", named + [("questions", .array(made))])
        subjects[place].next += 1
    }

    private mutating func takeDaily(_ student: String) {
        if below(4) > 0 || quizzes.isEmpty {
            let quiz = id("QZ")
            quizzes.append((quiz, student, true))
            tell(
                "student:\(student)", "quiz.begin",
                [
                    ("student", .string(student)), ("quiz", .string(quiz)),
                    ("kind", .string("daily")),
                ])
        }
        answerSome(of: student, daily: true)
    }

    private mutating func takeOptional(_ student: String) {
        let quiz = id("QZ")
        quizzes.append((quiz, student, false))
        tell(
            "student:\(student)", "quiz.begin",
            [
                ("student", .string(student)), ("quiz", .string(quiz)),
                ("kind", .string("optional")),
            ])
        answerSome(of: student, daily: false)
    }

    private mutating func answerSome(of student: String, daily: Bool) {
        guard let quiz = quizzes.last(where: { $0.student == student && $0.daily == daily }) else {
            return
        }
        let isLeavingOff = below(4) == 0
        for question in questions where question.student == student {
            if isLeavingOff, below(2) == 0 { continue }
            let named: [(String, JSON)] = [
                ("quiz", .string(quiz.id)), ("question", .string(question.id)),
            ]
            let isRight = below(5) > 0
            let by = "student:\(student)"
            tell(by, "quiz.answer", named + [("choice", .integer(isRight ? 0 : 1))])
            tell(by, "quiz.answer", named + [("answer", .string("Words"))])
            tell(by, "quiz.self-assess", named + [("correct", .bool(isRight))])
        }
    }

    private mutating func adopt() {
        let changes: [[(String, JSON)]] = [
            [
                ("levels.1.correctToAdvance", .integer(2)),
                ("levels.2.correctToAdvance", .integer(1)),
            ],
            [
                ("levels.3.correctToAdvance", .integer(1)),
                ("levels.4.correctToAdvance", .integer(1)),
            ],
            [("levels.1.minDays", .integer(1)), ("levels.1.maxDays", .integer(1))],
            [("levels.2.minDays", .integer(2)), ("levels.2.maxDays", .integer(9))],
            [("wrongAnswer.due", .string("range")), ("wrongAnswer.count", .string("reset"))],
            [
                ("wrongAnswer.due", .string("tomorrow")),
                ("wrongAnswer.count", .string("minus-one")),
            ],
            [("mastered.everyDays", .integer(3))], [("streak.quizIdleDays", .string("break"))],
            [
                ("access.afterTrial", .string("premium-features")),
                ("subjects.freeLimit", .integer(9)),
            ],
            [
                ("quiz.optionalQuestions", .integer(2)),
                ("quiz.optionalWhenFewer", .string("ask-all")),
            ],
            [("reminder.dailyQuizAt", .string("02:30")), ("reminder.studyAt", .string("00:00"))],
            [
                ("reminder.studyWhen", .string("too-short")),
                ("reminder.quietAfterDays", .integer(3)),
            ],
            [("streak.studySeconds", .integer(600))],
            [("statistics.optionalQuiz", .string("never"))],
        ]
        tell("system", "policy.adopt", [("changes", .object(of: pick(changes)))])
    }
}
