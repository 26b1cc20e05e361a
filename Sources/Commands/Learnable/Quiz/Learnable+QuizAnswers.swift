import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension Learnable {
    /// Answers a question of an open quiz, each once, in any order (R29).
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
            let (row, page) = try context.findPage(of: question, in: quiz)
            if page.isAnswered { throw .alreadyAnswered }
            let variants = context.state.variants[question]?.list ?? []
            guard variants.indices.contains(page.page.variant) else { throw .notFound }
            let form = variants[page.page.variant].form
            let verdict = try given.judge(by: form)
            context.record(
                Quiz.Answered(
                    student: row.student,
                    quiz: quiz,
                    question: question,
                    level: page.page.level,
                    format: form.format,
                    day: context.day(of: row.student),
                    verdict: verdict), on: quiz)
            if let correct = verdict.correct { context.didJudge(question, in: quiz, row, correct) }
        }
    }

    /// Judges a free text of one's own against the model answer (R29).
    struct SelfAssessQuiz: Command {
        static let type = "learnable.quiz.self-assess"
        func senders(in state: State) -> Senders { .student }
        var quiz = QuizID.none
        var question = QuestionID.none
        var correct = false

        func decide(in context: Context) throws(Rejection) {
            let (row, page) = try context.findPage(of: question, in: quiz)
            if !page.isAnswered { throw .notAnswered }
            if page.isJudged { throw .alreadyAssessed }
            context.record(
                Quiz.SelfAssessed(
                    student: row.student,
                    quiz: quiz,
                    question: question,
                    correct: correct,
                    day: context.day(of: row.student)), on: quiz)
            context.didJudge(question, in: quiz, row, correct)
        }
    }
}

extension DecisionContext<Learnable> {

    /// Schedules the question, in a daily quiz only (R21, R30); the quiz may be over now (R24).
    fileprivate func didJudge(
        _ question: Learnable.QuestionID, in quiz: Learnable.QuizID, _ row: Learnable.QuizRow,
        _ correct: Bool
    ) {
        if row.kind == .daily {
            // As it is now: it may have changed since the quiz began, or not recur any more.
            let due = state.questions.read(question, { $0.isRecurring ? $0.due : nil }) ?? nil
            recordMissed(of: row.student, dueSince: due, in: row.day)
            schedule(question, in: quiz, correct: correct)
        }
        endEmptyQuizzes(of: row.student)
    }
}
