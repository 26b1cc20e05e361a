import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Submits the attempt (7.2, R19).
    struct SubmitAttempt: AttemptCommand {
        static let type = "examroom.attempt.submit"
        var attempt = AttemptID.none

        func decide(in context: Context) throws(Rejection) {
            _ = try context.findOpen(attempt)
            context.close(attempt, .student, at: context.at)
        }
    }
}

extension DecisionContext<ExamRoom> {
    /// Closes an attempt; awards follow in the same step (R26).
    func close(_ id: ExamRoom.AttemptID, _ how: ExamRoom.Attempt.How, at closedAt: Instant) {
        guard let row = state.attempts[id] else { return }
        record(closing(of: id, row, how, at: closedAt), on: id)
        if how == .timeUp {
            notify(
                .init(row.student), .timeUp, [("attempt", json(id)), ("exam", json(row.exam))],
                link: "examroom://attempts/\(names.text(id))")
        }
        awardIfDue(id, at: row.exam)
    }

    /// Awards a closed attempt at once, or not before the exam's results are published, as the policy says
    /// (R26).
    func awardIfDue(_ id: ExamRoom.AttemptID, at exam: ExamRoom.ExamID) {
        if state.policy.awardsWhen == .completion || state.exams[exam]?.areResultsPublished == true
        {
            award(id)
        }
    }

    /// The score and marks of the attempt if it is closed at an instant (R19).
    func closing(
        of id: ExamRoom.AttemptID, _ row: ExamRoom.AttemptRow, _ how: ExamRoom.Attempt.How,
        at closedAt: Instant
    ) -> ExamRoom.Attempt.Submitted {
        let log = row.answerLog.all
        let marks = row.paper.map { entry in
            let question = entry.value(in: names)
            return mark(
                question,
                state.countingAnswer(
                    to: question, among: log.answers, of: row, through: closedAt),
                seconds: log.seconds[question.question] ?? 0)
        }
        let score = marks.reduce(0) { $0 + $1.points }
        return ExamRoom.Attempt.Submitted(
            attempt: id,
            exam: row.exam,
            student: row.student,
            how: how,
            closedAt: closedAt,
            localDate: localDate(of: .init(row.student), at: closedAt),
            secondsTaken: Int(closedAt.milliseconds(since: row.startedAt) / 1000),
            answered: marks.count(where: \.answered),
            correct: marks.count(where: \.correct),
            score: score,
            maxScore: row.maxScore,
            percent: Percent(score, of: row.maxScore),
            passed: row.isPassing(score),
            marks: marks)
    }

    /// The mark of a question: whether its last answer is right, and the time spent on it (R16, R18).
    private func mark(
        _ question: ExamRoom.Attempt.PaperQuestion, _ answer: ExamRoom.AnswerRow?, seconds: Int
    ) -> ExamRoom.Attempt.Mark {
        let chosen = answer?.chosen ?? []
        let isRight = !chosen.isEmpty && question.isRight(chosen)
        return ExamRoom.Attempt.Mark(
            question: question.question, answered: !chosen.isEmpty, correct: isRight,
            points: isRight ? question.points : 0, seconds: seconds)
    }

    /// The date in the account's zone, else the policy's (R19).
    func localDate(of account: ExamRoom.AccountID, at instant: Instant) -> LocalDate {
        let zone = TimeZones.zone(named: state.timeZoneName(of: account)) ?? .utc
        return zone.localDate(at: instant)
    }
}
