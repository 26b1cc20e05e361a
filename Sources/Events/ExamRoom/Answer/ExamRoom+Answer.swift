package import Core

extension ExamRoom {
    /// A student's answer to a question. On the attempt's stream.
    package enum Answer {
        /// Instant feedback on an answer (R21).
        package struct Feedback: Record {
            package private(set) var correct = false
            /// In order of id.
            package private(set) var correctOptions: [OptionID] = []
            package private(set) var explanation: String?

            package init() {}

            package init(correct: Bool, correctOptions: [OptionID], explanation: String?) {
                self.correct = correct
                self.correctOptions = correctOptions
                self.explanation = explanation
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("correct", &correct)
                coder.field("correctOptions", &correctOptions)
                coder.field("explanation", &explanation)
            }
        }

        /// The student answered a question, or cleared the answer (R16, R17, R21).
        package struct Saved: Payload {
            package static let type = "examroom.answer.saved"
            package static let streams = ["attempt"]
            package static let sentence = "An answer was saved."
            package static let rules = [16, 17, 21]
            package internal(set) var attempt = AttemptID.none
            package internal(set) var question = QuestionID.none
            /// Sorted; empty clears the answer.
            package internal(set) var chosen: Personal<[OptionID]> = nil
            package internal(set) var seconds = 0
            package internal(set) var answeredAt = Instant.epoch
            /// Under instant feedback, unless cleared.
            package internal(set) var feedback: Feedback?

            package init() {}
        }
    }
}

extension ExamRoom.Attempt {
    /// The student spent time on a question without answering it (R18).
    package struct TimeLogged: Payload {
        package static let type = "examroom.time.logged"
        package static let streams = ["attempt"]
        package static let sentence = "Time on a question was logged."
        package static let rules = [18]
        package internal(set) var attempt = ExamRoom.AttemptID.none
        package internal(set) var question = ExamRoom.QuestionID.none
        package internal(set) var seconds = 0

        package init() {}
    }
}
