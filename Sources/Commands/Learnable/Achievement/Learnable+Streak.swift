import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension Learnable.State {
    /// The streak that the completion of a daily quiz records (R32).
    func streakCompleting(_ quiz: Learnable.QuizRow) -> Int {
        guard let epoch = epochs[quiz.epoch], let latest = epoch.completedDailies.last?.day else {
            return 1
        }
        if quiz.day <= latest { return epoch.lastStreak }
        if quiz.day == latest.adding(days: 1) { return epoch.lastStreak + 1 }
        let wasOverdue = quiz.pages.contains { page in
            page.page.due.map { $0 < quiz.day } ?? false
        }
        let isNeutral = policy.quizIdleDays == .neutral && !wasOverdue && !epoch.hasMissed
        return isNeutral ? epoch.lastStreak + 1 : 1
    }
}

extension DecisionContext<Learnable> {
    /// Records that days were missed, before the due date that tells of it is gone (R32): that of questions which
    /// leave the pool, or of one that is answered today, in the quiz of a day.
    func recordMissed(
        of student: Learnable.StudentID, dueSince due: LocalDate?, in quiz: LocalDate? = nil
    ) {
        guard let due, let epoch = state.epoch(of: student) else { return }
        let yesterday = day(of: student).adding(days: -1)
        let done = [epoch.completedDailies.last?.day, quiz].compactMap { $0 }.max()
        guard let done, done < yesterday, due <= yesterday, epoch.missed != yesterday else {
            return
        }
        record(Learnable.Quiz.Missed(student: student, day: yesterday), on: student)
    }
}
