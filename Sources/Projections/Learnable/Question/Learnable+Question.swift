import Core
import Folding
import LearnableEvents
import LearnableFacts
import Projections

extension Learnable {

    /// What happened to one question? (R18-R23)
    static let questionView = ReadModel<State>(
        "learnable.question", "What is one question's life?", key: "question",
        keys: { $0.questionKeys },
        basis: .on(.stream("question").each("student", Grounds.life), Grounds.policy)
    ) { state, request, output in
        guard let (question, row) = state.question(request.key) else { return false }
        row.write(question, to: &output)
        return true
    }
}

extension Learnable.QuestionRow {
    func write(_ question: Learnable.QuestionID, to output: inout JSONOutput) {
        output.object { output in
            output.member("asked", asked)
            output.member("correct", correct)
            output.member("correctAtLevel", correctAtLevel)
            output.member("due", isRecurring ? due : nil)
            output.member("history", history)
            output.member("level", level)
            output.member("mastered", isMastered)
            output.member("question", question)
            output.member("recurring", isRecurring)
            output.member("state", isDeleted ? "deleted" : "in-pool")
            output.member("subject", subject)
            output.member("topic", place)
            output.member("variants", variants)
        }
    }
}
