import Commands
import Core
import Folding
import QuranFlowEvents
import QuranFlowFacts

extension DecisionContext<QuranFlow> {
    /// Timer `week-unlock:NN`: fires while the enrolment is active (R5).
    func unlock(_ week: Int, of enrollment: QuranFlow.EnrollmentID) {
        guard let row = state.enrollments[enrollment], row.isActive, row.isWeek(week) else {
            return
        }
        let topic = state.lesson(level: row.level, week: week)?.topic
        record(
            QuranFlow.Week.Unlocked(
                student: row.student,
                week: week,
                topic: topic), on: enrollment)
        notifyUnlocked(row.student, enrollment, week: week)
    }

    /// Timer `deadline:NN:HHH`: fires while the week is not recorded, and an attempt is left or opens before
    /// the week is due (R17, R34).
    func remindOfDeadline(_ enrollment: QuranFlow.EnrollmentID, _ week: Int, _ hours: Int) {
        guard let row = state.enrollments[enrollment], row.isActive, row.isWeek(week),
            row.weekRows[week - 1].recordings.isEmpty
        else { return }
        let allowance = state.allowance(row, at: at)
        if allowance.remaining == 0, allowance.nextAttemptAt.map({ $0 > row.dueAt(week) }) ?? true {
            return
        }
        notifyDeadline(row.student, enrollment, week: week, hours: hours, dueAt: row.dueAt(week))
    }
}
