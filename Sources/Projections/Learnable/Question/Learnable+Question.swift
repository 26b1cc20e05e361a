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
        state.writeQuestion(question, row, to: &output)
        return true
    }
}

extension Learnable.State {
    func writeQuestion(
        _ question: Learnable.QuestionID, _ row: Learnable.QuestionRow, to output: inout JSONOutput
    ) {
        output.object { output in
            output.member("answered", row.answered)
            output.member("asked", row.asked)
            output.member("correct", row.correct)
            output.member("correctAtLevel", row.correctAtLevel)
            output.member("difficulty", Learnable.difficulty(of: row.level))
            output.member("due", row.isRecurring ? row.due : nil)
            output.member("formats", policy.level(row.level).formats)
            output.member("history", row.history)
            output.member("level", row.level)
            output.member("mastered", row.isMastered)
            output.member("question", question)
            output.member("recurring", row.isRecurring)
            output.member("state", row.isDeleted ? "deleted" : "in-pool")
            output.member("subject", row.subject)
            output.member("topic", row.place)
            output.member("variants", row.variants)
        }
    }
}

extension Learnable {
    /// What a level is called (FR-009).
    static func difficulty(of level: Int) -> String {
        switch level {
        case 1: "Basic"
        case 2: "Intermediate"
        case 3: "Advanced"
        default: "Master"
        }
    }
}
