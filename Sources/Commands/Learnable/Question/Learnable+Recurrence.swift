import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension Learnable {
    /// Keeps a mastered question from coming back (R22).
    struct DisableRecurrence: QuestionAlone {
        static let type = "learnable.recurrence.disable"
        func senders(in state: State) -> Senders { .student }
        var question = QuestionID.none

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(question, need: .app)
            if !row.isMastered { throw .notMastered }
            if row.isDisabled { throw .alreadyDisabled }
            context.recordMissed(of: row.student, dueSince: row.due)
            context.record(
                Recurrence.Disabled(
                    student: row.student,
                    question: question,
                    day: context.day(of: row.student)), on: question)
        }
    }

    /// Lets a mastered question come back again (R22).
    struct EnableRecurrence: QuestionAlone {
        static let type = "learnable.recurrence.enable"
        func senders(in state: State) -> Senders { .student }
        var question = QuestionID.none

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(question, need: .app)
            if !row.isDisabled { throw .notDisabled }
            context.record(
                Recurrence.Enabled(
                    student: row.student,
                    question: question,
                    turn: .init(
                        on: context.day(of: row.student),
                        after: context.state.policy.masteredEveryDays)), on: question)
        }
    }
}
