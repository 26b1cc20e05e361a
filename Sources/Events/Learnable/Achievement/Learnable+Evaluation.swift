package import Core

extension Learnable {
    /// What the AI service says of a student's progress (R38). On the student's stream.
    package enum Evaluation {
        /// The student asked for an evaluation, of one subject or of all (R38).
        package struct Requested: StudentEvent {
            package static let type = "learnable.evaluation.requested"
            package static let streams = ["student"]
            package static let sentence = "An evaluation was requested."
            package static let rules = [38]
            package internal(set) var student = StudentID.none
            package internal(set) var request = 0
            package internal(set) var subject: SubjectID?
            package internal(set) var day = LocalDate.epoch

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("request", &request)
                coder.field("subject", &subject)
                coder.field("day", &day)
            }
        }

        /// The evaluation arrived; it is shown in place of the rule's from now on (R38).
        package struct Delivered: StudentEvent {
            package static let type = "learnable.evaluation.delivered"
            package static let streams = ["student"]
            package static let sentence = "An evaluation was delivered."
            package static let rules = [38]
            package internal(set) var student = StudentID.none
            package internal(set) var request = 0
            package internal(set) var subject: SubjectID?
            package internal(set) var text: Body?

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("request", &request)
                coder.field("subject", &subject)
                coder.personal("text", &text)
            }
        }
    }
}
