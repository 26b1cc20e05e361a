package import Commands
package import Core
package import ExamRoomEvents
package import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Hands the attempt in (7.2).
    package struct SubmitAttempt: Command {
        package static let type = "examroom.attempt.submit"
        var attempt = AttemptID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("attempt", &attempt)
        }

        package func who(in room: Room) -> Who { .student(room.owner(of: attempt)) }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            _ = try scene.state.runningAttempt(attempt, at: scene.at)
            scene.close(attempt, .student, at: scene.at)
        }
    }

    /// Hides a closed attempt from its student's history and does nothing else (R23).
    package struct DiscardAttempt: Command {
        package static let type = "examroom.attempt.discard"
        var attempt = AttemptID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("attempt", &attempt)
        }

        package func who(in room: Room) -> Who { .student(room.owner(of: attempt)) }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            guard let row = scene.state.attempts[attempt] else { throw .notFound }
            guard let closing = row.closing else { throw .attemptOpen }
            let wait = scene.state.policy.discardAfterDays.multipliedClamping(86_400)
            if scene.at < closing.closedAt + Int64(wait) { throw .attemptTooRecent }
            if row.isDiscarded { throw .alreadyDiscarded }
            scene.record(
                Attempt.Discarded(attempt: attempt, exam: row.exam, student: row.student),
                on: scene.attemptStream(attempt))
        }
    }

    /// An admin gives a closed attempt another score (R22, 23.6).
    package struct ModifyGrade: Command {
        package static let type = "examroom.grade.modify"
        var attempt = AttemptID.none
        var score = 0
        var reason = ""

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("attempt", &attempt)
            coder.field("score", &score)
            coder.field("reason", &reason)
        }

        package func who(in room: Room) -> Who { .admin }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            // R6: the attempts of a deleted student cannot be graded.
            guard let row = scene.state.attempts[attempt], !row.isForgotten else { throw .notFound }
            guard let oldScore = row.score else { throw .attemptOpen }
            if reason.isBlank { throw .reasonMissing }
            if score > row.maxScore { throw .scoreOutOfRange }
            if score == oldScore { throw .nothingToChange }
            scene.record(
                Grade.Modified(
                    attempt: attempt, exam: row.exam, student: row.student, oldScore: oldScore,
                    newScore: score, oldPercent: Percent(oldScore, of: row.maxScore),
                    newPercent: Percent(score, of: row.maxScore), passed: row.isPassing(score),
                    reason: reason),
                on: scene.attemptStream(attempt))
            scene.adjustAwards(for: attempt)
        }
    }
}

extension Scene<ExamRoom.Room> {
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
        var fact = ExamRoom.Attempt.Submitted()
        fact.attempt = id
        fact.exam = row.exam
        fact.student = row.student
        fact.how = how
        fact.closedAt = closedAt
        fact.localDate = localDate(of: .init(row.student), at: closedAt)
        fact.secondsTaken = Int(closedAt.milliseconds(since: row.startedAt) / 1000)
        fact.answered = marks.count(where: \.answered)
        fact.correct = marks.count(where: \.correct)
        fact.score = marks.reduce(0) { $0 + $1.points }
        fact.maxScore = row.maxScore
        fact.percent = Percent(fact.score, of: row.maxScore)
        fact.passed = row.isPassing(fact.score)
        fact.marks = marks
        return fact
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
