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

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("enrollment", &enrollment)
            coder.field("student", &student)
            coder.field("semester", &semester)
            coder.optional("level", &level)
            coder.optional("coach", &coach)
        }

        func problem(_ names: Names) -> String? {
            QuranFlowCommands.problem(("level", level, Policy.levels))
        }

        /// Level and coach are an admin's to name.
        func senders(in state: State) -> Senders {
            level == nil && coach == nil ? .student(student).or(.admin) : .admin
        }

        func decide(in context: Context) throws(Rejection) {
            let state = context.state
            let row = try state.student(student)
            let calendar = try state.semester(semester)
            if let coach { try state.findCoach(coach) }
            if state.enrollments.contains(enrollment) { throw .alreadyExists }
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
            if let coach { try state.check(coach, for: student) }
            context.open(
                enrollment, of: student, level: level ?? own, semester, calendar,
                coach: coach ?? state.coachToKeep(student))
            context.unlockEOC(enrollment)
        }
    }

    struct AssignCoach: Command {
        static let type = "quranflow.coach.assign"
        var enrollment = EnrollmentID.none
        var coach = CoachID.none

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("enrollment", &enrollment)
            coder.field("coach", &coach)
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.state.enrollment(enrollment)
            try context.state.findCoach(coach)
            if !row.isActive { throw .enrollmentNotActive }
            if row.coach == coach { throw .alreadyAssigned }
            try context.state.check(coach, for: row.student)
            context.record(
                Enrollment.CoachAssigned.with {
                    $0.student = row.student
                    $0.coach = coach
                    $0.previous = row.coach
                }, enrollment: enrollment)
            context.notifyAssigned(row.student, enrollment, coach)
        }
    }

    struct WithdrawEnrollment: Command {
        static let type = "quranflow.enrollment.withdraw"
        var enrollment = EnrollmentID.none
        var reason: String?

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("enrollment", &enrollment)
            coder.optionalFilled("reason", &reason)
        }

        func senders(in state: State) -> Senders { .any(.student, .admin) }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.state.enrollment(enrollment)
            try context.checkOwner(row.student)
            if !row.isActive { throw .enrollmentNotActive }
            context.record(
                Enrollment.Withdrawn.with {
                    $0.student = row.student
                    $0.reason = reason
                }, enrollment: enrollment)
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
            case .student: state.students[student]?.timeZone ?? calendar.timeZone
            }
        let zone = QuranFlow.zone(zoneName, names)
        let weeks = calendar.weeks
        let starts = QuranFlow.weekStarts(from: calendar.startsOn, weeks: weeks, in: zone)
        record(
            QuranFlow.Enrollment.Opened.with {
                $0.student = student
                $0.level = level
                $0.semester = semester
                $0.coach = coach
                $0.firstWeek = max(1, QuranFlow.currentWeek(starts, at: at))
                $0.weeks = weeks
                $0.weekZone = zoneName
                $0.weekStarts = starts
                $0.requiredSubmissions = policy.requiredSubmissions
                $0.countsWhen = policy.submissionCountsWhen
                $0.reminderHours = policy.deadlineReminderHours
                $0.eocOpensAt = starts[min(policy.eocOpensWeek, weeks) - 1]
                $0.closesAt = zone.instant(
                    of: calendar.startsOn.adding(days: 7 * weeks + policy.closingDays))
            }, enrollment: enrollment)
    }

    /// Timer `week-unlock:NN`: fires while the enrolment is active.
    func unlock(_ week: Int, of enrollment: QuranFlow.EnrollmentID) {
        guard let row = state.enrollments[enrollment], row.isActive, row.isWeek(week) else {
            return
        }
        let topic = state.lesson(level: row.level, week: week)?.topic
        record(
            QuranFlow.Enrollment.WeekUnlocked.with {
                $0.student = row.student
                $0.week = week
                $0.topic = topic
            }, enrollment: enrollment)
        notifyUnlocked(row.student, enrollment, week: week)
    }

    /// Timer `deadline:NN:HHH`: fires while the week is not recorded.
    func remindOfDeadline(_ enrollment: QuranFlow.EnrollmentID, _ week: Int, _ hours: Int) {
        guard let row = state.enrollments[enrollment], row.isActive, row.isWeek(week),
            row.weekRows[week - 1].recordings.isEmpty
        else { return }
        notifyDeadline(row.student, enrollment, week: week, hours: hours, dueAt: row.dueAt(week))
    }

    /// R16: unlocks the EOC, once, when both hold.
    func unlockEOC(_ enrollment: QuranFlow.EnrollmentID) {
        guard let row = state.enrollments[enrollment], row.unlocksEOC(at: at) else { return }
        record(
            QuranFlow.Enrollment.EOCUnlocked.with {
                $0.student = row.student
                $0.completed = row.completedWeeks
                $0.required = row.requiredSubmissions
            }, enrollment: enrollment)
        notifyEOCAvailable(enrollment, row)
    }

    /// Timer `enrollment-close` (R22): lapses unless results are awaited.
    func closeEnrollment(_ enrollment: QuranFlow.EnrollmentID) {
        guard let row = state.enrollments[enrollment], row.isActive, !row.isEOCAwaited else {
            return
        }
        record(
            QuranFlow.Enrollment.Lapsed.with {
                $0.student = row.student
                $0.level = row.level
                $0.completed = row.completedWeeks
            }, enrollment: enrollment)
    }
}
