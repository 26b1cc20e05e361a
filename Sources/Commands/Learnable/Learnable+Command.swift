import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension Learnable {
    /// A command of this product: who may send it, and what it does.
    ///
    /// `decide` checks in this order: what the command names is there, in the order of the fields; it is the
    /// sender's own; `confirmed`; what access must allow; the codes of the page's row. Then it records.
    protocol Command: ProductCommand where Product == Learnable {}

    /// A command that names only its student.
    protocol StudentAlone: Command {
        var student: StudentID { get set }
    }

    /// A command that names only its subject.
    protocol SubjectAlone: Command {
        var subject: SubjectID { get set }
    }

    /// A command that names only a topic of a subject.
    protocol TopicAlone: Command {
        var subject: SubjectID { get set }
        var topic: TopicNumber { get set }
    }

    /// A command that names only its question.
    protocol QuestionAlone: Command {
        var question: QuestionID { get set }
    }
}

extension Learnable.StudentAlone {
    mutating func fields<C: Coder>(_ coder: inout C) { coder.field("student", &student) }
}

extension Learnable.SubjectAlone {
    mutating func fields<C: Coder>(_ coder: inout C) { coder.field("subject", &subject) }
}

extension Learnable.TopicAlone {
    mutating func fields<C: Coder>(_ coder: inout C) {
        coder.field("subject", &subject)
        coder.field("topic", &topic)
    }
}

extension Learnable.QuestionAlone {
    mutating func fields<C: Coder>(_ coder: inout C) { coder.field("question", &question) }
}

extension DecisionContext<Learnable> {
    /// `confirmation-required` unless the student confirmed.
    func checkConfirmed(_ confirmed: Bool) throws(Learnable.Rejection) {
        try check(confirmed, else: .confirmationRequired)
    }

    /// The local day of the command (R1).
    func day(of student: Learnable.StudentID) -> LocalDate { state.day(of: student, at: at) }
}
