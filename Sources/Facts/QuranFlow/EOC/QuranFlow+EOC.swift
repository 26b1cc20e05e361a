package import Core
import Folding
package import QuranFlowEvents

extension QuranFlow {
    /// What a level's assessment asks for.
    package struct EOCDefinitionRow: Record {
        package var description = ""
        package var passage = Passage()

        package init() {}
    }

    /// One attempt at an End of Course Assessment; its number, from 0, is the second part of its key.
    package struct EOCAttemptRow: Record {
        fileprivate var student = StudentID.none
        package var submittedAt = Instant.epoch
        package var position = Position.zero
        package var resultsDueOn = LocalDate.epoch
        package var resultsDueAt = Instant.epoch
        package var outcome: EOC.Outcome?
        package var evaluatedAt = Instant.epoch
        /// The enrolment's coach at that moment.
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

    /// What has become of an enrolment's assessment.
    package enum Assessment: Situation {
        /// It is not open yet, or too few weeks count (R16).
        case locked
        /// It may be submitted.
        case available
        /// An attempt waits for its results (R20).
        case underReview(UnderReview)
        /// The last attempt failed: another one may be submitted (R21).
        case failed(Results)
        case passed(Results)

        package struct UnderReview: Record {
            package var resultsDueAt = Instant.epoch
            /// Of the failed attempt before it.
            package var retakeUntil: Instant?

            package init() {}
        }

        /// Of the last attempt.
        package struct Results: Record {
            /// Of the last attempt that failed.
            package var retakeUntil: Instant?
            /// Its student has seen them (R20).
            package var isReviewed = false

            package init() {}
        }

        package static let cases: [SituationCase<Self>] = [
            .bare("locked", .locked), .bare("available", .available),
            .with("under-review", Self.underReview) {
                if case .underReview(let review) = $0 { review } else { nil }
            },
            .with("failed", Self.failed) {
                if case .failed(let results) = $0 { results } else { nil }
            },
            .with("passed", Self.passed) {
                if case .passed(let results) = $0 { results } else { nil }
            },
        ]

        package static let empty = Self.locked

        /// Of the last attempt that failed (R21).
        package var retakeUntil: Instant? {
            switch self {
            case .underReview(let review): review.retakeUntil
            case .failed(let results), .passed(let results): results.retakeUntil
            case .locked, .available: nil
            }
        }
    }

    /// What an enrolment's assessment is to the student (page, `quranflow.learn`).
    package enum EOCState: String, Choice {
        case upcoming, locked, available
        case underReview = "under-review"
        case passed, retake, closed
    }

    /// The `count`-th business day after a date, which does not count itself (R20).
    package static func businessDay(
        _ count: Int, after date: LocalDate, among days: [Weekday]
    ) -> LocalDate {
        var date = date
        var left = count
        while left > 0 {
            date = date.adding(days: 1)
            if days.contains(date.weekday) || days.isEmpty { left -= 1 }
        }
        return date
    }
}

extension QuranFlow.State {
    static func eocRoutes(_ routes: inout Routes<QuranFlow.State>) {
        routes.on(QuranFlow.EOC.Defined.self) { state, event, _ in
            state.eocs.update(Ordinal(event.level)) {
                $0.description = event.description
                $0.passage = event.passage
            }
        }
        routes.on(QuranFlow.EOC.Unlocked.self) { state, event, metadata in
            state.enrollments.updateExisting(state.thing(of: metadata)) {
                if $0.assessment == .locked { $0.assessment = .available }
                $0.completedAtUnlock = event.completed
            }
            state.timers.cancel(.eocOpen, on: metadata.stream)
        }
        routes.on(QuranFlow.EOC.Submitted.self) { state, event, metadata in
            let enrollment: QuranFlow.EnrollmentID = state.thing(of: metadata)
            guard let number = state.enrollments.read(enrollment, { $0.attempts }) else {
                return
            }
            state.enrollments.update(enrollment) {
                $0.attempts += 1
                var review = QuranFlow.Assessment.UnderReview()
                review.resultsDueAt = event.resultsDueAt
                review.retakeUntil = $0.assessment.retakeUntil
                $0.assessment = .underReview(review)
            }
            state.attempts.update(.init(enrollment, Ordinal(number))) {
                $0.student = event.student
                $0.submittedAt = metadata.at
                $0.position = metadata.position
                $0.resultsDueOn = event.resultsDueOn
                $0.resultsDueAt = event.resultsDueAt
            }
            state.timers.set(
                .resultsDue, on: metadata.stream, due: event.resultsDueAt, cause: metadata.position)
            state.remindOfEOC(enrollment, cause: nil)
        }
        routes.on(QuranFlow.EOC.ResultsFellDue.self) { state, _, metadata in
            state.timers.cancel(.resultsDue, on: metadata.stream)
        }
        routes.on(QuranFlow.EOC.Evaluated.self) { $0.evaluated($1, $2) }
        routes.on(QuranFlow.EOC.ResultsReviewed.self) { state, _, metadata in
            let enrollment: QuranFlow.EnrollmentID = state.thing(of: metadata)
            guard let count = state.enrollments.read(enrollment, { $0.attempts }) else {
                return
            }
            state.enrollments.update(enrollment) {
                switch $0.assessment {
                case .failed(var results):
                    results.isReviewed = true
                    $0.assessment = .failed(results)
                case .passed(var results):
                    results.isReviewed = true
                    $0.assessment = .passed(results)
                case .locked, .available, .underReview: break
                }
            }
            state.attempts.updateExisting(.init(enrollment, Ordinal(count - 1))) {
                $0.isReviewed = true
            }
        }
    }

    private func evaluated(_ event: QuranFlow.EOC.Evaluated, _ metadata: EventMetadata) {
        let enrollment: QuranFlow.EnrollmentID = thing(of: metadata)
        guard let row = enrollments[enrollment], row.isEOCAwaited else { return }
        enrollments.update(enrollment) {
            var results = QuranFlow.Assessment.Results()
            results.retakeUntil = event.retakeUntil ?? $0.assessment.retakeUntil
            $0.assessment = event.outcome == .passed ? .passed(results) : .failed(results)
        }
        attempts.updateExisting(.init(enrollment, Ordinal(row.attempts - 1))) {
            $0.outcome = event.outcome
            $0.evaluatedAt = metadata.at
            $0.coach = row.coach
            $0.retakeUntil = event.retakeUntil
            $0.audio = event.audio
            $0.seconds = event.seconds
            $0.notes = event.notes
        }
        timers.cancel(.resultsDue, on: metadata.stream)
        // A failed attempt moves the closing (R22).
        if event.outcome == .failed, row.isActive, let closing = enrollments[enrollment]?.closing,
            let stream = stream(of: enrollment)
        {
            timers.set(.enrollmentClose, on: stream, due: closing, cause: metadata.position)
            remindOfEOC(enrollment, cause: metadata)
        }
    }

    /// Takes away the reminders of the assessment; after a failed attempt sets them before the end of the
    /// retake (R37).
    private func remindOfEOC(_ enrollment: QuranFlow.EnrollmentID, cause: EventMetadata?) {
        guard let row = enrollments[enrollment], let stream = stream(of: enrollment) else { return }
        for hours in row.reminderHours {
            timers.cancel(.eocDeadline(hours: hours), on: stream)
            let due = row.eocDueAt - Int64(hours) * 3600
            guard let cause, due > cause.at else { continue }
            timers.set(
                .eocDeadline(hours: hours), on: stream, due: due, cause: cause.position)
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
    /// The weeks that count towards the required ones (R16).
    package var completedWeeks: Int {
        weekRows.count { countsWhen == .submitted ? !$0.recordings.isEmpty : $0.withFeedback > 0 }
    }

    /// The weeks that are missing of the required ones.
    package var weeksNeeded: Int { max(0, requiredSubmissions - completedWeeks) }

    /// The assessment is open and enough weeks count, and it is not unlocked yet (R16).
    package func unlocksEOC(at instant: Instant) -> Bool {
        isActive && !isEOCUnlocked && instant >= eocOpensAt && completedWeeks >= requiredSubmissions
    }

    /// The deadline of the assessment: that of the week at whose start it opens, for a retake its end (R37).
    package var eocDueAt: Instant {
        isRetaking || attempts > 1 ? closing : dueAt(currentWeek(at: eocOpensAt))
    }

    package var isEOCUnlocked: Bool { assessment != .locked }

    package var isEOCAwaited: Bool { resultsDueAt != nil }

    /// When the results of the attempt that is under review are due; nil when none is.
    package var resultsDueAt: Instant? {
        if case .underReview(let review) = assessment { review.resultsDueAt } else { nil }
    }

    /// Of the last attempt that was evaluated: a second one follows a failed one.
    package var lastOutcome: QuranFlow.EOC.Outcome? {
        switch assessment {
        case .locked, .available: nil
        case .underReview: attempts > 1 ? .failed : nil
        case .failed: .failed
        case .passed: .passed
        }
    }

    /// The student has seen the last results.
    package var areResultsReviewed: Bool {
        switch assessment {
        case .failed(let results), .passed(let results): results.isReviewed
        case .locked, .available, .underReview: false
        }
    }

    /// The assessment may be submitted now, as far as the student is concerned.
    package var isEOCDue: Bool { isActive && isEOCUnlocked && !isEOCAwaited }

    /// The last attempt failed, and none was submitted since.
    package var isRetaking: Bool { if case .failed = assessment { true } else { false } }

    /// The state of the assessment at an instant.
    package func eocState(at instant: Instant) -> QuranFlow.EOCState {
        switch state {
        case .graduated: return .passed
        case .lapsed, .withdrawn: return .closed
        case .active: break
        }
        switch assessment {
        case .locked: return instant < eocOpensAt ? .upcoming : .locked
        case .available: return .available
        case .underReview: return .underReview
        case .failed: return .retake
        case .passed: return .passed
        }
    }
}
