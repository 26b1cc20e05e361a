import Commands
import Core
import Folding
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Sends the End of Course Assessment (R20); each submission is an attempt.
    struct SubmitEOC: Command {
        static let type = "quranflow.eoc.submit"
        var enrollment = EnrollmentID.none
        var audio = ""
        var seconds = 0
        var confirmed = false

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("enrollment", &enrollment)
            coder.filled("audio", &audio)
            coder.field("seconds", &seconds)
            coder.field("confirmed", &confirmed)
        }

        func problem(_ names: Names) -> String? {
            QuranFlowCommands.problem(("seconds", seconds, 1...Int.max))
        }

        func senders(in state: State) -> Senders { .student }

        func decide(in context: Context) throws(Rejection) {
            let state = context.state
            let row = try state.enrollment(enrollment)
            try context.checkOwner(row.student)
            if row.state == .graduated { throw .alreadyGraduated }
            if !row.isActive { throw .enrollmentNotActive }
            if row.isEOCAwaited { throw .eocUnderReview }
            if context.at < row.eocOpensAt { throw .eocNotOpen }
            if !row.isEOCUnlocked { throw .eocLocked }
            if context.at >= row.closing { throw .semesterClosed }
            if !state.eocs.contains(Ordinal(row.level)) { throw .eocNotDefined }
            if !state.hasChosenFont(row.student) { throw .fontNotChosen }
            if !confirmed { throw .notConfirmed }
            let zone = zone(row.weekZone, context.names)
            let dueOn = businessDay(
                state.policy.eocResultBusinessDays, after: zone.localDate(at: context.at),
                among: state.policy.businessDays)
            context.record(
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
    struct EvaluateEOC: Command {
        static let type = "quranflow.eoc.evaluate"
        var enrollment = EnrollmentID.none
        var passed = false
        var audio = ""
        var seconds = 0
        var notes: String?

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("enrollment", &enrollment)
            coder.field("passed", &passed)
            coder.filled("audio", &audio)
            coder.field("seconds", &seconds)
            coder.optionalFilled("notes", &notes)
        }

        func problem(_ names: Names) -> String? {
            QuranFlowCommands.problem(("seconds", seconds, 1...Int.max))
        }

        func senders(in state: State) -> Senders { .any(.coach, .admin) }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.state.enrollment(enrollment)
            try context.checkCoach(row.coach)
            if !row.isActive || !row.isEOCAwaited { throw .noEOCToEvaluate }
            let retakeSeconds = Int64(context.state.policy.retakeDays) * 86_400
            context.record(
                EOC.Evaluated.with {
                    $0.student = row.student
                    $0.attempt = row.attempts
                    $0.outcome = passed ? .passed : .failed
                    $0.late = context.at > row.resultsDueAt
                    $0.retakeUntil = passed ? nil : max(row.closesAt, context.at + retakeSeconds)
                    $0.audio = audio
                    $0.seconds = seconds
                    $0.notes = notes
                }, eoc: enrollment)
            if passed {
                let hasNext = row.level < Policy.levels.upperBound
                context.record(
                    Enrollment.Graduated.with {
                        $0.student = row.student
                        $0.level = row.level
                        $0.completed = row.completedWeeks
                        $0.next = hasNext ? .level : .advanced
                        $0.nextLevel = hasNext ? row.level + 1 : nil
                    }, enrollment: enrollment)
            }
            context.notifyResults(enrollment, row)
        }
    }

    struct ReviewResults: Command {
        static let type = "quranflow.eoc.review-results"
        var enrollment = EnrollmentID.none

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("enrollment", &enrollment)
        }

        func senders(in state: State) -> Senders { .student }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.state.enrollment(enrollment)
            try context.checkOwner(row.student)
            guard row.attempts > 0, !row.isEOCAwaited, let outcome = row.lastOutcome else {
                throw .noResultsYet
            }
            if row.areResultsReviewed { throw .alreadyReviewed }
            context.record(
                EOC.ResultsReviewed.with {
                    $0.student = row.student
                    $0.attempt = row.attempts
                    $0.outcome = outcome
                }, eoc: enrollment)
            context.openNotice(row.resultsNotice, of: row.student)
        }
    }
}

extension DecisionContext<QuranFlow> {
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
