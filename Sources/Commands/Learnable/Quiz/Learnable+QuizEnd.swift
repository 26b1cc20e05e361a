import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension DecisionContext<Learnable> {
    /// Ends a daily quiz of another day that was left open (R26).
    func lapseDaily(of row: Learnable.StudentRow, unless day: LocalDate) {
        guard let quiz = state.epochs.read(row.epoch, { $0.dailyQuiz }) ?? nil,
            let open = state.quizzes[quiz], open.day != day
        else { return }
        let remaining = state.remaining(open)
        record(
            Learnable.Quiz.Lapsed(
                student: open.student,
                quiz: quiz,
                day: open.day,
                asked: open.judged,
                correct: open.right,
                remaining: remaining), on: quiz)
    }

    /// Ends an optional quiz that was left open; it leaves no trace (R26).
    func abandonOptional(of row: Learnable.StudentRow, _ reason: Learnable.Quiz.Reason) {
        guard let quiz = state.epochs.read(row.epoch, { $0.optionalQuiz }) ?? nil else { return }
        abandon(quiz, reason)
    }

    private func abandon(_ quiz: Learnable.QuizID, _ reason: Learnable.Quiz.Reason) {
        guard let open = state.quizzes[quiz] else { return }
        record(
            Learnable.Quiz.Abandoned(
                student: open.student,
                quiz: quiz,
                kind: open.kind,
                reason: reason), on: quiz)
    }

    /// Ends open quizzes of which no question remains, the daily one before the optional one (R24).
    func endEmptyQuizzes(of student: Learnable.StudentID) {
        guard let epoch = state.epoch(of: student) else { return }
        for quiz in [epoch.dailyQuiz, epoch.optionalQuiz] {
            guard let quiz, let row = state.quizzes[quiz], state.remaining(row) == 0 else {
                continue
            }
            if row.judged == 0 {
                abandon(quiz, .emptied)
                continue
            }
            let streak = row.kind == .daily ? state.streakCompleting(row) : nil
            record(
                Learnable.Quiz.Completed(
                    student: student,
                    quiz: quiz,
                    kind: row.kind,
                    day: row.day,
                    asked: row.judged,
                    correct: row.right,
                    streak: streak), on: quiz)
        }
    }
}
