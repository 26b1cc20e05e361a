import Commands
import Core
import Folding
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// Gives a rating, a text, or both.
    struct GiveFeedback: StudentCommand {
        static let type = "tafawoq.feedback.give"
        var student = StudentID.none
        var feedback = FeedbackID.none
        var about = Feedback.About.exam
        var subject: SubjectID?
        var rating: Int?
        var text: String?

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("feedback", &feedback)
            coder.field("about", &about)
            coder.given("subject", &subject)
            coder.givenInt("rating", &rating)
            coder.givenText("text", &text)
        }

        func problem(_ names: Names) -> String? {
            if rating == nil, text == nil { return "expected a rating or a text" }
            if let rating, !(1...5).contains(rating) {
                return "rating: expected a whole number from 1 to 5"
            }
            return nil
        }

        func decide(in context: Context) throws(Rejection) {
            _ = try context.findOwn(student)
            try context.checkIsFree(feedback, unless: context.state.feedbacks.contains(feedback))
            context.record(
                Feedback.Given(
                    feedback: feedback,
                    student: student,
                    about: about,
                    subject: subject,
                    rating: rating,
                    text: text), on: feedback)
        }
    }
}
