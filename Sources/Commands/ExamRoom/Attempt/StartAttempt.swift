package import Commands
package import Core
package import ExamRoomEvents
package import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Opens the paper; from here on the clock runs (5.1).
    package struct StartAttempt: Command {
        package static let type = "examroom.attempt.start"
        var attempt = AttemptID.none
        var exam = ExamID.none
        var student = StudentID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("attempt", &attempt)
            coder.field("exam", &exam)
            coder.field("student", &student)
        }

        package func who(in room: Room) -> Who { .student(student) }

        /// R15.
        package func apply(in scene: Scene<Room>) throws(Rejection) {
            let room = scene.state
            let row = try room.exam(exam)
            let seat = try room.seat(exam, student)
            if seat.isBlocked { throw .studentBlocked }
            if !row.isPublished || row.isArchived { throw .examNotPublished }
            if row.questions == 0 { throw .noQuestions }
            if let opensAt = row.details.window.opensAt, scene.at < opensAt { throw .examNotOpen }
            if let closesAt = row.details.window.closesAt, scene.at >= closesAt {
                throw .examClosed
            }
            let used = room.standingAttempts(of: seat)
            if used.contains(where: { room.attempts[$0]?.isOpen(at: scene.at) ?? false }) {
                throw .attemptOpen
            }
            if let maxAttempts = row.details.maxAttempts, used.count >= maxAttempts {
                throw .attemptLimit
            }
            if room.attempts.contains(attempt) { throw .alreadyExists }  // R1
            record(row, room.banks[exam] ?? Bank(), seat.granted, in: scene)
        }

        /// R13, R14: the attempt keeps what it begins with.
        func record(
            _ row: ExamRow, _ bank: Bank, _ granted: Seat.Extension?, in scene: Scene<Room>
        ) {
            scene.record(
                start(row, bank, granted, in: scene), on: scene.attemptStream(attempt))
        }

        private func start(
            _ row: ExamRow, _ bank: Bank, _ granted: Seat.Extension?, in scene: Scene<Room>
        ) -> Attempt.Started {
            let policy = scene.state.policy
            let paper = Paper.questions(
                of: bank, details: row.details,
                attempt: scene.names.text(attempt), names: scene.names)
            var fact = Attempt.Started()
            fact.attempt = attempt
            fact.exam = exam
            fact.student = student
            fact.title = Word(scene.names.intern(row.details.title))
            fact.startedAt = scene.at
            fact.feedback = row.details.feedback
            fact.answersFinal = row.details.feedback == .instant && policy.instantAnswerFinal
            fact.passPercent = row.details.passPercent
            fact.maxScore = paper.reduce(0) { $0 + $1.points }
            fact.warnings = policy.warningSeconds.sorted(by: >)
            fact.paper = paper.map { Shared($0, in: scene.names) }
            // R14
            fact.durationSeconds = row.details.durationSeconds
            fact.extra = granted.map {
                Attempt.Extra($0, durationSeconds: row.details.durationSeconds)
            }
            fact.limitSeconds = fact.durationSeconds.addingClamping(fact.extra?.extraSeconds ?? 0)
            fact.deadline = scene.at + Int64(fact.limitSeconds)
            if policy.closeEndsAttempts, let closesAt = row.details.window.closesAt {
                fact.deadline = max(scene.at, min(fact.deadline, closesAt))
            }
            return fact
        }

        package func trace(of rejection: Rejection, in scene: Scene<Room>) {
            scene.recordViolation(rejection, of: Self.type, by: AccountID(student), exam: exam)
        }
    }
}
