import Commands
import Core
import Folding
import TafawoqEvents
import TafawoqFacts

extension DecisionContext<Tafawoq> {
    /// Records the milestones that a completed exam reaches, in their order (R41).
    func recordMilestones(after exam: Tafawoq.Exam.Completed) {
        let student = exam.student
        let progress = state.learning[student]
        let count = progress?.completedExams ?? 0
        for threshold in policy.milestonesExams where count >= threshold {
            reach("exams-\(threshold)", Percent(whole: count), student)
        }
        if policy.milestonesPerfectCategory {
            for score in exam.tally.categories where score.score == .hundred {
                reach("perfect-\(score.category.rawValue)", .hundred, student)
            }
        }
        if let points = policy.milestonesImprovement, count > 1, let first = progress?.firstOverall
        {
            let difference = exam.overall.points(above: first)
            if difference >= Percent(whole: points) {
                reach("improved-\(points)", difference, student)
            }
        }
    }

    /// Records the milestones of practice time (R41).
    func recordMilestones(afterPracticing seconds: Int, by student: Tafawoq.StudentID) {
        for hours in policy.milestonesPracticeHours
        where seconds >= hours.multipliedClamping(3600) {
            let value = Percent(hundredths: Int64(seconds).multipliedClamping(100))
            reach("practice-hours-\(hours)", value, student)
        }
    }

    /// Records a milestone and notifies the student, unless it was reached before (R41).
    private func reach(_ milestone: String, _ value: Percent, _ student: Tafawoq.StudentID) {
        guard state.students.read(student, { !$0.milestones.contains(milestone) }) ?? false else {
            return
        }
        record(
            Tafawoq.Milestone.Reached(
                student: student,
                milestone: milestone,
                value: value), on: milestoneStream(of: student))
        notify(student, .milestone, [("milestone", .string(milestone))])
    }
}
