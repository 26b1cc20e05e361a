package import Commands
package import Core
import Folding
package import LearnableEvents
package import LearnableFacts

extension Learnable {
    /// R29: each question once, in any order; multiple choice is judged with it.
    package struct AnswerQuiz: Command {
        package static let type = "learnable.quiz.answer"
        package static let senders: [Actor.Kind] = [.student]
        var quiz = QuizID.none
        var question = QuestionID.none
        var given = GivenAnswer()

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("quiz", &quiz)
            coder.field("question", &question)
            given.fields(&coder)
        }

        package func problem(_ names: Names) -> String? { given.problem }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let (row, page) = try scene.page(of: question, in: quiz)
            if page.isAnswered { throw .alreadyAnswered }
            let variants = scene.state.variants[question]?.list ?? []
            guard variants.indices.contains(page.page.variant) else { throw .notFound }
            let form = variants[page.page.variant].form
            let verdict = try given.judge(by: form)
            scene.record(
                Quiz.Answered.with {
                    $0.student = row.student
                    $0.quiz = quiz
                    $0.question = question
                    $0.level = page.page.level
                    $0.format = form.format
                    $0.day = scene.day(of: row.student)
                    $0.verdict = verdict
                }, on: scene.stream(quiz))
            if let correct = verdict.correct { scene.didJudge(question, in: quiz, row, correct) }
        }
    }

    /// R29: the student compares a free text with the model answer.
    package struct SelfAssessQuiz: Command {
        package static let type = "learnable.quiz.self-assess"
        package static let senders: [Actor.Kind] = [.student]
        var quiz = QuizID.none
        var question = QuestionID.none
        var correct = false

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("quiz", &quiz)
            coder.field("question", &question)
            coder.field("correct", &correct)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let (row, page) = try scene.page(of: question, in: quiz)
            if !page.isAnswered { throw .notAnswered }
            if page.isJudged { throw .alreadyAssessed }
            scene.record(
                Quiz.SelfAssessed.with {
                    $0.student = row.student
                    $0.quiz = quiz
                    $0.question = question
                    $0.correct = correct
                    $0.day = scene.day(of: row.student)
                }, on: scene.stream(quiz))
            scene.didJudge(question, in: quiz, row, correct)
        }
    }
}

extension Scene<Learnable.Academy> {
    /// The page of a question in an open quiz.
    fileprivate func page(
        of question: Learnable.QuestionID, in quiz: Learnable.QuizID
    ) throws(Learnable.Rejection) -> (row: Learnable.QuizRow, page: Learnable.QuizPage) {
        let row = try find(quiz)
        let asked = try find(question)
        try own(row.student)
        try own(asked.student)
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
