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
        return policy.quizIdleDays == .neutral && !wasOverdue ? epoch.lastStreak + 1 : 1
    }
}
