package import Commands
package import Core
import Folding
package import QuranFlowEvents
package import QuranFlowFacts

extension QuranFlow {
    /// Opens the next level, or a level again (R12).
    package struct OpenEnrollment: Command {
        package static let type = "quranflow.enrollment.open"
        var enrollment = EnrollmentID.none
        var student = StudentID.none
        var semester = SemesterID.none
        var level: Int?
        var coach: CoachID?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("enrollment", &enrollment)
            coder.field("student", &student)
            coder.field("semester", &semester)
            coder.optional("level", &level)
            coder.optional("coach", &coach)
        }

        package func problem(_ names: Names) -> String? {
            QuranFlowCommands.problem(("level", level, Policy.levels))
        }

        /// Level and coach are an admin's to name.
        package func who(in programme: Programme) -> Who {
            level == nil && coach == nil ? .studentOrAdmin(student) : .admin
        }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            let programme = scene.state
            let row = try programme.student(student)
            let calendar = try programme.semester(semester)
            if let coach { try programme.findCoach(coach) }
            if programme.enrollments.contains(enrollment) { throw .alreadyExists }
            if !row.isPlaced { throw .notPlaced }
            let current = programme.currentEnrollment(of: student)
            if row.isAdvanced || current?.row.isActive == true { throw .alreadyEnrolled }
            guard let own = programme.openLevel(row), level ?? own <= own else {
                throw .levelNotOpen
            }
            if scene.isStudent, !calendar.isEnrollmentOpen(at: scene.at) {
                throw .enrollmentNotOpen
            }
            if calendar.isOver(at: scene.at) { throw .semesterOver }
            if let coach { try programme.check(coach, for: student) }
            scene.open(
                enrollment, of: student, level: level ?? own, semester, calendar,
                coach: coach ?? programme.coachToKeep(student))
            scene.unlockEOC(enrollment)
        }
    }

    package struct AssignCoach: Command {
        package static let type = "quranflow.coach.assign"
        var enrollment = EnrollmentID.none
        var coach = CoachID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("enrollment", &enrollment)
            coder.field("coach", &coach)
        }

        package func who(in programme: Programme) -> Who { .admin }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            let row = try scene.state.enrollment(enrollment)
            try scene.state.findCoach(coach)
            if !row.isActive { throw .enrollmentNotActive }
            if row.coach == coach { throw .alreadyAssigned }
            try scene.state.check(coach, for: row.student)
            scene.record(
                Enrollment.CoachAssigned.with {
                    $0.student = row.student
                    $0.coach = coach
                    $0.previous = row.coach
                }, enrollment: enrollment)
            scene.notifyAssigned(row.student, enrollment, coach)
        }
    }

    package struct WithdrawEnrollment: Command {
        package static let type = "quranflow.enrollment.withdraw"
        var enrollment = EnrollmentID.none
        var reason: String?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("enrollment", &enrollment)
            coder.optionalFilled("reason", &reason)
        }

        package func who(in programme: Programme) -> Who { .studentOrAdmin(nil) }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            let row = try scene.state.enrollment(enrollment)
            try scene.checkOwner(row.student)
            if !row.isActive { throw .enrollmentNotActive }
            scene.record(
                Enrollment.Withdrawn.with {
                    $0.student = row.student
                    $0.reason = reason
                }, enrollment: enrollment)
        }
    }
}

extension Scene<QuranFlow.Programme> {
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
