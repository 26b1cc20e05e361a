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
        let roll = state.totals[.only] ?? TotalsRow()
        output.object { output in
            output.member("registered", roll.registered)
            output.member("verified", roll.verified)
            output.member("profileCompleted", roll.profileCompleted)
            output.member("examStarted", roll.examStarted)
            output.member("examCompleted", roll.examCompleted)
            output.member(
                "journeyPercent",
                roll.registered == 0 ? nil : Percent(roll.examCompleted, of: roll.registered))
            output.member("withFiveExams", roll.withFiveExams)
            output.member("improvedTenPoints", roll.improvedTenPoints)
            output.member(
                "improvedPercent",
                roll.withFiveExams == 0
                    ? nil : Percent(roll.improvedTenPoints, of: roll.withFiveExams))
        }
        return true
    }
}
