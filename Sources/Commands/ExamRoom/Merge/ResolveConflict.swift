package import Commands
package import Core
package import ExamRoomEvents
package import ExamRoomFacts
import Folding

extension ExamRoom {
    /// An admin chooses what becomes of a conflict (R45, 9.7).
    package struct ResolveConflict: Command {
        package static let type = "examroom.conflict.resolve"
        var conflict = ConflictID.none
        var choice = ""

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("conflict", &conflict)
            coder.field("choice", &choice)
        }

        package func who(in room: Room) -> Who { .admin }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            guard let row = scene.state.conflicts[conflict] else { throw .notFound }
            if scene.state.isSettled(row) { throw .conflictSettled }
            guard let option = row.choices.first(where: { $0.rawValue.isExactly(choice) }),
                let subject = ConflictSubject(row, scene.names)
            else { throw .choiceUnknown }
            scene.record(
                Conflict.Resolved(conflict: conflict, choice: option),
                on: "examroom/conflict/\(scene.names.text(conflict))")
            switch option {
            case .keep: break
            case .delete: delete(subject, in: scene)
            case .setAside: setAside(subject, in: scene)
            }
        }

        /// What is deleted already is so.
        private func delete(_ subject: ConflictSubject, in scene: Scene<Room>) {
            switch subject {
            case .exam(let exam):
                guard let row = scene.state.exams[exam], !row.isDeleted else { return }
                scene.delete(exam, row)
            case .question(let exam, let question):
                guard scene.state.exams[exam]?.isDeleted == false,
                    let row = scene.state.bankQuestion(question, of: exam)
                else { return }
                scene.remove(question, of: exam, row)
            case .attempt: return
            }
        }

        /// R27: it earns nothing from here on.
        private func setAside(_ subject: ConflictSubject, in scene: Scene<Room>) {
            guard case .attempt(let attempt) = subject, let row = scene.state.attempts[attempt],
                !row.isSetAside
            else { return }
            scene.record(
                Attempt.SetAside(
                    attempt: attempt, exam: row.exam, student: row.student, conflict: conflict),
                on: scene.attemptStream(attempt))
            scene.adjustAwards(for: attempt)
        }
    }
}
