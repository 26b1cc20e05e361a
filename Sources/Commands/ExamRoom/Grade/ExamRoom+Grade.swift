import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// An admin gives a closed attempt another score (R22, 23.6).
    struct ModifyGrade: Command {
        static let type = "examroom.grade.modify"
        var attempt = AttemptID.none
        var score = 0
        var reason = ""

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            // The attempts of a deleted student cannot be graded (R6).
            guard let row = context.state.attempts[attempt], !row.isForgotten else {
                throw context.notFound(attempt)
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
                on: attempt)
            context.adjustAwards(for: attempt)
        }
    }
}
