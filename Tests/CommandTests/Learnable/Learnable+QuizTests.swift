import Core
import LearnableEvents
import TestSupport
import Testing

@Suite struct `Quizzes` {
    private static let by = "student:S-1"

    /// Five questions, Q-1 to Q-5, all due tomorrow: 2026-03-02.
    private static func school(
        _ policy: String = "", trialDays: Int = 300
    ) throws -> Lessons {
        let school = try Lessons(empty: ())
        let more = policy.isEmpty ? "" : ",\(policy)"
        try school.adopt(#""levels.1.maxDays":1,"trial.days":\#(trialDays)\#(more)"#)
        try school.join()
        try school.subject("SU")
        try school.complete("SU", "1.1", at: "2026-03-01T10:00:00Z")
        try school.pool("SU", "1.1", (1...5).map { "Q-\($0)" }, at: "2026-03-01T10:00:00Z")
        return school
    }

    private static func begin(
        _ school: Lessons, _ quiz: String, _ kind: String, _ at: String
    ) throws -> [String] {
        let outcome = try school.outcome(
            by, "quiz.begin", at, #""student":"S-1","quiz":"\#(quiz)","kind":"\#(kind)""#)
        if let code = outcome["code"]?.string { return [code] }
        return (outcome["events"]?.array ?? []).compactMap { $0["type"]?.string }
    }

    @Test("R25, R27: the daily quiz comes first until it is completed or skipped")
    func first() throws {
        let school = try Self.school()
        let at = "2026-03-02T09:00:00Z"
        func rename(_ title: String) throws -> String {
            try school.tell(Self.by, "subject.rename", at, #""subject":"SU","title":"\#(title)""#)
        }
        #expect(try rename("Before") == "accepted")
        try school.tell(Self.by, "app.open", at, #""student":"S-1""#)
        #expect(try rename("Now") == "daily-quiz-first")
        #expect(try school.show("home", "S-1")["landing"] == .string("daily-quiz"))
        #expect(
            try school.show("home", "S-1")["bar"]?.array?.first?["text"]
                == .string("Quiz due: 5 questions today"))
        #expect(try Self.begin(school, "QZ-O", "optional", at) == ["daily-quiz-first"])
        // Settings wait, too, and what leaves.
        let own = #""student":"S-1""#
        for (command, more) in [
            ("keyboard.configure", #","codeBlock":false"#), ("profile.edit", #","name":"Mona""#),
            ("appearance.choose", #","area":"system-layout","fontSize":"large""#),
            ("reminders.configure", #","study":false"#), ("data.download", ""),
            ("subscription.cancel", ""), ("evaluation.request", ""),
            ("student.start-over", #","confirmed":true"#),
            ("account.delete", #","confirmed":true"#),
        ] {
            #expect(
                try school.tell(Self.by, command, at, own + more) == "daily-quiz-first",
                "\(command)")
        }
        #expect(
            try school.tell(
                Self.by, "account.delete", at, #""student":"S-1","confirmed":false"#)
                == "confirmation-required")
        // The need `quiz` is met; so is what needs nothing.
        #expect(
            try school.tell(
                Self.by, "student.relocate", at, #""student":"S-1","timeZone":"Etc/GMT""#)
                == "accepted")
        #expect(try school.tell(Self.by, "quiz.skip", at, #""student":"S-1""#) == "accepted")
        #expect(try school.tell(Self.by, "quiz.skip", at, #""student":"S-1""#) == "already-skipped")
        #expect(try rename("After") == "accepted")
        #expect(try school.show("daily-quiz", "S-1")["state"] == .string("skipped"))
        #expect(try school.show("home", "S-1")["landing"] == .string("home"))
        // On another day it comes first again.
        #expect(
            try school.show("home", "S-1", now: "2026-03-03T09:00:00Z")["landing"]
                == .string("daily-quiz"))
    }

    @Test("R24, R26: a quiz left open lapses on another day, ends when nothing remains")
    func ends() throws {
        let school = try Self.school()
        let at = "2026-03-02T09:00:00Z"
        #expect(try Self.begin(school, "QZ-1", "daily", at) == ["learnable.quiz.begun"])
        #expect(try Self.begin(school, "QZ-1", "daily", at) == ["already-exists"])
        #expect(try Self.begin(school, "QZ-2", "daily", at) == ["daily-quiz-open"])
        try school.answer("QZ-1", "Q-1", right: true, at: at)
        // After midnight it may still be answered.
        try school.answer("QZ-1", "Q-2", right: false, at: "2026-03-03T00:10:00Z")
        #expect(try school.show("quiz", "QZ-1")["asked"] == .integer(2))
        #expect(
            try Self.begin(school, "QZ-3", "optional", "2026-03-03T00:20:00Z") == [
                "learnable.quiz.begun"
            ])
        #expect(
            try school.events(Self.by, "app.open", "2026-03-03T00:30:00Z", #""student":"S-1""#)
                == ["quiz.lapsed", "quiz.abandoned", "app.opened"])
        #expect(
            try school.tell(
                Self.by, "quiz.answer", "2026-03-03T00:31:00Z",
                #""quiz":"QZ-1","question":"Q-3","choice":0"#)
                == "quiz-closed")
        #expect(
            try Self.begin(school, "QZ-4", "daily", "2026-03-03T01:00:00Z") == [
                "learnable.quiz.begun"
            ])
        for question in ["Q-3", "Q-4"] {
            try school.answer("QZ-4", question, right: true, at: "2026-03-03T01:01:00Z")
        }
        #expect(try school.show("quiz", "QZ-4")["remaining"] == .integer(2))
        let delete = #""question":"Q-5","confirmed":true"#
        #expect(
            try school.tell(Self.by, "question.delete", "2026-03-03T01:02:00Z", delete)
                == "daily-quiz-first")
        try school.tell(Self.by, "quiz.skip", "2026-03-03T01:02:00Z", #""student":"S-1""#)
        try school.tell(
            Self.by, "question.delete", "2026-03-03T01:02:00Z",
            #""question":"Q-5","confirmed":true"#)
        // Q-1 and Q-2 were judged on the second and on the third; one of them is due on the third.
        let left = (try school.show("quiz", "QZ-4")["questions"]?.array ?? []).filter {
            $0["state"] == .string("unanswered")
        }.compactMap { $0["question"]?.string }
        #expect(left == ["Q-1"])
        #expect(
            try school.events(
                Self.by, "subject.delete", "2026-03-03T01:03:00Z",
                #""subject":"SU","confirmed":true"#)
                == ["subject.deleted", "quiz.completed"])
        #expect(try school.show("quiz", "QZ-4")["streak"] == .integer(1))
        #expect(try school.show("question", "Q-1")["state"] == .string("deleted"))
        #expect(
            try Self.begin(school, "QZ-5", "daily", "2026-03-03T02:00:00Z") == ["daily-quiz-taken"])
    }

    @Test("R29, R31: wordings are drawn with the quiz and the question")
    func wordings() throws {
        let school = try Self.school()
        let at = "2026-03-01T11:00:00Z"
        let begun = try school.outcome(
            Self.by, "quiz.begin", at, #""student":"S-1","quiz":"QZ","kind":"optional""#)
        let pages = begun["events"]?.array?.first?["data"]?["questions"]?.array ?? []
        #expect(
            pages.compactMap { $0["question"]?.string }
                == (1...5).map { "Q-\($0)" }.permuted(with: "learnable/quiz/QZ"))
        for page in pages {
            let question = page["question"]?.string ?? ""
            var draw = SplitMix64(text: "learnable/quiz/QZ:\(question)")
            let level = 1 + Int(draw.next() % 4)
            let variants = [1: [0], 2: [1, 2], 3: [3], 4: [4]][level] ?? []
            let variant = variants[Int(draw.next() % UInt64(variants.count))]
            #expect(page["level"] == .integer(Int64(level)))
            #expect(page["variant"] == .integer(Int64(variant)))
            #expect(page["format"] == .string(variant < 2 ? "multiple-choice" : "free-text"))
        }
        #expect(
            try school.tell(
                Self.by, "quiz.self-assess", at, #""quiz":"QZ","question":"Q-1","correct":true"#)
                == "not-answered")
        #expect(
            try school.tell(Self.by, "quiz.answer", at, #""quiz":"QZ","question":"Q-9","choice":0"#)
                == "not-found")
        try school.answer("QZ", "Q-1", right: true, at: at)
        #expect(
            try school.tell(
                Self.by, "quiz.self-assess", at, #""quiz":"QZ","question":"Q-1","correct":true"#)
                == "already-assessed")
        #expect(
            try school.tell(Self.by, "quiz.answer", at, #""quiz":"QZ","question":"Q-1","choice":0"#)
                == "already-answered")
    }

    @Test("R27: nothing waits for a daily quiz that may not be taken any more")
    func unavailable() throws {
        let school = try Self.school(trialDays: 7)
        let own = #""student":"S-1""#
        try school.tell(Self.by, "app.open", "2026-03-08T07:00:00Z", own)
        let edit = own + #","name":"Mona""#
        #expect(
            try school.tell(Self.by, "profile.edit", "2026-03-08T07:59:00Z", edit)
                == "daily-quiz-first")
        // The trial ended an hour after the app was opened.
        #expect(
            try school.tell(Self.by, "quiz.skip", "2026-03-08T08:00:00Z", own)
                == "subscription-required")
        #expect(
            try school.tell(Self.by, "profile.edit", "2026-03-08T08:00:00Z", edit) == "accepted")
    }

    @Test("R23: Times Asked counts how often a question was put, Times Answered the answers")
    func presentations() throws {
        let school = try Self.school()
        let at = "2026-03-02T09:00:00Z"
        _ = try Self.begin(school, "QZ", "daily", at)
        try school.answer("QZ", "Q-1", right: true, at: at)
        let pool = try school.show("pool", "S-1")["questions"]?.array ?? []
        #expect(pool.map { $0["asked"] } == (1...5).map { _ in .integer(1) })
        #expect(pool.map { $0["answered"] } == (1...5).map { .integer($0 == 1 ? 1 : 0) })
        #expect(pool[1]["askedText"] == .string("Asked: 1 time"))
        #expect(pool[1]["answeredText"] == .string("Answered: 0 times"))
        #expect(try school.show("question", "Q-2")["asked"] == .integer(1))
        #expect(
            try school.show("achievements", "S-1")["questionsAnswered"] == .integer(1))
        // Of an optional quiz, once it is completed.
        _ = try Self.begin(school, "QZ-O", "optional", at)
        #expect(try school.show("question", "Q-2")["asked"] == .integer(1))
        for question in 1...5 { try school.answer("QZ-O", "Q-\(question)", right: true, at: at) }
        #expect(try school.show("question", "Q-2")["asked"] == .integer(2))
        #expect(try school.show("question", "Q-2")["answered"] == .integer(1))
    }

    @Test("R28, R31: each question is shown with its formats and its difficulty")
    func difficulty() throws {
        let school = try Self.school()
        let asks = try school.show("daily-quiz", "S-1", now: "2026-03-02T09:00:00Z")["asks"]
        #expect(
            asks?.array?.first
                == .object(of: [
                    ("difficulty", .string("Basic")),
                    ("formats", .array([.string("multiple-choice")])), ("level", .integer(1)),
                    ("question", .string("Q-1")),
                ]))
        let pooled = try school.show("pool", "S-1")["questions"]?.array?.first
        #expect(pooled?["difficulty"] == .string("Basic"))
        #expect(pooled?["formats"] == .array([.string("multiple-choice")]))
        #expect(try school.show("question", "Q-1")["difficulty"] == .string("Basic"))
        _ = try Self.begin(school, "QZ", "daily", "2026-03-02T09:00:00Z")
        let page = try school.show("quiz", "QZ")["questions"]?.array?.first
        #expect(page?["difficulty"] == .string("Basic"))
        #expect(page?["format"] == .string("multiple-choice"))
    }

    @Test(
        "R23: when answers of an optional quiz count",
        arguments: ["completed", "each-answer", "never"])
    func statistics(policy: String) throws {
        let school = try Self.school(#""statistics.optionalQuiz":"\#(policy)""#)
        let at = "2026-03-01T11:00:00Z"
        _ = try Self.begin(school, "QZ", "optional", at)
        func asked() throws -> Int64? {
            try school.show("achievements", "S-1")["questionsAnswered"]?.wholeNumber
        }
        for question in 1...4 {
            try school.answer("QZ", "Q-\(question)", right: question > 1, at: at)
        }
        #expect(try asked() == (policy == "each-answer" ? 4 : 0))
        try school.answer("QZ", "Q-5", right: true, at: at)
        #expect(try school.show("quiz", "QZ")["state"] == .string("completed"))
        #expect(try asked() == (policy == "never" ? 0 : 5))
        let pool = try school.show("pool", "S-1")["questions"]?.array ?? []
        #expect(
            pool.map { $0["correct"] }
                == (1...5).map { .integer(policy == "never" || $0 == 1 ? 0 : 1) })
        // A second one, broken off, leaves no trace but with each answer.
        _ = try Self.begin(school, "QZ-2", "optional", at)
        try school.answer("QZ-2", "Q-1", right: true, at: at)
        #expect(
            try school.events(
                Self.by, "quiz.begin", at, #""student":"S-1","quiz":"QZ-3","kind":"optional""#)
                == ["quiz.abandoned", "quiz.begun"])
        #expect(try asked() == (policy == "never" ? 0 : policy == "completed" ? 5 : 6))
        #expect(try school.show("schedule", "S-1")["days"]?.array?.count == 1)
    }

    @Test("R36, R37, R38, R39: figures and sentences of what was learned")
    func figures() throws {
        let school = try Self.school()
        let at = "2026-03-02T09:00:00Z"
        _ = try Self.begin(school, "QZ", "daily", at)
        for question in 1...5 {
            try school.answer("QZ", "Q-\(question)", right: question > 2, at: at)
        }
        let achievements = try school.show("achievements", "S-1")
        #expect(achievements["questionsAnswered"] == .integer(5))
        #expect(achievements["correctAnswers"] == .integer(3))
        #expect(achievements["studyTime"] == .string("0 h 0 min"))
        let all = try school.show("evaluation", "S-1")
        #expect(
            all["text"]
                == .string(
                    "You have completed 33.33% of all subjects. Strength: Arithmetic, 60% of questions answered correctly. To improve: Arithmetic, 33.33% completed."
                ))
        let one = try school.show("evaluation", "S-1", ["subject": "SU"])
        #expect(
            one["text"]
                == .string(
                    "You have completed 33.33% of Arithmetic. Strength: A, 60% of questions answered correctly. To improve: B, 0% completed."
                ))
        let bars = try school.show("mastery", "S-1", ["subject": "SU"])["bars"]?.array ?? []
        #expect(bars.map { $0["mastery"] } == [.integer(60), .null, .null])
        try school.adopt(#""mastery.measure":"correct-of-generated""#, at: at)
        try school.tell(
            "system", "promotion.announce", at,
            #""promotion":"P","message":"Sale","target":"learnable://shop","audience":"all","from":"2026-03-02T09:00:00Z","until":"2026-03-03T00:00:00Z""#
        )
        let bar = try school.show("home", "S-1")["bar"]?.array ?? []
        #expect(bar.map { $0["kind"]?.string } == ["trial", "promotion"])
        #expect(
            try school.show("home", "S-1", now: "2026-03-03T00:00:00Z")["bar"]?.array?.count == 2)
        #expect(
            try school.show("home", "S-1", now: "2026-03-02T23:59:59Z")["bar"]?.array?.count == 2)
    }
}
