import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// May I submit now, and what does the confirmation say (R17, R18)?
    static let submissionCheckView = ReadModel<State>(
        "quranflow.submission-check", "May I submit now, and what does the confirmation say?",
        key: "enrollment", arguments: ["week"], keys: { $0.enrollmentKeys },
        basis: .on(Grounds.enrollment, Grounds.lessons, Grounds.policy)
    ) { state, request, output throws(WrongArgument) in
        let asked = try request.whole("week")
        guard let enrolled = EnrolledLearner(request.key, state, at: request.now) else {
            return false
        }
        let week = asked ?? enrolled.currentWeek
        let code = state.obstacle(to: enrolled.row, week: week, at: enrolled.now)
        let isAllowed = code == nil
        let coach = state.coachText(state.presentCoach(enrolled.row))
        let within = "within \(count(enrolled.learner.policy.feedbackHours.count, "hour"))"
        let allowance = enrolled.allowance
        output.object { output in
            output.member("allowed", isAllowed)
            output.member("attemptsText", enrolled.attemptsText)
            output.member(
                "body",
                isAllowed
                    ? "This will be sent to \(coach) for review. You will receive feedback "
                        + "\(within). You will have \(count(allowance.remaining - 1, "attempt")) "
                        + "remaining after this submission." : nil)
            output.member("code", code)
            output.member("enrollment", enrolled.id)
            output.time("nextAttemptAt", allowance.nextAttemptAt, enrolled.learner.formatter)
            output.member(
                "success",
                isAllowed
                    ? "\(coach) will review your submission and send feedback \(within)." : nil)
            output.member("title", isAllowed ? "Submit This Recording?" : nil)
            output.member("week", week)
        }
        return true
    }
}
