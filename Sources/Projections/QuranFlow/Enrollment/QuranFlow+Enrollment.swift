import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// An enrolment with its student: what every view that is keyed by an enrolment begins with.
    struct EnrolledLearner {
        let learner: Learner
        let id: EnrollmentID
        let row: EnrollmentRow

        init?(_ key: String, _ state: State, at now: Instant) {
            guard let id: EnrollmentID = state.id(key), let row = state.enrollments[id],
                let learner = Learner(row.student, state, at: now)
            else { return nil }
            self.learner = learner
            self.id = id
            self.row = row
        }

        var state: State { learner.state }
        var now: Instant { learner.now }
        /// The current week, at least 1.
        var currentWeek: Int { max(1, row.currentWeek(at: now)) }

        var allowance: SubmissionAllowance {
            state.allowance(row, at: now)
        }

        var attemptsText: String {
            let allowance = allowance
            return "\(allowance.remaining) of \(allowance.limit) Attempts Remaining"
        }
    }

    /// What have I been through? All enrolments, the oldest first (R3).
    static let learningHistoryView = ReadModel<State>(
        "quranflow.learning-history", "What have I been through?", key: "student",
        keys: { $0.studentKeys },
        basis: .on(Grounds.life, Grounds.policy)
    ) { state, request, output in
        guard let learner = Learner(request.key, state, at: request.now) else { return false }
        output.object { output in
            output.array("items", learner.row.enrollments) { output, id in
                guard let row = state.enrollments[id] else { return }
                let semester = state.semesters[row.semester]
                output.object { output in
                    output.member("coach", row.coach)
                    output.member("completed", row.completedWeeks)
                    output.time("endedAt", row.endedAt, learner.formatter)
                    output.member("enrollment", id)
                    output.member("eocAttempts", row.attempts)
                    output.member("level", row.level)
                    output.member("name", learner.policy.levelName(row.level))
                    output.member("outcome", row.state)
                    output.member("semester", row.semester)
                    output.member("semesterName", semester?.name)
                    output.member("startedOn", semester?.startsOn)
                }
            }
            output.member("student", learner.id)
        }
        return true
    }
}
