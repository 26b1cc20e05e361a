package import Core
package import ExamRoomEvents
import Folding

extension ExamRoom {
    /// What a student has done and earned, in numbers.
    package struct StudentRow: Record {
        /// All that were ever started: the length of `studentAttempts`.
        package var attempts = 0
        /// Of those that count (R24): all, the completed ones, those handed in.
        package var counting = 0
        package var completed = 0
        package var handedIn = 0
        /// Sum of the percents that count of the completed ones, in hundredths.
        package var percentSum = 0
        /// Of the completed ones those whose exam's results are published, and the sum of their percents (R31).
        package var published = 0
        package var publishedSum = 0
        /// Dates of completed attempts, ascending, one for each attempt (R28).
        package var days: [LocalDate] = []
        package var points = 0
        package var badges: [BadgeRow] = []
        package var unlocked: [Int] = []
        /// How many entries the award history has.
        package var awards = 0
        /// Their measures on each board; empty when they are on none (R31).
        package var ranks: [Measures] = []

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("attempts", &attempts)
            coder.field("counting", &counting)
            coder.field("completed", &completed)
            coder.field("handedIn", &handedIn)
            coder.field("percentSum", &percentSum)
            coder.field("published", &published)
            coder.field("publishedSum", &publishedSum)
            coder.field("days", &days)
            coder.field("points", &points)
            coder.field("badges", &badges)
            coder.field("unlocked", &unlocked)
            coder.field("awards", &awards)
            coder.field("standings", &ranks)
        }

        package func hasBadge(_ badge: String) -> Bool {
            badges.contains { $0.badge == badge }
        }

        mutating func addDay(_ day: LocalDate) {
            days.insert(day, at: days.lastIndex { $0 <= day }.map { $0 + 1 } ?? 0)
        }

        mutating func removeDay(_ day: LocalDate) {
            if let place = days.lastIndex(of: day) { days.remove(at: place) }
        }

        /// Mean of the percents of completed attempts, to two decimals; nil before the first. For admins.
        package var averagePercent: Percent? {
            guard completed > 0 else { return nil }
            return Percent(meanOf: percentSum, by: completed)
        }

        /// The mean of those that are published; nil before the first (R31).
        package var publishedPercent: Percent? {
            guard published > 0 else { return nil }
            return Percent(meanOf: publishedSum, by: published)
        }

        /// Handed in ÷ all counting attempts (R31).
        package var completionRate: Percent? {
            counting > 0 ? Percent(handedIn, of: counting) : nil
        }
    }
}

extension ExamRoom.State {
    /// Changes what a student has done or earned; their ranks follow when a board is read.
    @discardableResult
    func changeStudent<R>(
        _ student: ExamRoom.StudentID, _ body: (inout ExamRoom.StudentRow) -> R
    ) -> R? {
        guard students.contains(student) else { return nil }
        unsettled.value.insert(student.symbol.number)
        return students.update(student, body)
    }

    /// The ranks of all students may have changed.
    func unsettleAll() {
        for student in students.allKeys { unsettled.value.insert(student.symbol.number) }
    }

    /// All attempts of a student, in the order in which they were started.
    package func attemptsOf(_ student: ExamRoom.StudentID) -> [ExamRoom.AttemptID] {
        studentAttempts.elements(of: student, count: students[student]?.attempts ?? 0)
    }
}
