import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Starts an attempt: the student gets the paper and the clock runs (5.1).
    struct StartAttempt: Command {
        static let type = "examroom.attempt.start"
        var attempt = AttemptID.none
        var exam = ExamID.none
        var student = StudentID.none

        func senders(in state: State) -> Senders { .student(student) }

        /// The start is refused outside the window, for a block, and when attempts are used up (R15).
        func decide(in context: Context) throws(Rejection) {
            let state = context.state
            let row = try context.find(exam)
            let seat = try context.find(seatOf: student, at: exam)
            if seat.isBlocked { throw .studentBlocked }
            if !row.isPublished || row.isArchived { throw .examNotPublished }
            if row.questions == 0 { throw .noQuestions }
            if let opensAt = row.details.window.opensAt, context.at < opensAt { throw .examNotOpen }
            if let closesAt = row.details.window.closesAt, context.at >= closesAt {
                throw .examClosed
            }
            let used = state.usedAttempts(of: seat)
            if used.contains(where: { state.attempts[$0]?.isOpen(at: context.at) ?? false }) {
                throw .attemptOpen
            }
            if let maxAttempts = row.details.maxAttempts, used.count >= maxAttempts {
                throw .attemptLimit
            }
            // An id is never used twice (R1).
            try context.checkIsFree(attempt, unless: state.attempts.contains(attempt))
            record(row, state.banks[exam] ?? Bank(), seat.granted, in: context)
        }

        /// Records the start with all that the attempt keeps: paper, limit, pass mark (R13, R14).
        func record(
            _ row: ExamRow, _ bank: Bank, _ granted: ExtraTime?, in context: Context
        ) {
            context.record(start(row, bank, granted, in: context), on: attempt)
        }

        private func start(
            _ row: ExamRow, _ bank: Bank, _ granted: ExtraTime?, in context: Context
        ) -> Attempt.Started {
            let policy = context.state.policy
            let paper = Paper.questions(
                of: bank, details: row.details,
                attempt: context.names.text(attempt), names: context.names)
            // The time limit (R14)
            let seconds = row.details.durationSeconds
            let extra = granted.map { Attempt.Extra($0, durationSeconds: seconds) }
            let limit = seconds.addingClamping(extra?.extraSeconds ?? 0)
            var deadline = context.at + Int64(limit)
            if policy.closeEndsAttempts, let closesAt = row.details.window.closesAt {
                deadline = max(context.at, min(deadline, closesAt))
            }
            return Attempt.Started(
                attempt: attempt,
                exam: exam,
                student: student,
                title: InternedText(context.names.intern(row.details.title)),
                startedAt: context.at,
                durationSeconds: seconds,
                extra: extra,
                limitSeconds: limit,
                deadline: deadline,
                feedback: row.details.feedback,
                answersFinal: row.details.feedback == .instant && policy.instantAnswerFinal,
                passPercent: row.details.passPercent,
                maxScore: paper.reduce(0) { $0 + $1.points },
                warnings: policy.warningSeconds.sorted(by: >),
                paper: paper.map { Shared($0, in: context.names) })
        }

        func trace(of rejection: Rejection, in context: Context) {
            context.recordViolation(rejection, of: Self.type, by: AccountID(student), exam: exam)
        }
    }

    /// Hides a closed attempt from its student's history and does nothing else (R23).
    struct DiscardAttempt: AttemptCommand {
        static let type = "examroom.attempt.discard"
        var attempt = AttemptID.none

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(attempt)
            guard let closing = row.closing else { throw .attemptOpen }
            let wait = context.state.policy.discardAfterDays
            if context.at < closing.closedAt + wait { throw .attemptTooRecent }
            if row.isDiscarded { throw .alreadyDiscarded }
            context.record(
                Attempt.Discarded(attempt: attempt, exam: row.exam, student: row.student),
                on: attempt)
        }
    }
}

extension ExamRoom.State {
    /// The student whose attempt it is; nil when there is no such attempt.
    func owner(of attempt: ExamRoom.AttemptID) -> ExamRoom.StudentID? {
        attempts.read(attempt, \.student)
    }
}
