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

    /// Answers that came, parted into those that are new and those that came too late (R27).
    struct SortedAnswers {
        var fresh: [Question.Answer] = []
        var ignored: [QuestionID] = []

        var isEmpty: Bool { fresh.isEmpty && ignored.isEmpty }
    }

    /// What answers to exams and to practices have in common.
    struct GivenAnswers: Record {
        var answers: [GivenAnswer] = []
        var offline: Bool?

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("answers", &answers)
            coder.given("offline", &offline)
        }

        var problem: String? { 1...200 ~= answers.count ? nil : "answers: expected 1 to 200" }

        /// Checks the answers and records the new ones; nil when all were known (R27).
        func record(
            for key: SittingKey, _ row: SittingRow, in context: Tafawoq.Context
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
}

extension DecisionContext<Tafawoq> {
    /// Looks for `unknown-question` in all answers, then for `bad-choice` (R27).
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

    /// `rate-limited` after too many commands with answers in the last 60 seconds (R27).
    func checkRate(of key: Tafawoq.SittingKey) throws(Tafawoq.Rejection) {
        let start = at - 60
        let count = state.answers.read(key) { row in row.times.count { $0 > start } } ?? 0
        let limit = policy.answersPerMinute
        try check(count < limit, else: .rateLimited) {
            [("inTheLastMinute", "\(count)"), ("limit", "\(limit)")]
        }
    }

    /// Parts answers: known ones are skipped, late ones ignored (R27).
    func sort(
        _ answers: [Tafawoq.Question.Answer], of key: Tafawoq.SittingKey, deadline: Instant?
    ) -> Tafawoq.SortedAnswers {
        var known = Set(state.answers[key]?.answers ?? [])
        var sorted = Tafawoq.SortedAnswers()
        for answer in answers where known.insert(answer).inserted {
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

    /// Records the answers of an exam or a practice (R27).
    func record(
        _ answers: Tafawoq.SortedAnswers, of key: Tafawoq.SittingKey,
        _ student: Tafawoq.StudentID, offline: Bool
    ) {
        switch key.kind {
        case .exam:
            record(
                Tafawoq.Exam.Answered(
                    exam: .init(key.id),
                    student: student,
                    answers: answers.fresh,
                    ignored: answers.ignored,
                    offline: offline,
                    device: givenDevice), on: sittingStream(key))
        case .practice:
            record(
                Tafawoq.Practice.Answered(
                    practice: .init(key.id),
                    student: student,
                    answers: answers.fresh,
                    ignored: answers.ignored,
                    offline: offline,
                    device: givenDevice), on: sittingStream(key))
        }
    }
}
