import Commands
import Core
import Folding
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Says what a level's End of Course Assessment asks for.
    struct DefineEOC: Command {
        static let type = "quranflow.eoc.define"
        var level = 0
        var description: Filled = ""
        var passage = Passage()

        func problem(_ names: Names) -> String? {
            rangeProblem(("level", level, Policy.levels)) ?? passageProblem(passage)
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            context.record(
                EOC.Defined(
                    level: level,
                    description: description,
                    passage: passage), on: context.levelStream(level))
        }
    }

    /// Submits the End of Course Assessment; each submission is an attempt (R20, R21).
    struct SubmitEOC: Command {
        static let type = "quranflow.eoc.submit"
        var enrollment = EnrollmentID.none
        var audio: Filled = ""
        var seconds = 0
        var confirmed = false

        func problem(_ names: Names) -> String? {
            rangeProblem(("seconds", seconds, recordingSeconds))
        }

        func senders(in state: State) -> Senders { .student }

        func decide(in context: Context) throws(Rejection) {
            let state = context.state
            let row = try context.findOwn(enrollment)
            if row.state == .graduated { throw .alreadyGraduated }
            if !row.isActive { throw .enrollmentNotActive }
            if row.isEOCAwaited { throw .eocUnderReview }
            if context.at < row.eocOpensAt {
                throw context.refuse(.eocNotOpen, "it opens at \(row.eocOpensAt)")
            }
            if !row.isEOCUnlocked {
                throw context.refuse(
                    .eocLocked,
                    "\(row.completedWeeks) of \(row.requiredSubmissions) weeks are recorded")
            }
            if context.at >= row.closing {
                throw context.refuse(.semesterClosed, "closed at \(row.closing)")
            }
            if !state.eocs.contains(Ordinal(row.level)) { throw .eocNotDefined }
            if !state.hasChosenFont(row.student) { throw .fontNotChosen }
            if !confirmed { throw .notConfirmed }
            let zone = zone(row.weekZone, context.names)
            let dueOn = businessDay(
                state.policy.eocResultBusinessDays, after: zone.localDate(at: context.at),
                among: state.policy.businessDays)
            context.record(
                EOC.Submitted(
                    student: row.student,
                    attempt: row.attempts + 1,
                    completed: row.completedWeeks,
                    coach: row.coach,
                    resultsDueOn: dueOn,
                    resultsDueAt: zone.instant(of: dueOn.adding(days: 1)),
                    audio: audio,
                    seconds: seconds), on: context.eocStream(enrollment),
                about: ("enrollment", enrollment.symbol))
        }
    }

    /// Says whether an attempt passed; passing graduates the enrolment (R21).
    struct EvaluateEOC: Command {
        static let type = "quranflow.eoc.evaluate"
        var enrollment = EnrollmentID.none
        var passed = false
        var audio: Filled = ""
        var seconds = 0
        var notes: Filled?

        func problem(_ names: Names) -> String? {
            rangeProblem(("seconds", seconds, recordingSeconds))
        }

        func senders(in state: State) -> Senders { .any(.coach, .admin) }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(enrollment)
            try context.checkCoach(row.coach, of: enrollment)
            guard row.isActive, let dueAt = row.resultsDueAt else { throw .noEOCToEvaluate }
            let retakeDays = context.state.policy.retakeDays
            context.record(
                EOC.Evaluated(
                    student: row.student,
                    attempt: row.attempts,
                    outcome: passed ? .passed : .failed,
                    late: context.at > dueAt,
                    retakeUntil: passed ? nil : max(row.closesAt, context.at + retakeDays),
                    audio: audio,
                    seconds: seconds,
                    notes: notes), on: context.eocStream(enrollment),
                about: ("enrollment", enrollment.symbol))
            if passed {
                let hasNext = row.level < Policy.levels.upperBound
                context.record(
                    Enrollment.Graduated(
                        student: row.student,
                        level: row.level,
                        completed: row.completedWeeks,
                        next: hasNext ? .level : .advanced,
                        nextLevel: hasNext ? row.level + 1 : nil), on: enrollment)
            }
            context.notifyResults(enrollment, row)
        }
    }

    /// Marks the last results as reviewed by the student (R20).
    struct ReviewResults: Command {
        static let type = "quranflow.eoc.review-results"
        var enrollment = EnrollmentID.none

        func senders(in state: State) -> Senders { .student }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(enrollment)
            guard !row.isEOCAwaited, let outcome = row.lastOutcome else { throw .noResultsYet }
            if row.areResultsReviewed { throw .alreadyReviewed }
            context.record(
                EOC.ResultsReviewed(
                    student: row.student,
                    attempt: row.attempts,
                    outcome: outcome), on: context.eocStream(enrollment),
                about: ("enrollment", enrollment.symbol))
            context.openNotification(row.resultsNotice, of: row.student)
        }
    }
}

extension DecisionContext<QuranFlow> {
    /// Unlocks the EOC, once, when it is open and enough weeks count (R16); timer `eoc-open`.
    func unlockEOC(_ enrollment: QuranFlow.EnrollmentID) {
        guard let row = state.enrollments[enrollment], row.unlocksEOC(at: at) else { return }
        record(
            QuranFlow.EOC.Unlocked(
                student: row.student,
                completed: row.completedWeeks,
                required: row.requiredSubmissions), on: enrollment)
        notifyEOCAvailable(enrollment, row)
    }

    /// Timer `eoc-deadline:HHH`: fires while the assessment may be submitted and is not (R37).
    func remindOfEOC(_ enrollment: QuranFlow.EnrollmentID, _ hours: Int) {
        guard let row = state.enrollments[enrollment], row.isEOCDue else { return }
        notifyEOCDeadline(enrollment, row, hours: hours)
    }

    /// Timer `results-due`: fires while the enrolment is active and the attempt not evaluated.
    func resultsFellDue(_ enrollment: QuranFlow.EnrollmentID) {
        guard let row = state.enrollments[enrollment], row.isActive,
            let resultsDueAt = row.resultsDueAt
        else { return }
        record(
            QuranFlow.EOC.ResultsFellDue(
                student: row.student,
                attempt: row.attempts,
                coach: row.coach,
                resultsDueAt: resultsDueAt), on: eocStream(enrollment),
            about: ("enrollment", enrollment.symbol))
        if let coach = state.presentCoach(row) { notifyResultsOverdue(enrollment, row, coach) }
    }
}
