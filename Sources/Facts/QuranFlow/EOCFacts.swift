package import Core
import Folding
package import QuranFlowEvents

extension QuranFlow {
    /// One attempt at an End of Course Assessment; its place among them is the second part of its key.
    package struct EOCAttemptRow: Record {
        fileprivate var student = StudentID.none
        package var submittedAt = Instant.epoch
        package var position = Position.zero
        package var resultsDueOn = LocalDate.epoch
        package var resultsDueAt = Instant.epoch
        package var outcome: EOC.Outcome?
        package var evaluatedAt = Instant.epoch
        /// The enrolment's coach then.
        package var coach: CoachID?
        package var retakeUntil: Instant?
        package var audio: String?
        package var seconds = 0
        package var notes: String?
        package var isReviewed = false

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("submittedAt", &submittedAt)
            coder.field("position", &position)
            coder.field("resultsDueOn", &resultsDueOn)
            coder.field("resultsDueAt", &resultsDueAt)
            coder.field("outcome", &outcome)
            coder.field("evaluatedAt", &evaluatedAt)
            coder.field("coach", &coach)
            coder.field("retakeUntil", &retakeUntil)
            coder.kept("audio", &audio, of: student.symbol)
            coder.field("seconds", &seconds)
            coder.kept("notes", &notes, of: student.symbol)
            coder.field("isReviewed", &isReviewed)
        }
    }

    /// How an EOC stands (page, `quranflow.learn`).
    package enum EOCState: String, Choice {
        case upcoming, locked, available
        case underReview = "under-review"
        case passed, retake, closed
    }
}

extension QuranFlow.Programme {
    static func eocRoutes(_ routes: inout Routes<QuranFlow.Programme>) {
        routes.on(QuranFlow.EOC.Submitted.self) { programme, fact, event in
            let enrollment: QuranFlow.EnrollmentID = programme.thing(of: event)
            guard let place = programme.enrollments.read(enrollment, { $0.attempts }) else {
                return
            }
            programme.enrollments.update(enrollment) {
                $0.attempts += 1
                $0.isEOCAwaited = true
                $0.resultsDueAt = fact.resultsDueAt
            }
            programme.attempts.update(.init(enrollment, Ordinal(place))) {
                $0.student = fact.student
                $0.submittedAt = event.at
                $0.position = event.position
                $0.resultsDueOn = fact.resultsDueOn
                $0.resultsDueAt = fact.resultsDueAt
            }
            programme.timers.set(
                .resultsDue, on: event.stream, due: fact.resultsDueAt, cause: event.position)
        }
        routes.on(QuranFlow.EOC.ResultsFellDue.self) { programme, _, event in
            programme.timers.cancel(.resultsDue, on: event.stream)
        }
        routes.on(QuranFlow.EOC.Evaluated.self) { $0.evaluated($1, $2) }
        routes.on(QuranFlow.EOC.ResultsReviewed.self) { programme, _, event in
            let enrollment: QuranFlow.EnrollmentID = programme.thing(of: event)
            guard let count = programme.enrollments.read(enrollment, { $0.attempts }) else {
                return
            }
            programme.enrollments.update(enrollment) { $0.areResultsReviewed = true }
            programme.attempts.updateExisting(.init(enrollment, Ordinal(count - 1))) {
                $0.isReviewed = true
            }
        }
    }

    private func evaluated(_ fact: QuranFlow.EOC.Evaluated, _ event: Circumstances) {
        let enrollment: QuranFlow.EnrollmentID = thing(of: event)
        guard let row = enrollments[enrollment], row.isEOCAwaited else { return }
        enrollments.update(enrollment) {
            $0.isEOCAwaited = false
            $0.lastOutcome = fact.outcome
            $0.areResultsReviewed = false
            $0.retakeUntil = fact.retakeUntil ?? $0.retakeUntil
        }
        attempts.updateExisting(.init(enrollment, Ordinal(row.attempts - 1))) {
            $0.outcome = fact.outcome
            $0.evaluatedAt = event.at
            $0.coach = row.coach
            $0.retakeUntil = fact.retakeUntil
            $0.audio = fact.audio
            $0.seconds = fact.seconds
            $0.notes = fact.notes
        }
        timers.cancel(.resultsDue, on: event.stream)
        // R22: a failed attempt moves the closing.
        if fact.outcome == .failed, row.isActive, let closing = enrollments[enrollment]?.closing,
            let stream = stream("enrollment", enrollment)
        {
            timers.set(.enrollmentClose, on: stream, due: closing, cause: event.position)
        }
    }

    /// The last attempt; nil before the first.
    package func lastAttempt(
        _ enrollment: QuranFlow.EnrollmentID, _ row: QuranFlow.EnrollmentRow
    ) -> QuranFlow.EOCAttemptRow? {
        row.attempts == 0 ? nil : attempts[.init(enrollment, Ordinal(row.attempts - 1))]
    }
}

extension QuranFlow.EnrollmentRow {
    /// The last attempt failed, and none was submitted since.
    package var isRetaking: Bool { attempts > 0 && !isEOCAwaited && lastOutcome == .failed }

    package func eocState(at instant: Instant) -> QuranFlow.EOCState {
        switch state {
        case .graduated: return .passed
        case .lapsed, .withdrawn: return .closed
        case .active: break
        }
        if isEOCAwaited { return .underReview }
        if isRetaking { return .retake }
        if isEOCUnlocked { return .available }
        return instant < eocOpensAt ? .upcoming : .locked
    }
}
