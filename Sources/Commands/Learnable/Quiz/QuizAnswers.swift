import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension Learnable {
    /// R29: each question once, in any order; multiple choice is judged with it.
    struct AnswerQuiz: Command {
        static let type = "learnable.quiz.answer"
        func senders(in state: State) -> Senders { .student }
        var quiz = QuizID.none
        var question = QuestionID.none
        var given = GivenAnswer()

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("quiz", &quiz)
            coder.field("question", &question)
            given.fields(&coder)
        }

        func problem(_ names: Names) -> String? { given.problem }

        func decide(in context: Context) throws(Rejection) {
            let (row, page) = try context.page(of: question, in: quiz)
            if page.isAnswered { throw .alreadyAnswered }
            let variants = context.state.variants[question]?.list ?? []
            guard variants.indices.contains(page.page.variant) else { throw .notFound }
            let form = variants[page.page.variant].form
            let verdict = try given.judge(by: form)
            context.record(
                Quiz.Answered.with {
                    $0.student = row.student
                    $0.quiz = quiz
                    $0.question = question
                    $0.level = page.page.level
                    $0.format = form.format
                    $0.day = context.day(of: row.student)
                    $0.verdict = verdict
                }, on: context.stream(quiz))
            if let correct = verdict.correct { context.didJudge(question, in: quiz, row, correct) }
        }
    }

    /// R29: the student compares a free text with the model answer.
    struct SelfAssessQuiz: Command {
        static let type = "learnable.quiz.self-assess"
        func senders(in state: State) -> Senders { .student }
        var quiz = QuizID.none
        var question = QuestionID.none
        var correct = false

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("quiz", &quiz)
            coder.field("question", &question)
            coder.field("correct", &correct)
        }

        func decide(in context: Context) throws(Rejection) {
            let (row, page) = try context.page(of: question, in: quiz)
            if !page.isAnswered { throw .notAnswered }
            if page.isJudged { throw .alreadyAssessed }
            context.record(
                Quiz.SelfAssessed.with {
                    $0.student = row.student
                    $0.quiz = quiz
                    $0.question = question
                    $0.correct = correct
                    $0.day = context.day(of: row.student)
                }, on: context.stream(quiz))
            context.didJudge(question, in: quiz, row, correct)
        }
    }
}

extension DecisionContext<Learnable> {
    /// The page of a question in an open quiz.
    fileprivate func page(
        of question: Learnable.QuestionID, in quiz: Learnable.QuizID
    ) throws(Learnable.Rejection) -> (row: Learnable.QuizRow, page: Learnable.QuizPage) {
        let row = try find(quiz)
        let asked = try find(question)
        try checkOwner(row.student)
        try checkOwner(asked.student)
        try need(.quiz, of: row.student)
        if row.state != .open { throw .quizClosed }
        guard let index = row.index(of: question) else { throw .notInQuiz }
        return (row, row.pages[index])
    }

    /// R21: only a daily quiz schedules anything (R30); R24: the quiz may be over with it.
    fileprivate func didJudge(
        _ question: Learnable.QuestionID, in quiz: Learnable.QuizID, _ row: Learnable.QuizRow,
        _ correct: Bool
    ) {
        if row.kind == .daily { schedule(question, in: quiz, correct: correct) }
        endEmptyQuizzes(of: row.student)
    }
}
