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

        init(_ fact: Attempt.Submitted, at position: Position) {
            how = fact.how
            closedAt = fact.closedAt
            localDate = fact.localDate
            secondsTaken = fact.secondsTaken
            answered = fact.answered
            score = fact.score
            marks = fact.marks
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

extension ExamRoom.Room {
    static func attemptRoutes(_ routes: inout Routes<ExamRoom.Room>) {
        routes.on(ExamRoom.Attempt.Started.self) { $0.started($1, $2) }
        routes.on(ExamRoom.Answer.Saved.self) { $0.answered($1, $2) }
        routes.on(ExamRoom.Attempt.TimeLogged.self) { room, fact, _ in
            room.attempts.updateExisting(fact.attempt) {
                $0.sitting.tell(fact.seconds, on: fact.question)
            }
        }
        routes.on(ExamRoom.Attempt.TimeWarned.self) { room, fact, event in
            room.timers.cancel(
                ExamRoom.AttemptTimer.warning(seconds: fact.remainingSeconds).name, on: event.stream
            )
        }
        routes.on(ExamRoom.Attempt.Submitted.self) { $0.submitted($1, $2) }
        routes.on(ExamRoom.Attempt.Discarded.self) { room, fact, _ in
            room.attempts.updateExisting(fact.attempt) { $0.isDiscarded = true }
        }
        routes.on(ExamRoom.Grade.Modified.self) { $0.graded($1, $2) }
        routes.on(ExamRoom.Attempt.Reconciled.self) { room, fact, event in
            room.reconciled(fact)
            room.touch(fact.closing.exam, event)
        }
        routes.on(ExamRoom.Attempt.SetAside.self) { room, fact, _ in
            room.change(fact.attempt) { $0.isSetAside = true }
        }
        // A refusal changes nothing; the audit views read it from the journal.
        routes.on(ExamRoom.Violation.Recorded.self) { _, _, _ in }
    }

    private func started(_ fact: ExamRoom.Attempt.Started, _ event: Circumstances) {
        guard exams.contains(fact.exam), students.contains(fact.student) else { return }
        attempts.update(fact.attempt) {
            $0.exam = fact.exam
            $0.student = fact.student
            $0.title = fact.title
            $0.startedAt = fact.startedAt
            $0.writer = .init(event.writer)
            $0.startedPosition = event.position
            $0.startCommand = event.originalCommand
            $0.startedBy = Word(event.actor)
            $0.durationSeconds = fact.durationSeconds
            $0.extra = fact.extra
            $0.limitSeconds = fact.limitSeconds
            $0.deadline = fact.deadline
            $0.feedback = fact.feedback
            $0.answersFinal = fact.answersFinal
            $0.passPercent = fact.passPercent
            $0.maxScore = fact.maxScore
            $0.warnings = fact.warnings
            $0.paper = fact.paper
        }
        let place = exams.update(fact.exam) { exam in
            exam.open += 1
            exam.unclosed += 1
            exam.attempts += 1
            return exam.attempts - 1
        }
        examAttempts.append(fact.attempt, to: fact.exam, at: place)
        seat(fact.exam, fact.student) { $0.attempts.append(fact.attempt) }
        let own = changeStudent(fact.student) { student in
            student.attempts += 1
            student.counting += 1
            return student.attempts - 1
        }
        studentAttempts.append(fact.attempt, to: fact.student, at: own ?? 0)
        setTimers(of: fact, event)
    }

    /// Timers: warnings that come after the start, and the end (17.2, 17.3, 5.6).
    private func setTimers(of fact: ExamRoom.Attempt.Started, _ event: Circumstances) {
        var set: [Timers.Entry] = []
        set.reserveCapacity(fact.warnings.count + 1)
        for seconds in fact.warnings {
            let due = fact.deadline - Int64(seconds)
            guard due > fact.startedAt, due >= event.at else { continue }
            set.append(.init(warningName(seconds), due: due, cause: event.position))
        }
        set.append(
            .init(
                ExamRoom.AttemptTimer.timeUp.name, due: max(fact.deadline, event.at),
                cause: event.position))
        timers.set(set, on: event.stream)
    }

    /// Of a warning so many seconds before the end: few differ, and every attempt has some.
    private func warningName(_ seconds: Int) -> String {
        if let known = warningNames.value[seconds] { return known }
        let name = ExamRoom.AttemptTimer.warning(seconds: seconds).name
        warningNames.value[seconds] = name
        return name
    }

    private func answered(_ fact: ExamRoom.Answer.Saved, _ event: Circumstances) {
        attempts.updateExisting(fact.attempt) { attempt in
            var answer = ExamRoom.AnswerRow()
            answer.question = fact.question
            answer.chosen = fact.chosen
            answer.toldRight = fact.feedback?.correct
            answer.answeredAt = fact.answeredAt
            answer.writer = .init(event.writer)
            answer.position = event.position
            attempt.sitting.tell(answer, fact.seconds, by: event.subject)
        }
    }

    private func submitted(_ fact: ExamRoom.Attempt.Submitted, _ event: Circumstances) {
        var isFirst = false
        var isForgotten = false
        var counts = false
        attempts.updateExisting(fact.attempt) {
            guard $0.closing == nil else { return }
            $0.closing = ExamRoom.Closing(fact, at: event.position)
            isFirst = true
            isForgotten = $0.isForgotten
            counts = $0.counts
        }
        guard isFirst else { return }
        timers.cancelAll(on: event.stream)
        touch(fact.exam, event)
        if !isForgotten { exams.updateExisting(fact.exam) { $0.unclosed -= 1 } }
        guard counts else { return }
        exams.updateExisting(fact.exam) {
            $0.open -= 1
            $0.completed += 1
            $0.completedSeconds = $0.completedSeconds.addingClamping(fact.secondsTaken)
            $0.lastClosing = event.position
        }
        changeStudent(fact.student) {
            $0.completed += 1
            if fact.how == .student { $0.handedIn += 1 }
            $0.percentSum += Int(fact.percent.hundredths)
            $0.addDay(fact.localDate)
        }
    }

    private func graded(_ fact: ExamRoom.Grade.Modified, _ event: Circumstances) {
        guard let attempt = attempts[fact.attempt], let old = attempt.percent else { return }
        let stamp = Stamp(event)
        if let former = attempt.grade, stamp.precedes(former.stamp, names) { return }
        attempts.update(fact.attempt) {
            var grade = ExamRoom.GradeRow()
            grade.score = fact.newScore
            grade.stamp = stamp
            $0.grade = grade
        }
        guard attempt.counts else { return }
        changeStudent(fact.student) {
            $0.percentSum += Int(fact.newPercent.hundredths - old.hundredths)
        }
    }

    /// R43: another closing stands; the place among the closings stays that of the first.
    private func reconciled(_ fact: ExamRoom.Attempt.Reconciled) {
        change(fact.closing.attempt) {
            guard let former = $0.closing else { return }
            $0.closing = ExamRoom.Closing(fact.closing, at: former.position)
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
