package import Commands
package import Core
import Folding
package import QuranFlowEvents
package import QuranFlowFacts

extension QuranFlow {
    /// Sends the End of Course Assessment (R20); each submission is an attempt.
    package struct SubmitEOC: Command {
        package static let type = "quranflow.eoc.submit"
        var enrollment = EnrollmentID.none
        var audio = ""
        var seconds = 0
        var confirmed = false

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("enrollment", &enrollment)
            coder.filled("audio", &audio)
            coder.field("seconds", &seconds)
            coder.field("confirmed", &confirmed)
        }

        package func problem(_ names: Names) -> String? {
            QuranFlowCommands.problem(("seconds", seconds, 1...Int.max))
        }

        package func who(in programme: Programme) -> Who { .student(nil) }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            let programme = scene.state
            let row = try programme.enrollment(enrollment)
            try scene.checkOwner(row.student)
            if row.state == .graduated { throw .alreadyGraduated }
            if !row.isActive { throw .enrollmentNotActive }
            if row.isEOCAwaited { throw .eocUnderReview }
            if scene.at < row.eocOpensAt { throw .eocNotOpen }
            if !row.isEOCUnlocked { throw .eocLocked }
            if scene.at >= row.closing { throw .semesterClosed }
            if !programme.eocs.contains(Ordinal(row.level)) { throw .eocNotDefined }
            if !programme.hasChosenFont(row.student) { throw .fontNotChosen }
            if !confirmed { throw .notConfirmed }
            let zone = zone(row.weekZone, scene.names)
            let dueOn = businessDay(
                programme.policy.eocResultBusinessDays, after: zone.localDate(at: scene.at),
                among: programme.policy.businessDays)
            scene.record(
                EOC.Submitted.with {
                    $0.student = row.student
                    $0.attempt = row.attempts + 1
                    $0.completed = row.completedWeeks
                    $0.coach = row.coach
                    $0.resultsDueOn = dueOn
                    $0.resultsDueAt = zone.instant(of: dueOn.adding(days: 1))
                    $0.audio = audio
                    $0.seconds = seconds
                }, eoc: enrollment)
        }
    }

    /// Says whether an attempt passed; passing graduates the enrolment (R21).
    package struct EvaluateEOC: Command {
        package static let type = "quranflow.eoc.evaluate"
        var enrollment = EnrollmentID.none
        var passed = false
        var audio = ""
        var seconds = 0
        var notes: String?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("enrollment", &enrollment)
            coder.field("passed", &passed)
            coder.filled("audio", &audio)
            coder.field("seconds", &seconds)
            coder.optionalFilled("notes", &notes)
        }

        package func problem(_ names: Names) -> String? {
            QuranFlowCommands.problem(("seconds", seconds, 1...Int.max))
        }

        package func who(in programme: Programme) -> Who { .coachOrAdmin(nil) }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            let row = try scene.state.enrollment(enrollment)
            try scene.checkCoach(row.coach)
            if !row.isActive || !row.isEOCAwaited { throw .noEOCToEvaluate }
            let retakeSeconds = Int64(scene.state.policy.retakeDays) * 86_400
            scene.record(
                EOC.Evaluated.with {
                    $0.student = row.student
                    $0.attempt = row.attempts
                    $0.outcome = passed ? .passed : .failed
                    $0.late = scene.at > row.resultsDueAt
                    $0.retakeUntil = passed ? nil : max(row.closesAt, scene.at + retakeSeconds)
                    $0.audio = audio
                    $0.seconds = seconds
                    $0.notes = notes
                }, eoc: enrollment)
            if passed {
                let hasNext = row.level < Policy.levels.upperBound
                scene.record(
                    Enrollment.Graduated.with {
                        $0.student = row.student
                        $0.level = row.level
                        $0.completed = row.completedWeeks
                        $0.next = hasNext ? .level : .advanced
                        $0.nextLevel = hasNext ? row.level + 1 : nil
                    }, enrollment: enrollment)
            }
            scene.notifyResults(enrollment, row)
        }
    }

    package struct ReviewResults: Command {
        package static let type = "quranflow.eoc.review-results"
        var enrollment = EnrollmentID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("enrollment", &enrollment)
        }

        package func who(in programme: Programme) -> Who { .student(nil) }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            let row = try scene.state.enrollment(enrollment)
            try scene.checkOwner(row.student)
            guard row.attempts > 0, !row.isEOCAwaited, let outcome = row.lastOutcome else {
                throw .noResultsYet
            }
            if row.areResultsReviewed { throw .alreadyReviewed }
            scene.record(
                EOC.ResultsReviewed.with {
                    $0.student = row.student
                    $0.attempt = row.attempts
                    $0.outcome = outcome
                }, eoc: enrollment)
            scene.openNotice(row.resultsNotice, of: row.student)
        }
    }
}

extension Scene<QuranFlow.Programme> {
    /// Timer `results-due`: fires while the enrolment is active and the attempt not evaluated.
    func resultsFellDue(_ enrollment: QuranFlow.EnrollmentID) {
        guard let row = state.enrollments[enrollment], row.isActive, row.isEOCAwaited else {
            return
        }
        record(
            QuranFlow.EOC.ResultsFellDue.with {
                $0.student = row.student
                $0.attempt = row.attempts
                $0.coach = row.coach
                $0.resultsDueAt = row.resultsDueAt
            }, eoc: enrollment)
        if let coach = row.coach { notifyResultsOverdue(enrollment, row, coach) }
    }
}
