package import Core
package import Folding
package import LearnableEvents

extension Learnable {
    /// A day on which the daily quiz was completed.
    package struct CompletedDaily: Record {
        package var day = LocalDate.epoch
        package var quiz = QuizID.none

        package init() {}
    }
}

extension Learnable.EpochRow {
    package func hasCompleted(_ day: LocalDate) -> Bool {
        completedDaily(day) != nil
    }

    /// The daily quiz of a day, if it is completed.
    package func completedDaily(_ day: LocalDate) -> Learnable.QuizID? {
        let index = completedDailies.insertionIndex { $0.day < day }
        guard index < completedDailies.count, completedDailies[index].day == day else { return nil }
        return completedDailies[index].quiz
    }

    /// Whether a day after the latest daily quiz was missed of which no due date tells (R32).
    package var hasMissed: Bool {
        guard let missed, let latest = completedDailies.last?.day else { return false }
        return missed > latest
    }
}

extension Learnable.State {
    /// The quiz streak as it stands on a day (R32).
    package func quizStreak(_ epoch: Ordinal, on day: LocalDate) -> Int {
        guard let row = epochs[epoch], let latest = row.completedDailies.last?.day else { return 0 }
        if day <= latest.adding(days: 1) { return row.lastStreak }
        guard policy.quizIdleDays == .neutral, !row.hasMissed else { return 0 }
        if let first = row.dueDays.first?.day, first < day { return 0 }
        return row.lastStreak
    }
}
