package import Core

extension Tafawoq {
    /// A student's opinion. Stream `tafawoq/feedback/FEEDBACK`.
    package enum Feedback: Thing {
        package static let noun = "feedback"

        /// What feedback is about.
        package enum About: String, Choice {
            case exam
            case practice
            case question
            case layout
            case app
        }

        /// A student gave a rating, a text, or both.
        package struct Given: Payload {
            package static let type = "tafawoq.feedback.given"
            package static let streams = ["feedback"]
            package static let sentence = "Feedback was given."
            package internal(set) var feedback = FeedbackID.none
            package internal(set) var student = StudentID.none
            package internal(set) var about = About.empty
            package internal(set) var subject: SubjectID?
            package internal(set) var rating: Int?
            package internal(set) var text: Personal<String> = nil

            package init() {}
        }
    }
}
