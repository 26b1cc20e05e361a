import Core
import Folding
import LearnableEvents
import LearnableFacts
import Projections

extension Learnable {
    /// What falls due when? (R20)
    static let scheduleView = ReadModel<State>(
        "learnable.schedule", "What falls due when?", key: "student",
        keys: { $0.studentKeys }, basis: .on(Grounds.life, Grounds.policy)
    ) { state, request, output in
        guard let (student, row) = state.student(request.key) else { return false }
        let today = state.day(of: student, at: request.now)
        let days = state.dueByDay(row.epoch)
        output.object { output in
            output.array("days", days) { output, entry in
                output.object { output in
                    output.member("day", entry.day)
                    output.member("questions", entry.questions)
                }
            }
            output.member(
                "overdue", days.reduce(0) { $1.day < today ? $0 + $1.questions.count : $0 })
            output.member("today", today)
        }
        return true
    }
}
