import Core
import Folding
import LearnableEvents
import LearnableFacts
import Projections

extension Learnable {
    /// Which questions are in the pool? In order of pooling; only those of the page are read (R20).
    static let poolView = ReadModel<State>(
        "learnable.pool", "Which questions are in the pool?", key: "student", arguments: ["page"],
        keys: { $0.studentKeys }, basis: .on(Grounds.life, Grounds.policy)
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        guard let (_, row) = state.student(request.key) else { return false }
        let total = state.epoch(of: row).inPool
        let questions = state.pool(row.epoch, in: page.range(of: total))
        output.object { output in
            page.write(total: total, to: &output)
            output.array("questions", questions) { output, question in
                let row = state.questions[question] ?? QuestionRow()
                output.object { output in
                    output.member("answered", row.answered)
                    output.member("answeredText", "Answered: \(counted(row.answered, "time"))")
                    output.member("asked", row.asked)
                    output.member("askedText", "Asked: \(counted(row.asked, "time"))")
                    output.member("correct", row.correct)
                    output.member("correctAtLevel", row.correctAtLevel)
                    output.member("correctText", "Correct: \(counted(row.correct, "time"))")
                    output.member("difficulty", Learnable.difficulty(of: row.level))
                    output.member("due", row.isRecurring ? row.due : nil)
                    output.member("formats", state.policy.level(row.level).formats)
                    output.member("level", row.level)
                    output.member("mastered", row.isMastered)
                    output.member("question", question)
                    output.member("recurring", row.isRecurring)
                    output.member("subject", row.subject)
                    output.member("text", state.wording(of: question, at: row.level))
                    output.member("topic", row.place)
                }
            }
        }
        return true
    }
}

extension Learnable.State {
    /// The first wording of a level.
    fileprivate func wording(of question: Learnable.QuestionID, at level: Int) -> Learnable.Body? {
        variants.read(question) { row in
            row.list.first { $0.level == level }?.form.text
        } ?? nil
    }
}
