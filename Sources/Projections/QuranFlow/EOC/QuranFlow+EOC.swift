import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Is the End of Course Assessment open, what does it ask for, how did it go (R16, R20, R21)?
    static let eocView = ReadModel<State>(
        "quranflow.eoc", "How does the End of Course Assessment stand?", key: "enrollment",
        keys: { $0.enrollmentKeys },
        basis: .on(Grounds.enrollment, Grounds.eocs, Grounds.semesters, Grounds.policy)
    ) { state, request, output in
        guard let enrolled = EnrolledLearner(request.key, state, at: request.now) else {
            return false
        }
        let (learner, row) = (enrolled.learner, enrolled.row)
        let formatter = learner.formatter
        let definition = state.eocs[Ordinal(row.level)]
        let status = row.eocState(at: enrolled.now)
        let isShown = status == .available || status == .retake
        let last = state.lastAttempt(enrolled.id, row)
        let isPassedAndCurrent = status == .passed && learner.current?.id == enrolled.id
        output.object { output in
            output.member("attempts", row.attempts)
            output.member("body", enrolled.confirmation(status))
            output.time("closesAt", row.closing, formatter)
            output.member("completed", row.completedWeeks)
            output.member(
                "coveredText", "This assessment covers all concepts from Level \(row.level).")
            output.member(
                "deadline",
                status == .available || status == .retake
                    ? learner.deadlineText(row.eocDueAt) : nil)
            output.member("description", definition?.description)
            output.time("dueAt", row.eocDueAt, formatter)
            output.member("enrollment", enrolled.id)
            output.member("level", row.level)
            output.member("moreNeeded", row.weeksNeeded)
            learner.writeNext(isPassedAndCurrent ? learner.nextStep : nil, to: &output)
            output.time("opensAt", row.eocOpensAt, formatter)
            output.member("passage", isShown ? definition?.passage : nil)
            output.member(
                "reference", isShown ? definition.map { reference($0.passage) } : nil)
            output.member("required", row.requiredSubmissions)
            enrolled.writeResults(last, to: &output)
            output.time("resultsDueAt", last?.resultsDueAt, formatter)
            output.member("resultsDueOn", last?.resultsDueOn)
            output.time("retakeUntil", last?.retakeUntil, formatter)
            output.member("state", status)
            output.time("submittedAt", last?.submittedAt, formatter)
            output.member("success", enrolled.success(status))
            output.member("weeks", row.weeks)
        }
        return true
    }
}

extension QuranFlow.EnrolledLearner {
    /// What the confirmation says before the assessment is sent (R37).
    fileprivate func confirmation(_ status: QuranFlow.EOCState) -> String? {
        guard status == .available || status == .retake else { return nil }
        return "This will be sent to \(state.coachText(state.presentCoach(row))) for evaluation. "
            + resultsText
    }

    /// What is said once it is sent, and while it is under review (R37).
    fileprivate func success(_ status: QuranFlow.EOCState) -> String? {
        switch status {
        case .available, .retake, .underReview:
            "Your coach will evaluate your submission and determine your graduation status. "
                + resultsText
        case .upcoming, .locked, .passed, .closed: nil
        }
    }

    private var resultsText: String {
        "This may take up to \(count(learner.policy.eocResultBusinessDays, "business day"))."
    }

    /// The last attempt's results; null while it has none.
    fileprivate func writeResults(
        _ attempt: QuranFlow.EOCAttemptRow?, to output: inout JSONOutput
    ) {
        guard let attempt, let outcome = attempt.outcome else { return output.null("results") }
        output.object("results") { output in
            output.member("audio", attempt.audio)
            output.member("coachName", state.name(attempt.coach))
            output.time("evaluatedAt", attempt.evaluatedAt, learner.formatter)
            output.member("notes", attempt.notes)
            output.member("outcome", outcome)
            output.member("reviewed", attempt.isReviewed)
            output.member("seconds", attempt.seconds)
        }
    }
}

extension QuranFlow.Learner {
    /// The assessment as the last node of the journey.
    func writeEOCNode(
        _ enrollment: QuranFlow.EnrollmentRow?, to output: inout JSONOutput
    ) {
        guard let enrollment else { return output.null("eoc") }
        let completed = enrollment.completedWeeks
        let missing = enrollment.weeksNeeded
        let state = enrollment.eocState(at: now)
        let label =
            switch state {
            case .upcoming, .locked:
                missing > 0
                    ? "Complete \(missing) more \(plural("submission", missing)) to unlock."
                    : "Opens \(formatter.dateText(of: enrollment.eocOpensAt))"
            case .available: "Begin Assessment"
            case .underReview: "Under Review"
            case .passed: "Passed"
            case .retake: "Retake Available"
            case .closed: "Closed"
            }
        output.object("eoc") { output in
            output.member("completed", completed)
            output.member("label", label)
            output.member("moreNeeded", missing)
            output.member("required", enrollment.requiredSubmissions)
            output.member("state", state)
        }
    }
}
