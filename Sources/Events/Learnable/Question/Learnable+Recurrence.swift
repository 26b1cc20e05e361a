package import Core

extension Learnable {
    /// Whether a mastered question comes back (R22). On the question's stream.
    package enum Recurrence {
        /// A mastered question no longer comes back: it is due on no day (R22).
        package struct Disabled: StudentEvent {
            package static let type = "learnable.recurrence.disabled"
            package static let streams = ["question"]
            package static let sentence = "A mastered question no longer comes back."
            package static let rules = [22]
            package internal(set) var student = StudentID.none
            package internal(set) var question: Own<QuestionID> = .none
            package internal(set) var day = LocalDate.epoch

            package init() {}
        }

        /// A mastered question comes back again, with a new due date (R22).
        package struct Enabled: StudentEvent {
            package static let type = "learnable.recurrence.enabled"
            package static let streams = ["question"]
            package static let sentence = "A mastered question comes back again."
            package static let rules = [22]
            package internal(set) var student = StudentID.none
            package internal(set) var question = QuestionID.none
            package internal(set) var turn = Question.Turn()

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.own("question", &question)
                turn.fields(&coder)
            }
        }
    }
}
