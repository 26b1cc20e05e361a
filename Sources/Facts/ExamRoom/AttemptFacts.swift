package import Core
package import ExamRoomEvents
package import Folding

extension ExamRoom {
    /// One sitting: what it began with, its answers, its closing and its grade.
    package struct AttemptRow: Record {
        package var exam = ExamID.none
        package var student = StudentID.none
        package var title = Word.empty
        package var startedAt = Instant.epoch
        package var writer = DeviceID.none
        package var startedPosition = Position.zero
        /// The id of the command that started it, where it was given.
        package var startCommand = ""
        package var startedBy = Word.empty
        package var durationSeconds = 0
        package var extra: Attempt.Extra?
        package var limitSeconds = 0
        package var deadline = Instant.epoch
        package var feedback = Exam.Feedback.after
        package var answersFinal = false
        package var passPercent = Percent.zero
        package var maxScore = 0
        package var warnings: [Int] = []
        package var paper: [Shared<Attempt.PaperQuestion>] = []
        package var sitting = Sitting()
        package var closing: Closing?
        package var grade: GradeRow?
        package var isDiscarded = false
        /// Its student is deleted (R24).
        package var isForgotten = false
        /// An admin chose that it does not count (R45).
        package var isSetAside = false
        /// Points that were awarded, as last adjusted; nil before.
        package var points: Int?
        /// Sat in the former system: without paper and deadline (R36).
        package var isImported = false

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            coder.field("student", &student)
            coder.field("title", &title)
            coder.field("startedAt", &startedAt)
            coder.field("writer", &writer)
            coder.field("startedPosition", &startedPosition)
            coder.field("startCommand", &startCommand)
            coder.field("startedBy", &startedBy)
            coder.field("durationSeconds", &durationSeconds)
            coder.field("extra", &extra)
            coder.field("limitSeconds", &limitSeconds)
            coder.field("deadline", &deadline)
            coder.field("feedback", &feedback)
            coder.field("answersFinal", &answersFinal)
            coder.field("passPercent", &passPercent)
            coder.field("maxScore", &maxScore)
            coder.field("warnings", &warnings)
            coder.field("paper", &paper)
            coder.field("sitting", &sitting)
            coder.field("closing", &closing)
            coder.field("grade", &grade)
            coder.field("isDiscarded", &isDiscarded)
            coder.field("isForgotten", &isForgotten)
            coder.field("isSetAside", &isSetAside)
            coder.field("points", &points)
            coder.field("isImported", &isImported)
        }

        /// R24: an attempt counts when it is not set aside and its student is not deleted.
        package var counts: Bool { !isSetAside && !isForgotten }

        /// When and where it began.
        package var start: Stamp { Stamp(startedAt, writer.symbol) }

        /// R17: open until it is submitted or its deadline is reached, timer event or not.
        package func isOpen(at instant: Instant) -> Bool {
            closing == nil && instant < deadline
        }

        /// R22: the score that counts; nil while no closing event stands.
        package var score: Int? { grade?.score ?? closing?.score }

        package var percent: Percent? {
            score.map { Percent($0, of: maxScore) }
        }

        package var isPassed: Bool? {
            score.map { isPassing($0) }
        }

        /// R19: exactly, without rounding: `score` × 100 ≥ `passPercent` × `maxScore`.
        package func isPassing(_ score: Int) -> Bool {
            passPercent.isReached(by: score, of: maxScore)
        }
    }

    /// What the last closing event said.
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

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("how", &how)
            coder.field("closedAt", &closedAt)
            coder.field("localDate", &localDate)
            coder.field("secondsTaken", &secondsTaken)
            coder.field("answered", &answered)
            coder.field("score", &score)
            coder.field("marks", &marks)
            coder.field("position", &position)
        }

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

    /// The last modified grade, by moment, then writer; equal pairs: the later position (R22).
    package struct GradeRow: Record {
        package var score = 0
        package var stamp = Stamp()

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("score", &score)
            coder.field("stamp", &stamp)
        }
    }
}

extension ExamRoom.State {
    static func attemptRoutes(_ routes: inout Routes<ExamRoom.State>) {
        routes.on(ExamRoom.Attempt.Started.self) { $0.started($1, $2) }
        routes.on(ExamRoom.Answer.Saved.self) { $0.answered($1, $2) }
        routes.on(ExamRoom.Attempt.TimeLogged.self) { state, event, _ in
            state.attempts.updateExisting(event.attempt) {
                $0.sitting.tell(event.seconds, on: event.question)
            }
        }
        routes.on(ExamRoom.Attempt.TimeWarned.self) { state, event, metadata in
            state.timers.cancel(
                ExamRoom.AttemptTimer.warning(seconds: event.remainingSeconds).name,
                on: metadata.stream
            )
        }
        routes.on(ExamRoom.Attempt.Submitted.self) { $0.submitted($1, $2) }
        routes.on(ExamRoom.Attempt.Discarded.self) { state, event, _ in
            state.attempts.updateExisting(event.attempt) { $0.isDiscarded = true }
        }
        routes.on(ExamRoom.Grade.Modified.self) { $0.graded($1, $2) }
        routes.on(ExamRoom.Attempt.Reconciled.self) { state, event, metadata in
            state.reconciled(event)
            state.touch(event.closing.exam, metadata)
        }
        routes.on(ExamRoom.Attempt.SetAside.self) { state, event, _ in
            state.change(event.attempt) { $0.isSetAside = true }
        }
        // A refusal changes nothing; the audit views read it from the journal.
        routes.on(ExamRoom.Violation.Recorded.self) { _, _, _ in }
    }

    private func started(_ event: ExamRoom.Attempt.Started, _ metadata: EventMetadata) {
        guard exams.contains(event.exam), students.contains(event.student) else { return }
        attempts.update(event.attempt) {
            $0.exam = event.exam
            $0.student = event.student
            $0.title = event.title
            $0.startedAt = event.startedAt
            $0.writer = .init(metadata.writer)
            $0.startedPosition = metadata.position
            $0.startCommand = metadata.originalCommand
            $0.startedBy = Word(metadata.actor)
            $0.durationSeconds = event.durationSeconds
            $0.extra = event.extra
            $0.limitSeconds = event.limitSeconds
            $0.deadline = event.deadline
            $0.feedback = event.feedback
            $0.answersFinal = event.answersFinal
            $0.passPercent = event.passPercent
            $0.maxScore = event.maxScore
            $0.warnings = event.warnings
            $0.paper = event.paper
        }
        let place = exams.update(event.exam) { exam in
            exam.open += 1
            exam.unclosed += 1
            exam.attempts += 1
            return exam.attempts - 1
        }
        examAttempts.append(event.attempt, to: event.exam, at: place)
        seat(event.exam, event.student) { $0.attempts.append(event.attempt) }
        let own = changeStudent(event.student) { student in
            student.attempts += 1
            student.counting += 1
            return student.attempts - 1
        }
        studentAttempts.append(event.attempt, to: event.student, at: own ?? 0)
        setTimers(of: event, metadata)
    }

    /// Timers: warnings that come after the start, and the end (17.2, 17.3, 5.6).
    private func setTimers(of event: ExamRoom.Attempt.Started, _ metadata: EventMetadata) {
        var set: [Timers.Entry] = []
        set.reserveCapacity(event.warnings.count + 1)
        for seconds in event.warnings {
            let due = event.deadline - Int64(seconds)
            guard due > event.startedAt, due >= metadata.at else { continue }
            set.append(.init(warningName(seconds), due: due, cause: metadata.position))
        }
        set.append(
            .init(
                ExamRoom.AttemptTimer.timeUp.name, due: max(event.deadline, metadata.at),
                cause: metadata.position))
        timers.set(set, on: metadata.stream)
    }

    /// Of a warning so many seconds before the end: few differ, and every attempt has some.
    private func warningName(_ seconds: Int) -> String {
        if let known = warningNames.value[seconds] { return known }
        let name = ExamRoom.AttemptTimer.warning(seconds: seconds).name
        warningNames.value[seconds] = name
        return name
    }

    private func answered(_ event: ExamRoom.Answer.Saved, _ metadata: EventMetadata) {
        attempts.updateExisting(event.attempt) { attempt in
            var answer = ExamRoom.AnswerRow()
            answer.question = event.question
            answer.chosen = event.chosen
            answer.toldRight = event.feedback?.correct
            answer.answeredAt = event.answeredAt
            answer.writer = .init(metadata.writer)
            answer.position = metadata.position
            attempt.sitting.tell(answer, event.seconds, by: metadata.subject)
        }
    }

    private func submitted(_ event: ExamRoom.Attempt.Submitted, _ metadata: EventMetadata) {
        var isFirst = false
        var isForgotten = false
        var counts = false
        attempts.updateExisting(event.attempt) {
            guard $0.closing == nil else { return }
            $0.closing = ExamRoom.Closing(event, at: metadata.position)
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
        changeStudent(event.student) {
            $0.completed += 1
            if event.how == .student { $0.handedIn += 1 }
            $0.percentSum += Int(event.percent.hundredths)
            $0.addDay(event.localDate)
        }
    }

    private func graded(_ event: ExamRoom.Grade.Modified, _ metadata: EventMetadata) {
        guard let attempt = attempts[event.attempt], let old = attempt.percent else { return }
        let stamp = Stamp(metadata)
        if let former = attempt.grade, stamp.precedes(former.stamp, names) { return }
        attempts.update(event.attempt) {
            var grade = ExamRoom.GradeRow()
            grade.score = event.newScore
            grade.stamp = stamp
            $0.grade = grade
        }
        guard attempt.counts else { return }
        changeStudent(event.student) {
            $0.percentSum += Int(event.newPercent.hundredths - old.hundredths)
        }
    }

    /// R43: another closing stands; the place among the closings stays that of the first.
    private func reconciled(_ event: ExamRoom.Attempt.Reconciled) {
        change(event.closing.attempt) {
            guard let former = $0.closing else { return }
            $0.closing = ExamRoom.Closing(event.closing, at: former.position)
        }
    }

    /// Changes an attempt, and what it counts for with it.
    func change(
        _ id: ExamRoom.AttemptID, _ body: (inout ExamRoom.AttemptRow) -> Void
    ) {
        guard var attempt = attempts[id] else { return }
        count(attempt, times: -1)
        body(&attempt)
        attempts.insert(attempt, at: id)
        count(attempt, times: 1)
    }
}
