package import Core
import Folding
package import LearnableEvents

extension Learnable {
    /// The evaluations of one scope, a subject or all of an epoch's (R38).
    package struct EvaluationRow: Record {
        /// Whose key seals what is personal.
        package var person = InternedText.empty
        /// The latest request.
        package var requested = 0
        /// The request that the evaluation answers; 0 before any came.
        package var delivered = 0
        package var deliveredAt = Instant.epoch
        package var text: Body?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("person", &person)
            coder.field("requested", &requested)
            coder.field("delivered", &delivered)
            coder.field("deliveredAt", &deliveredAt)
            coder.kept("text", &text, of: person.symbol)
        }
    }
}

extension Learnable.State {
    static func evaluationRoutes(_ routes: inout Routes<Learnable.State>) {
        routes.on(Learnable.Evaluation.Requested.self) { state, event, metadata in
            guard let epoch = state.students.read(event.student, { $0.epoch }) else { return }
            state.students.updateExisting(event.student) { $0.evaluations = event.request }
            state.evaluations.update(.init(epoch, event.subject ?? .none)) {
                $0.person = InternedText(metadata.subject)
                $0.requested = event.request
            }
        }
        routes.on(Learnable.Evaluation.Delivered.self) { state, event, metadata in
            guard let epoch = state.students.read(event.student, { $0.epoch }) else { return }
            state.evaluations.updateExisting(.init(epoch, event.subject ?? .none)) {
                $0.delivered = event.request
                $0.deliveredAt = metadata.at
                $0.text = event.text
            }
        }
    }

    /// The evaluations of a subject, or of all for nil, in the student's present epoch.
    package func evaluation(
        of student: Learnable.StudentID, _ subject: Learnable.SubjectID?
    ) -> Learnable.EvaluationRow? {
        students.read(student) { $0.epoch }.flatMap { evaluations[.init($0, subject ?? .none)] }
    }
}
