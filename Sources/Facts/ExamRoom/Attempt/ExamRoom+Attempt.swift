package import Core
package import ExamRoomEvents
package import Folding

extension ExamRoom {
    /// An attempt: what it began with, its answers, its closing and its grade.
    package struct AttemptRow: Record {
        package var exam = ExamID.none
        package var student = StudentID.none
        package var title = InternedText.empty
        package var startedAt = Instant.epoch
        package var writer = DeviceID.none
        /// The device whose batch brought it; none where it began in this journal.
        package var source = DeviceID.none
        /// That batch (R44).
        package var batch = BatchID.none
        package var startedPosition = Position.zero
        /// The id of the command that started it, where it was given.
        package var startCommand = ""
        package var startedBy = InternedText.empty
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
        package var answerLog = AnswerLog()
        /// Each by its student; the earliest that is not held closes the attempt (R43).
        package var submissions: [Submission] = []
        /// Answers that came late and do not count yet (R53).
        package var heldAnswers: [HeldAnswer] = []
        /// Up to here an admin let the answers count that came late (R45).
        package var admittedThrough = Position.zero
        /// How often an admin settled what came late.
        package var lateChoices = 0
        /// Where the last of these choices stands: what was published before holds the attempt no
        /// more (R53).
        package var lateSettledAt = Position.zero
        /// Conflicts for which the attempt does not count yet (R53, R54).
        package var holds: [ConflictID] = []
        package var course = AttemptCourse.open
        /// Its student is deleted (R24).
        package var isForgotten = false
        /// An admin chose that it does not count (R45).
        package var isSetAside = false

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            coder.field("student", &student)
            coder.field("title", &title)
            coder.field("startedAt", &startedAt)
            coder.field("writer", &writer)
            coder.field("source", &source)
            coder.field("batch", &batch)
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
            coder.field("sitting", &answerLog)
            coder.field("submissions", &submissions)
            coder.field("heldAnswers", &heldAnswers)
            coder.field("admittedThrough", &admittedThrough)
            coder.field("lateChoices", &lateChoices)
            coder.field("lateSettledAt", &lateSettledAt)
            coder.field("holds", &holds)
            coder.field("course", &course)
            coder.field("isForgotten", &isForgotten)
            coder.field("isSetAside", &isSetAside)
        }

        /// An attempt counts when it is neither set aside nor held and its student is not deleted (R24).
        package var counts: Bool { !isSetAside && holds.isEmpty && !isForgotten }

        /// When and where it began.
        package var start: Stamp { Stamp(startedAt, writer.symbol) }

        /// Open until it is submitted or its deadline is reached, timer event or not (R17).
        package func isOpen(at instant: Instant) -> Bool {
            course == .open && instant < deadline
        }

        /// The score that counts; nil before the closing event (R22).
        package var score: Int? { grade?.score ?? closing?.score }

        package var percent: Percent? {
            score.map { Percent($0, of: maxScore) }
        }

        package var isPassed: Bool? {
            score.map { isPassing($0) }
        }

        /// Exactly, without rounding: `score` × 100 ≥ `passPercent` × `maxScore` (R19).
        package func isPassing(_ score: Int) -> Bool {
            passPercent.isReached(by: score, of: maxScore)
        }
    }
}

extension ExamRoom.State {
    static func attemptRoutes(_ routes: inout Routes<ExamRoom.State>) {
        routes.on(ExamRoom.Attempt.Started.self) { $0.started($1, $2) }
        routes.on(ExamRoom.Attempt.TimeWarned.self) { state, event, metadata in
            state.timers.cancel(
                ExamRoom.AttemptTimer.warning(seconds: event.remainingSeconds).name,
                on: metadata.stream)
        }
        routes.on(ExamRoom.Attempt.Discarded.self) { state, event, _ in
            state.attempts.updateExisting(event.attempt) { attempt in
                attempt.changeOutcome { $0.isDiscarded = true }
            }
        }
        routes.on(ExamRoom.Attempt.SetAside.self) { state, event, _ in
            state.change(event.attempt) { attempt in
                attempt.isSetAside = true
                attempt.holds.removeAll { $0 == event.conflict }
            }
        }
    }

    private func started(_ event: ExamRoom.Attempt.Started, _ metadata: EventMetadata) {
        guard exams.contains(event.exam), students.contains(event.student) else { return }
        attempts.update(event.attempt) {
            $0.exam = event.exam
            $0.student = event.student
            $0.title = event.title
            $0.startedAt = event.startedAt
            $0.writer = .init(metadata.writer)
            $0.source = metadata.source
            $0.batch = metadata.batch
            $0.startedPosition = metadata.position
            $0.startCommand = metadata.originalCommand
            $0.startedBy = InternedText(metadata.actor)
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
        changeSeat(event.exam, event.student) { $0.attempts.append(event.attempt) }
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

    /// The warning this many seconds before the end: few differ, and every attempt has some.
    private func warningName(_ seconds: Int) -> String {
        if let known = warningNames.value[seconds] { return known }
        let name = ExamRoom.AttemptTimer.warning(seconds: seconds).name
        warningNames.value[seconds] = name
        return name
    }

    /// All attempts at an exam, in the order in which they were started.
    package func attemptsAt(_ exam: ExamRoom.ExamID) -> [ExamRoom.AttemptID] {
        examAttempts.elements(of: exam, count: exams[exam]?.attempts ?? 0)
    }
}
