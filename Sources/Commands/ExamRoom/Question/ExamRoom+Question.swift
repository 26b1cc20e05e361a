import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Adds a question at the end of the exam (R8).
    struct AddQuestion: Command {
        static let type = "examroom.question.add"
        var exam = ExamID.none
        var question = QuestionID.none
        var prompt = ""
        var options: [Question.Choice] = []
        var points: Int?
        var explanation: String?

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            coder.field("question", &question)
            coder.text("prompt", &prompt)
            coder.field("options", &options)
            coder.optionalNumber("points", &points)
            coder.optionalText("explanation", &explanation)
        }

        func senders(in state: State) -> Senders { .admin }

        var content: Question.Content {
            var content = Question.Content()
            content.prompt = prompt
            content.options = options
            content.points = points ?? 1
            content.explanation = explanation
            return content
        }

        func decide(in context: Context) throws(Rejection) {
            let state = context.state
            let row = try context.findEditable(exam)
            try content.check(against: state.policy)
            if row.questions >= state.policy.maxQuestions { throw .tooManyQuestions }
            // A removed question's id stays used (R1).
            if state.banks[exam]?.hasUsed(question) == true {
                throw context.alreadyExists(question)
            }
            context.record(
                Question.Added(exam: exam, question: question, content: content),
                on: exam)
        }
    }

    /// Changes a question; attempts already started keep the paper they began with (R9).
    struct ReviseQuestion: Command {
        static let type = "examroom.question.revise"

        var exam = ExamID.none
        var question = QuestionID.none
        var changes = GivenContent()

        func problem(_ names: Names) -> String? {
            changes == GivenContent() ? "expected \"changes\" with at least one field" : nil
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            let present = try context.findEditable(question, of: exam).content
            var content = present
            changes.apply(to: &content)
            try content.check(against: context.state.policy)
            var different: [String] = []
            if !content.explanation.isExactly(present.explanation) {
                different.append("explanation")
            }
            if content.options != present.options { different.append("options") }
            if content.points != present.points { different.append("points") }
            if !content.prompt.isExactly(present.prompt) { different.append("prompt") }
            if different.isEmpty { throw .nothingToChange }
            context.record(
                Question.Revised(
                    exam: exam, question: question, content: content, names: different),
                on: exam)
        }
    }

    /// Removes a question from the exam (R1, R9).
    struct RemoveQuestion: QuestionCommand {
        static let type = "examroom.question.remove"
        var exam = ExamID.none
        var question = QuestionID.none

        func decide(in context: Context) throws(Rejection) {
            let removed = try context.findEditable(question, of: exam)
            let row = try context.find(exam)
            if row.isPublished, row.questions == 1 { throw .lastQuestion }
            context.remove(question, of: exam, removed)
        }
    }
}

extension DecisionContext<ExamRoom> {
    /// Removes a question; an image that loses its last reference is orphaned (R11).
    func remove(
        _ question: ExamRoom.QuestionID, of exam: ExamRoom.ExamID, _ row: ExamRoom.BankQuestion
    ) {
        record(ExamRoom.Question.Removed(exam: exam, question: question), on: exam)
        // A deleted exam refers to no image any more.
        if state.exams[exam]?.isDeleted == true { return }
        recordOrphans(among: [row.image].compactMap(\.self))
    }
}
