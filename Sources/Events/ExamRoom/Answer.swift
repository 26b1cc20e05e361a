package import Core

extension ExamRoom {
    /// A student's answer to a question; it stands on the attempt's stream.
    package enum Answer {
        /// What instant feedback tells (R21).
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

        package struct Saved: Payload {
            package static let type = "examroom.answer.saved"
            package static let streams = ["attempt"]
            package static let sentence = "An answer was saved."
            package private(set) var attempt = AttemptID.none
            package private(set) var question = QuestionID.none
            /// Sorted; empty clears the answer.
            package private(set) var chosen: [OptionID]?
            package private(set) var seconds = 0
            package private(set) var answeredAt = Instant.epoch
            /// Under instant feedback, unless cleared.
            package private(set) var feedback: Feedback?

            package init() {}

            package init(
                attempt: AttemptID, question: QuestionID, chosen: [OptionID], seconds: Int,
                answeredAt: Instant, feedback: Feedback?
            ) {
                self.attempt = attempt
                self.question = question
                self.chosen = chosen
                self.seconds = seconds
                self.answeredAt = answeredAt
                self.feedback = feedback
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("attempt", &attempt)
                coder.field("question", &question)
                coder.personal("chosen", &chosen)
                coder.field("seconds", &seconds)
                coder.field("answeredAt", &answeredAt)
                coder.field("feedback", &feedback)
            }
        }
    }

    /// A score given by a person in place of the computed one (R22).
    package enum Grade {
        package struct Modified: Payload {
            package static let type = "examroom.grade.modified"
            package static let streams = ["attempt"]
            package static let sentence = "A grade was modified."
            package static let significance = Significance.administrative
            package private(set) var attempt = AttemptID.none
            package private(set) var exam = ExamID.none
            package private(set) var student = StudentID.none
            package private(set) var oldScore = 0
            package private(set) var newScore = 0
            package private(set) var oldPercent = Percent.zero
            package private(set) var newPercent = Percent.zero
            package private(set) var passed = false
            package private(set) var reason = ""

            package init() {}

            package init(
                attempt: AttemptID, exam: ExamID, student: StudentID, oldScore: Int, newScore: Int,
                oldPercent: Percent, newPercent: Percent, passed: Bool, reason: String
            ) {
                self.attempt = attempt
                self.exam = exam
                self.student = student
                self.oldScore = oldScore
                self.newScore = newScore
                self.oldPercent = oldPercent
                self.newPercent = newPercent
                self.passed = passed
                self.reason = reason
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("attempt", &attempt)
                coder.field("exam", &exam)
                coder.field("student", &student)
                coder.field("oldScore", &oldScore)
                coder.field("newScore", &newScore)
                coder.field("oldPercent", &oldPercent)
                coder.field("newPercent", &newPercent)
                coder.field("passed", &passed)
                coder.field("reason", &reason)
            }
        }
    }
}
