package import Core
package import ExamRoomEvents
import Folding

extension ExamRoom {
    /// The last closing of an attempt (R19, R43).
    package struct Closing: Record {
        package var how = Attempt.How.student
        package var closedAt = Instant.epoch
        package var localDate = LocalDate.epoch
        package var secondsTaken = 0
        package var answered = 0
        package var score = 0
        package var marks: [Attempt.Mark] = []
        /// Of the event that closed it first (R28).
        package var position = Position.zero

        package init() {}

        init(_ event: Attempt.Submitted, at position: Position) {
            how = event.how
            closedAt = event.closedAt
            localDate = event.localDate
            secondsTaken = event.secondsTaken
            answered = event.answered
            score = event.score
            marks = event.marks
            self.position = position
        }
    }
}

extension ExamRoom.State {
    static func closingRoutes(_ routes: inout Routes<ExamRoom.State>) {
        routes.on(ExamRoom.Attempt.Submitted.self) { $0.submitted($1, $2) }
        routes.on(ExamRoom.Attempt.Reconciled.self) { state, event, metadata in
            state.reconciled(event, metadata)
            state.touch(event.closing.exam, metadata)
        }
        routes.on(ExamRoom.Attempt.Imported.self) { $0.imported($1, $2) }
    }

    private func submitted(_ event: ExamRoom.Attempt.Submitted, _ metadata: EventMetadata) {
        var isFirst = false
        var isForgotten = false
        var counts = false
        attempts.updateExisting(event.attempt) {
            guard $0.course == .open else { return }
            $0.course = .closed(.init(ExamRoom.Closing(event, at: metadata.position)))
            if event.how == .student {
                $0.submissions.append(.init(at: event.closedAt, metadata.position, metadata.source))
            }
            isFirst = true
            isForgotten = $0.isForgotten
            counts = $0.counts
        }
        guard isFirst else { return }
        timers.cancelAll(on: metadata.stream)
        touch(event.exam, metadata)
        if !isForgotten { exams.updateExisting(event.exam) { $0.unclosed -= 1 } }
        guard counts else { return }
        exams.updateExisting(event.exam) {
            $0.open -= 1
            $0.completed += 1
            $0.completedSeconds = $0.completedSeconds.addingClamping(event.secondsTaken)
            $0.lastClosing = metadata.position
        }
        let isPublished = areResultsPublished(of: event.exam)
        changeStudent(event.student) {
            $0.completed += 1
            if event.how == .student { $0.handedIn += 1 }
            $0.percentSum += Int(event.percent.hundredths)
            if isPublished {
                $0.published += 1
                $0.publishedSum += Int(event.percent.hundredths)
            }
            $0.addDay(event.localDate)
        }
    }

    /// Replaces the closing; the position among the closings stays that of the first (R43).
    private func reconciled(_ event: ExamRoom.Attempt.Reconciled, _ metadata: EventMetadata) {
        change(event.closing.attempt) { attempt in
            guard let former = attempt.closing else { return }
            attempt.changeOutcome { $0.closing = .init(event.closing, at: former.position) }
            // A submission that counts without an event of its own (R43).
            let closedAt = event.closing.closedAt
            guard event.closing.how == .student,
                !attempt.submissions.contains(where: { $0.at == closedAt })
            else { return }
            attempt.submissions.append(.init(at: closedAt, metadata.position, nil))
        }
    }

    /// An attempt that comes closed: it counts like any other, earns nothing, and its date is none
    /// of a streak's (R25, R28).
    private func imported(_ event: ExamRoom.Attempt.Imported, _ metadata: EventMetadata) {
        guard let exam = exams[event.exam], students.contains(event.student) else { return }
        var attempt = ExamRoom.AttemptRow()
        attempt.exam = event.exam
        attempt.student = event.student
        attempt.startedAt = event.startedAt
        attempt.writer = .init(metadata.writer)
        attempt.startedPosition = metadata.position
        attempt.startCommand = metadata.originalCommand
        attempt.startedBy = InternedText(metadata.actor)
        // R22: the exam's at import.
        attempt.passPercent = exam.details.passPercent
        attempt.maxScore = event.maxScore
        var closing = ExamRoom.Closing()
        closing.how = event.how
        closing.closedAt = event.closedAt
        closing.localDate = event.localDate
        closing.secondsTaken = event.secondsTaken
        closing.score = event.score
        closing.answered = event.marks.count(where: \.answered)
        closing.marks = event.marks
        closing.position = metadata.position
        attempt.course = .imported(.init(closing))
        attempt.paper = event.paper
        for mark in event.marks where mark.answered {
            var answer = ExamRoom.AnswerRow()
            answer.question = mark.question
            answer.chosen = event.answers?.first { $0.question == mark.question }?.chosen
            answer.answeredAt = event.closedAt
            answer.writer = attempt.writer
            answer.position = metadata.position
            attempt.answerLog.add(answer, mark.seconds, by: metadata.subject)
        }
        attempts.insert(attempt, at: event.attempt)
        count(attempt, times: 1)
        exams.update(event.exam) {
            $0.attempts += 1
            $0.lastClosing = metadata.position
        }
        touch(event.exam, metadata)
        examAttempts.append(event.attempt, to: event.exam, at: exam.attempts)
        changeSeat(event.exam, event.student) { $0.attempts.append(event.attempt) }
        let own = students.update(event.student) { student in
            student.attempts += 1
            return student.attempts - 1
        }
        studentAttempts.append(event.attempt, to: event.student, at: own)
    }

    /// Changes an attempt, and the sums that it counts in.
    func change(
        _ id: ExamRoom.AttemptID, _ body: (inout ExamRoom.AttemptRow) -> Void
    ) {
        guard var attempt = attempts[id] else { return }
        count(attempt, times: -1)
        body(&attempt)
        attempts.insert(attempt, at: id)
        count(attempt, times: 1)
    }

    /// Adds a counting attempt to the sums of its exam and its student, or takes it off (R24).
    func count(_ attempt: ExamRoom.AttemptRow, times sign: Int) {
        guard attempt.counts else { return }
        exams.updateExisting(attempt.exam) {
            guard let closing = attempt.closing else {
                $0.open += sign
                return
            }
            $0.completed += sign
            $0.completedSeconds += sign * closing.secondsTaken
        }
        let isPublished = areResultsPublished(of: attempt.exam)
        changeStudent(attempt.student) {
            $0.counting += sign
            guard let closing = attempt.closing else { return }
            $0.completed += sign
            if closing.how == .student { $0.handedIn += sign }
            let percent = Int(attempt.percent?.hundredths ?? 0)
            $0.percentSum += sign * percent
            if isPublished {
                $0.published += sign
                $0.publishedSum += sign * percent
            }
            if attempt.isImported { return }  // R28: its date is none of a streak's
            if sign > 0 { $0.addDay(closing.localDate) } else { $0.removeDay(closing.localDate) }
        }
    }

    /// The attempts of a deleted student count nowhere, and the open ones never close (R6, R24).
    func forgetAttempts(of student: ExamRoom.StudentID) {
        for id in attemptsOf(student) {
            change(id) { $0.isForgotten = true }
            guard let attempt = attempts[id], attempt.course == .open else { continue }
            exams.updateExisting(attempt.exam) { $0.unclosed -= 1 }
            if let stream = names.known("examroom/attempt/\(names.text(id))") {
                timers.cancelAll(on: stream)
            }
        }
    }
}
