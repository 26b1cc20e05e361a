import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension Learnable {
    /// Requests an evaluation of a subject, or of all (R38).
    struct RequestEvaluation: Command {
        static let type = "learnable.evaluation.request"
        func senders(in state: State) -> Senders { .student }
        var student = StudentID.none
        var subject: SubjectID?

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.optional("subject", &subject)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(student)
            let asked: SubjectRow? = if let subject { try context.find(subject) } else { nil }
            try context.checkOwner(student, of: student)
            if let asked, let subject { try context.checkOwner(asked.student, of: subject) }
            try context.checkNeed(.app, of: student)
            if let asked, asked.state != .ready { throw .subjectNotReady }
            context.record(
                Evaluation.Requested(
                    student: student,
                    request: row.evaluations + 1,
                    subject: subject,
                    day: context.day(of: student)), on: student)
        }
    }

    /// The AI service's evaluation: the answer to the latest request of its subject, or of all (R38).
    struct DeliverEvaluation: Command {
        static let type = "learnable.evaluation.deliver"
        func senders(in state: State) -> Senders { .service }
        var student = StudentID.none
        var request = SignedInt(0)
        var subject: SubjectID?
        var text = Body.empty

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("request", &request)
            coder.optional("subject", &subject)
            coder.field("text", &text)
        }

        func decide(in context: Context) throws(Rejection) {
            try context.findOwn(student)
            if let subject, try context.find(subject).student != student {
                throw context.notFound(subject)
            }
            guard let row = context.state.evaluation(of: student, subject) else {
                throw .noSuchRequest
            }
            try request.check(latest: row.requested, delivered: row.delivered)
            context.record(
                Evaluation.Delivered(
                    student: student,
                    request: request.value,
                    subject: subject,
                    text: text), on: student)
        }
    }
}
