import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Hands the attempt in (7.2).
    struct SubmitAttempt: Command {
        static let type = "examroom.attempt.submit"
        var attempt = AttemptID.none

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("attempt", &attempt)
        }

        func senders(in state: State) -> Senders { .student(state.owner(of: attempt)) }

        func decide(in context: Context) throws(Rejection) {
            _ = try context.state.runningAttempt(attempt, at: context.at)
            context.close(attempt, .student, at: context.at)
        }
    }

    /// Hides a closed attempt from its student's history and does nothing else (R23).
    struct DiscardAttempt: Command {
        static let type = "examroom.attempt.discard"
        var attempt = AttemptID.none

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("attempt", &attempt)
        }

        func senders(in state: State) -> Senders { .student(state.owner(of: attempt)) }

        func decide(in context: Context) throws(Rejection) {
            guard let row = context.state.attempts[attempt] else { throw .notFound }
            guard let closing = row.closing else { throw .attemptOpen }
            let wait = context.state.policy.discardAfterDays.multipliedClamping(86_400)
            if context.at < closing.closedAt + Int64(wait) { throw .attemptTooRecent }
            if row.isDiscarded { throw .alreadyDiscarded }
            context.record(
                Attempt.Discarded(attempt: attempt, exam: row.exam, student: row.student),
                on: context.attemptStream(attempt))
        }
    }

    /// An admin gives a closed attempt another score (R22, 23.6).
    struct ModifyGrade: Command {
        static let type = "examroom.grade.modify"
        var attempt = AttemptID.none
        var score = 0
        var reason = ""

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("attempt", &attempt)
            coder.field("score", &score)
            coder.field("reason", &reason)
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            // R6: the attempts of a deleted student cannot be graded.
            guard let row = context.state.attempts[attempt], !row.isForgotten else {
                throw .notFound
            }
            guard let oldScore = row.score else { throw .attemptOpen }
            if reason.isBlank { throw .reasonMissing }
            if score > row.maxScore { throw .scoreOutOfRange }
            if score == oldScore { throw .nothingToChange }
            context.record(
                Grade.Modified(
                    attempt: attempt, exam: row.exam, student: row.student, oldScore: oldScore,
                    newScore: score, oldPercent: Percent(oldScore, of: row.maxScore),
                    newPercent: Percent(score, of: row.maxScore), passed: row.isPassing(score),
                    reason: reason),
                on: context.attemptStream(attempt))
            context.adjustAwards(for: attempt)
        }
    }
}

extension DecisionContext<ExamRoom> {
    /// Closes an attempt; awards follow in the same step (R26).
    func close(_ id: ExamRoom.AttemptID, _ how: ExamRoom.Attempt.How, at closedAt: Instant) {
        guard let row = state.attempts[id] else { return }
        record(closing(of: id, row, how, at: closedAt), on: attemptStream(id))
        if how == .timeUp {
            notify(
                .init(row.student), .timeUp, [("attempt", json(id)), ("exam", json(row.exam))],
                link: "examroom://attempts/\(names.text(id))")
        }
        if state.policy.awardsWhen == .completion
            || state.exams[row.exam]?.areResultsPublished == true
        {
            award(id)
        }
    }

    /// R19: what closing the attempt at an instant comes to.
    func closing(
        of id: ExamRoom.AttemptID, _ row: ExamRoom.AttemptRow, _ how: ExamRoom.Attempt.How,
        at closedAt: Instant
    ) -> ExamRoom.Attempt.Submitted {
        let told = row.sitting.all
        let marks = row.paper.map { entry in
            let question = entry.value(in: names)
            return mark(
                question,
                told.answers.standing(
                    to: question.question, in: row, through: closedAt, names),
                seconds: told.seconds[question.question] ?? 0)
        }
        var event = ExamRoom.Attempt.Submitted()
        event.attempt = id
        event.exam = row.exam
        event.student = row.student
        event.how = how
        event.closedAt = closedAt
        event.localDate = localDate(of: .init(row.student), at: closedAt)
        event.secondsTaken = Int(closedAt.milliseconds(since: row.startedAt) / 1000)
        event.answered = marks.count(where: \.answered)
        event.correct = marks.count(where: \.correct)
        event.score = marks.reduce(0) { $0 + $1.points }
        event.maxScore = row.maxScore
        event.percent = Percent(event.score, of: row.maxScore)
        event.passed = row.isPassing(event.score)
        event.marks = marks
        return event
    }

    /// R16, R18: the answer that stands, whether it is right, and the time told.
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

    /// Timers of an attempt (page, Timers): they fire while it is open and its student not deleted.
    func fire(_ timer: Timer) {
        let prefix = "examroom/attempt/"
        let stream = timer.stream.text(in: names)
        guard stream.hasPrefix(prefix),
            let symbol = names.known(String(stream.dropFirst(prefix.count))),
            let row = state.attempts[ExamRoom.AttemptID(symbol)], row.closing == nil, row.counts,
            let kind = ExamRoom.AttemptTimer(name: timer.name)
        else { return }
        let attempt = ExamRoom.AttemptID(symbol)
        switch kind {
        case .timeUp: close(attempt, .timeUp, at: row.deadline)
        case .warning(let seconds):
            record(
                ExamRoom.Attempt.TimeWarned(
                    attempt: attempt, exam: row.exam, student: row.student,
                    remainingSeconds: seconds),
                on: stream)
            notify(
                .init(row.student), .timeRemaining,
                [
                    ("attempt", json(attempt)), ("exam", json(row.exam)),
                    ("remainingSeconds", .integer(Int64(seconds))),
                ],
                link: "examroom://attempts/\(names.text(attempt))")
        }
    }
}
