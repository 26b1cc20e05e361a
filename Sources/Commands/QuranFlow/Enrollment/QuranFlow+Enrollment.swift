import Commands
import Core
import Folding
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Opens the next level, or a level again (R12).
    struct OpenEnrollment: Command {
        static let type = "quranflow.enrollment.open"
        var enrollment = EnrollmentID.none
        var student = StudentID.none
        var semester = SemesterID.none
        var level: Int?
        var coach: CoachID?

        func problem(_ names: Names) -> String? {
            rangeProblem(("level", level, Policy.levels))
        }

        /// Only an admin names level or coach.
        func senders(in state: State) -> Senders {
            level == nil && coach == nil ? .student(student).or(.admin) : .admin
        }

        func decide(in context: Context) throws(Rejection) {
            let state = context.state
            let row = try context.find(student)
            let calendar = try context.find(semester)
            if let coach { try context.find(coach) }
            try context.checkIsFree(enrollment, unless: state.enrollments.contains(enrollment))
            if !row.isPlaced { throw .notPlaced }
            let current = state.currentEnrollment(of: student)
            if row.isAdvanced || current?.row.isActive == true { throw .alreadyEnrolled }
            guard let own = state.openLevel(row), level ?? own <= own else {
                throw .levelNotOpen
            }
            if context.isStudent, !calendar.isEnrollmentOpen(at: context.at) {
                throw .enrollmentNotOpen
            }
            if calendar.isOver(at: context.at) { throw .semesterOver }
            if let coach { try context.check(coach, for: student) }
            context.open(
                enrollment, of: student, level: level ?? own, semester, calendar,
                coach: coach ?? state.coachToKeep(student))
            context.unlockEOC(enrollment)
        }
    }

    /// Gives an enrolment another coach (R11).
    struct AssignCoach: Command {
        static let type = "quranflow.coach.assign"
        var enrollment = EnrollmentID.none
        var coach = CoachID.none

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(enrollment)
            try context.find(coach)
            if !row.isActive { throw .enrollmentNotActive }
            if row.coach == coach { throw .alreadyAssigned }
            try context.check(coach, for: row.student)
            context.assign(coach, to: enrollment, row)
        }
    }

    /// Ends a student's enrolment early (R3).
    struct WithdrawEnrollment: Command {
        static let type = "quranflow.enrollment.withdraw"
        var enrollment = EnrollmentID.none
        var reason: Filled?

        func senders(in state: State) -> Senders { .any(.student, .admin) }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(enrollment)
            if !row.isActive { throw .enrollmentNotActive }
            context.record(
                Enrollment.Withdrawn(
                    student: row.student,
                    reason: reason), on: enrollment)
        }
    }
}

extension DecisionContext<QuranFlow> {
    /// Opens an enrolment with every value of the policy that is fixed for it (R4, R6).
    func open(
        _ enrollment: QuranFlow.EnrollmentID, of student: QuranFlow.StudentID, level: Int,
        _ semester: QuranFlow.SemesterID, _ calendar: QuranFlow.SemesterRow,
        coach: QuranFlow.CoachID?
    ) {
        let policy = state.policy
        let zoneName =
            switch policy.weekZone {
            case .semester: calendar.timeZone
            case .student:
                // Opened again, it keeps its former zone: a move in between brings no week and no attempt forward.
                state.weekZone(of: student, in: semester) ?? state.students[student]?.timeZone
                    ?? calendar.timeZone
            }
        let zone = QuranFlow.zone(zoneName, names)
        let weeks = calendar.weeks
        let starts = QuranFlow.weekStarts(from: calendar.startsOn, weeks: weeks, in: zone)
        record(
            QuranFlow.Enrollment.Opened(
                student: student,
                level: level,
                semester: semester,
                coach: coach,
                firstWeek: max(1, QuranFlow.currentWeek(starts, at: at)),
                weeks: weeks,
                weekZone: zoneName,
                weekStarts: starts,
                requiredSubmissions: policy.requiredSubmissions,
                countsWhen: policy.submissionCountsWhen,
                reminderHours: policy.deadlineReminderHours,
                eocOpensAt: starts[min(policy.eocOpensWeek, weeks) - 1],
                closesAt: zone.instant(
                    of: calendar.startsOn.adding(days: 7 * weeks + policy.closingDays))),
            on: enrollment)
    }

    /// Timer `enrollment-close`: the enrolment lapses unless results are awaited (R22).
    func closeEnrollment(_ enrollment: QuranFlow.EnrollmentID) {
        guard let row = state.enrollments[enrollment], row.isActive, !row.isEOCAwaited else {
            return
        }
        record(
            QuranFlow.Enrollment.Lapsed(
                student: row.student,
                level: row.level,
                completed: row.completedWeeks), on: enrollment)
    }
}
