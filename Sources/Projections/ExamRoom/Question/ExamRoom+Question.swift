import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

extension ExamRoom {
    /// A question as admins see it, here and in documents (R34).
    static func write(_ question: BankQuestion, to output: inout JSONOutput) {
        output.member("explanation", question.content.explanation)
        output.member("image", question.image)
        output.member("options", question.content.options)
        output.member("points", question.content.points)
        output.member("prompt", question.content.prompt)
        output.member("question", question.question)
    }
}
