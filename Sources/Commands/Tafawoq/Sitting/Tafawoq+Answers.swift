import Commands
import Core
import Folding
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// An answer as the client sends it.
    struct GivenAnswer: Record {
        var question = QuestionID.none
        var choice: BoundedInt?
        var answeredAt = Instant.epoch
        var seconds = 0

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("question", &question)
            coder.field("choice", &choice)
            coder.field("answeredAt", &answeredAt)
            coder.bounded("seconds", &seconds)
        }

        var answer: Question.Answer {
            Question.Answer.with {
                $0.question = question
                $0.choice = choice?.value
                $0.answeredAt = answeredAt
                $0.seconds = seconds
            }
        }
    }

    /// R27: what is new of answers that came, and what came too late.
    struct SortedAnswers {
        var fresh: [Question.Answer] = []
        var ignored: [QuestionID] = []

        var isEmpty: Bool { fresh.isEmpty && ignored.isEmpty }
    }

    /// What exams and practices are answered with alike.
    struct Answering: Record {
        var answers: [GivenAnswer] = []
        var offline: Bool?

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("answers", &answers)
            coder.given("offline", &offline)
        }

        var problem: String? { 1...200 ~= answers.count ? nil : "answers: expected 1 to 200" }

        /// R27: checks the answers and records what is new of them; nil when all were known.
        func take(
            _ key: SittingKey, _ row: SittingRow, in context: Tafawoq.Context
        ) throws(Rejection) -> SortedAnswers? {
            let given = answers.map(\.answer)
            try context.check(given, of: key)
            try context.checkRate(of: key)
            let sorted = context.sort(given, of: key, deadline: row.deadline)
            if sorted.isEmpty { return nil }
            context.record(sorted, of: key, row.student, offline: offline ?? false)
            return sorted
        }
    }

    /// Answers questions of an exam. R21: never asks for the tier.
    struct AnswerExam: SittingCommand {
        static let type = "tafawoq.exam.answer"
        var exam = ExamID.none
        var given = Answering()

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            given.fields(&coder)
        }

        var sitting: SittingKey { .exam(exam) }

        func problem(_ names: Names) -> String? { given.problem }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.ownSitting(sitting)
            guard row.stage == .inProgress else { throw .examNotOpen }
            if let sorted = try given.take(sitting, row, in: context) {
                context.flag(sorted.fresh, of: sitting)
            }
        }
    }

    struct AnswerPractice: SittingCommand {
        static let type = "tafawoq.practice.answer"
        var practice = PracticeID.none
        var given = Answering()

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("practice", &practice)
            given.fields(&coder)
        }

        var sitting: SittingKey { .practice(practice) }

        func problem(_ names: Names) -> String? { given.problem }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.ownSitting(sitting)
            guard row.stage == .inProgress else { throw .practiceNotOpen }
            _ = try given.take(sitting, row, in: context)
        }
    }

    /// Leaves a question without a diagram out of the score (R30).
    struct VoidQuestion: SittingCommand {
        static let type = "tafawoq.question.void"
        var of = SittingKind.exam
        var id = SittingID.none
        var question = QuestionID.none

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("of", &of)
            coder.field("id", &id)
            coder.field("question", &question)
        }

        var sitting: SittingKey { .init(of, id) }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.ownSitting(sitting)
            guard row.stage == .inProgress else {
                throw of == .exam ? .examNotOpen : .practiceNotOpen
            }
            let sheet = context.state.sheet(sitting)
            guard let place = sheet.place(of: question) else { throw .unknownQuestion }
            if context.policy.questionImageFailure != .void { throw .voidingOff }
            let line = sheet.lines[place]
            if line.content.image == nil { throw .notVisual }
            if line.isVoided { throw .alreadyVoided }
            let others = sheet.scored.filter {
                $0.content.question != question
                    && (of == .practice || $0.content.section == line.content.section)
            }
            if others.isEmpty { throw .lastQuestion }
            context.record(
                Question.Voided.with {
                    $0.of = of
                    $0.id = id
                    $0.student = row.student
                    $0.question = question
                }, sitting: sitting)
        }
    }
}

extension DecisionContext<Tafawoq> {
    /// R27: `unknown-question` in all answers, then `bad-choice`.
    func check(
        _ answers: [Tafawoq.Question.Answer], of key: Tafawoq.SittingKey
    ) throws(Tafawoq.Rejection) {
        let options = Dictionary(
            (state.papers.read(key) { $0.outline } ?? []).map { ($0.question, $0.options) },
            uniquingKeysWith: { first, _ in first })
        for answer in answers where options[answer.question] == nil { throw .unknownQuestion }
        for answer in answers {
            if let choice = answer.choice, choice >= options[answer.question] ?? 0 {
                throw .badChoice
            }
        }
    }

    /// R27: so many commands in the last 60 seconds.
    func checkRate(of key: Tafawoq.SittingKey) throws(Tafawoq.Rejection) {
        let start = at - 60
        let count = state.answers.read(key) { row in row.times.count { $0 > start } } ?? 0
        if count >= policy.answersPerMinute { throw .rateLimited }
    }

    /// R27: known ones are skipped, late ones ignored.
    func sort(
        _ answers: [Tafawoq.Question.Answer], of key: Tafawoq.SittingKey, deadline: Instant?
    ) -> Tafawoq.SortedAnswers {
        var met = Set(state.answers[key]?.answers ?? [])
        var sorted = Tafawoq.SortedAnswers()
        for answer in answers where met.insert(answer).inserted {
            if let deadline, answer.answeredAt > deadline {
                if !sorted.ignored.contains(answer.question) {
                    sorted.ignored.append(answer.question)
                }
            } else {
                sorted.fresh.append(answer)
            }
        }
        return sorted
    }

    func record(
        _ answers: Tafawoq.SortedAnswers, of key: Tafawoq.SittingKey,
        _ student: Tafawoq.StudentID, offline: Bool
    ) {
        switch key.kind {
        case .exam:
            record(
                Tafawoq.Exam.Answered.with {
                    $0.exam = .init(key.id)
                    $0.student = student
                    $0.answers = answers.fresh
                    $0.ignored = answers.ignored
                    $0.offline = offline
                    $0.device = givenDevice
                }, sitting: key)
        case .practice:
            record(
                Tafawoq.Practice.Answered.with {
                    $0.practice = .init(key.id)
                    $0.student = student
                    $0.answers = answers.fresh
                    $0.ignored = answers.ignored
                    $0.offline = offline
                    $0.device = givenDevice
                }, sitting: key)
        }
    }

    /// R31, in its order; each pattern at most once an exam. The last two only on submission, with the
    /// seconds of the exam.
    func flag(
        _ fresh: [Tafawoq.Question.Answer], of key: Tafawoq.SittingKey,
        submitted seconds: Int? = nil
    ) {
        guard let row = state.sittings[key] else { return }
        let tolerance = policy.flagsToleranceSeconds
        let latest = at + Int64(tolerance)
        let impossible = fresh.count { answer in
            row.deliveredAt.map { answer.answeredAt < $0 } ?? false || answer.answeredAt > latest
        }
        if impossible > 0 { flag(.impossibleTime, impossible, of: key, row) }
        if let device = row.device, let own = givenDevice, device != own {
            flag(.deviceChange, 1, of: key, row)
        }
        guard let seconds else { return }
        let sheet = state.sheet(key)
        let fast = sheet.scored.count { $0.choice != nil && $0.seconds < policy.flagsFastSeconds }
        if fast >= policy.flagsFastAnswers { flag(.rushed, fast, of: key, row) }
        let excess = sheet.seconds - seconds
        if excess > tolerance { flag(.timeMismatch, excess, of: key, row) }
    }

    private func flag(
        _ pattern: Tafawoq.Exam.FlagPattern, _ value: Int, of key: Tafawoq.SittingKey,
        _ row: Tafawoq.SittingRow
    ) {
        guard !row.flags.contains(pattern) else { return }
        record(
            Tafawoq.Exam.Flagged.with {
                $0.exam = .init(key.id)
                $0.student = row.student
                $0.pattern = pattern
                $0.value = value
            }, sitting: key)
    }
}
