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
            case .keep: keep(subject, row, in: context)
            case .delete: delete(subject, in: context)
            case .setAside: setAside(subject, row, in: context)
            }
        }

        /// What was held counts from here on (R45).
        private func keep(_ subject: ConflictSubject, _ conflict: ConflictRow, in context: Context)
        {
            guard conflict.isHolding, case .attempt(let attempt) = subject,
                let row = context.state.attempts[attempt]
            else { return }
            // Before what the attempt earns: notifications stand in the order of their causes.
            tell(row.student, conflict, in: context)
            let isHeld = row.holds.contains(self.conflict)
            let admits =
                conflict.kind == .lateAnswers
                && (!isHeld || context.state.hasLate(row, self.conflict))
            // With what is admitted: a badge is never taken back (R27).
            if isHeld { context.release(attempt, row, self.conflict, earnsLater: admits) }
            guard admits else { return }
            context.admit(attempt, context.state.attempts[attempt] ?? row, self.conflict)
            if isHeld { context.earn(attempt) }
        }

        /// The student hears how a choice about their attempt fell (9.6).
        private func tell(_ student: StudentID, _ conflict: ConflictRow, in context: Context) {
            context.notify(
                .init(student), .conflictResolved,
                [
                    ("conflict", context.json(self.conflict)),
                    ("kind", .string(conflict.kind.rawValue)),
                    ("record", .string(conflict.record)),
                ],
                link: "examroom://conflicts/\(context.names.text(self.conflict))")
        }

        /// What is deleted already stays so (R45).
        private func delete(_ subject: ConflictSubject, in context: Context) {
            switch subject {
            case .exam(let exam):
                guard let row = context.state.exams[exam], !row.isDeleted else { return }
                context.delete(exam, row)
            case .question(let exam, let question):
                // Of a deleted exam, too: it may be restored.
                guard let row = context.state.bankQuestion(question, of: exam) else { return }
                context.remove(question, of: exam, row)
            case .attempt: return
            }
        }

        /// The attempt earns nothing from here on (R27).
        private func setAside(
            _ subject: ConflictSubject, _ conflict: ConflictRow, in context: Context
        ) {
            guard case .attempt(let attempt) = subject, let row = context.state.attempts[attempt]
            else { return }
            if conflict.isHolding { tell(row.student, conflict, in: context) }
            // What came late to an attempt that counts stays out, and the attempt counts as it is.
            let isWhole = conflict.kind != .lateAnswers || row.holds.contains(self.conflict)
            if row.isSetAside || !isWhole { return }
            context.record(
                Attempt.SetAside(
                    attempt: attempt, exam: row.exam, student: row.student,
                    conflict: self.conflict),
                on: attempt)
            context.adjustAwards(for: attempt)
            context.releaseWithinLimit(
                context.state.seats[.init(row.exam, row.student)]?.attempts ?? [])
        }
    }
}
