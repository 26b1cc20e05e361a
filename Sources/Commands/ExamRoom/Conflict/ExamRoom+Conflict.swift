import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// An admin settles a conflict (R45, 9.7).
    struct ResolveConflict: Command {
        static let type = "examroom.conflict.resolve"
        var conflict = ConflictID.none
        var choice = ""

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(conflict)
            if context.state.isSettled(row) { throw .conflictSettled }
            guard let option = row.choices.first(where: { $0.rawValue.isExactly(choice) }),
                let subject = ConflictSubject(row, context.names)
            else { throw .choiceUnknown }
            context.record(Conflict.Resolved(conflict: conflict, choice: option), on: conflict)
            switch option {
            case .keep: break
            case .delete: delete(subject, in: context)
            case .setAside: setAside(subject, in: context)
            }
        }

        /// What is deleted already stays so (R45).
        private func delete(_ subject: ConflictSubject, in context: Context) {
            switch subject {
            case .exam(let exam):
                guard let row = context.state.exams[exam], !row.isDeleted else { return }
                context.delete(exam, row)
            case .question(let exam, let question):
                guard context.state.exams[exam]?.isDeleted == false,
                    let row = context.state.bankQuestion(question, of: exam)
                else { return }
                context.remove(question, of: exam, row)
            case .attempt: return
            }
        }

        /// The attempt earns nothing from here on (R27).
        private func setAside(_ subject: ConflictSubject, in context: Context) {
            guard case .attempt(let attempt) = subject, let row = context.state.attempts[attempt],
                !row.isSetAside
            else { return }
            context.record(
                Attempt.SetAside(
                    attempt: attempt, exam: row.exam, student: row.student, conflict: conflict),
                on: attempt)
            context.adjustAwards(for: attempt)
        }
    }
}
