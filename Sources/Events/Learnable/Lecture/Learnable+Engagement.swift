package import Core

extension Learnable {
    /// The question at the end of a topic (R16). On the subject's stream.
    package enum Engagement {
        /// An engagement question was answered; the feedback comes along, right or wrong (R16).
        package struct Answered: StudentEvent {
            package static let type = "learnable.engagement.answered"
            package static let streams = ["subject"]
            package static let sentence = "An engagement question was answered."
            package static let rules = [16]
            package internal(set) var student = StudentID.none
            package internal(set) var subject = SubjectID.none
            package internal(set) var topic = TopicNumber.empty
            package internal(set) var number = 0
            package internal(set) var format = Format.multipleChoice
            package internal(set) var verdict = Verdict()

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.own("subject", &subject)
                coder.field("topic", &topic)
                coder.field("number", &number)
                coder.field("format", &format)
                verdict.fields(&coder)
            }
        }

        /// A service assessed a free-text answer (R16).
        package struct Assessed: StudentEvent {
            package static let type = "learnable.engagement.assessed"
            package static let streams = ["subject"]
            package static let sentence = "An engagement answer was assessed."
            package static let rules = [16]
            package internal(set) var student = StudentID.none
            package internal(set) var subject: Own<SubjectID> = .none
            package internal(set) var topic = TopicNumber.empty
            package internal(set) var number = 0
            package internal(set) var correct = false
            package internal(set) var feedback: Personal<Body> = nil

            package init() {}
        }

        /// An additional engagement question was requested, at most one per topic (R16).
        package struct AnotherRequested: StudentEvent {
            package static let type = "learnable.engagement.another-requested"
            package static let streams = ["subject"]
            package static let sentence = "An additional engagement question was requested."
            package static let rules = [16]
            package internal(set) var student = StudentID.none
            package internal(set) var subject: Own<SubjectID> = .none
            package internal(set) var topic = TopicNumber.empty
            package internal(set) var number = 2

            package init() {}
        }

        /// The additional engagement question arrived; it need not be answered (R16).
        package struct AnotherAsked: StudentEvent {
            package static let type = "learnable.engagement.another-asked"
            package static let streams = ["subject"]
            package static let sentence = "An additional engagement question was asked."
            package static let rules = [16]
            package internal(set) var student = StudentID.none
            package internal(set) var subject: Own<SubjectID> = .none
            package internal(set) var topic = TopicNumber.empty
            package internal(set) var number = 2
            package internal(set) var question = Form()

            package init() {}
        }
    }
}
