import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// How many students reached each step, and how many improved over five exams.
    static let journeyView = ReadModel<State>(
        "tafawoq.journey", "How far do students come?"
    ) { state, _, output in
        let totals = state.totals[.only] ?? TotalsRow()
        output.object { output in
            output.member("registered", totals.registered)
            output.member("verified", totals.verified)
            output.member("profileCompleted", totals.profileCompleted)
            output.member("tourFinished", totals.toured)
            output.member("tourScreens", state.policy.tour.map(\.title))
            output.member("examStarted", totals.examStarted)
            output.member("examCompleted", totals.examCompleted)
            output.member(
                "journeyPercent",
                totals.registered == 0 ? nil : Percent(totals.examCompleted, of: totals.registered))
            output.member("withFiveExams", totals.withFiveExams)
            output.member("improvedTenPoints", totals.improvedTenPoints)
            output.member(
                "improvedPercent",
                totals.withFiveExams == 0
                    ? nil : Percent(totals.improvedTenPoints, of: totals.withFiveExams))
        }
        return true
    }
}
