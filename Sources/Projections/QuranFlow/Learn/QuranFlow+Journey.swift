import Core
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow.Learner {
    /// Where the level stands, week by week; nil outside an enrolment (R30, R36).
    func writeJourney(
        _ enrollment: QuranFlow.EnrollmentRow?, to output: inout JSONOutput
    ) {
        guard let enrollment else { return output.null("journey") }
        let weeks = enrollment.weeks
        // With the level passed the journey is done, whichever weeks it took (R36).
        let isPassed = enrollment.state == .graduated
        let current = isPassed ? weeks : enrollment.currentWeek(at: now)
        let completed = isPassed ? weeks : state.completeWeeks(enrollment, at: now)
        output.object("journey") { output in
            output.member("completed", completed)
            output.array("nodes", 1...max(1, weeks)) { output, week in
                output.object { output in
                    output.member("current", week == current && !isPassed)
                    output.member(
                        "status",
                        isPassed ? .complete : state.weekStatus(enrollment, week: week, at: now))
                    output.member("week", week)
                }
            }
            output.member("remaining", weeks - completed)
            output.member(
                "text",
                current == 0
                    ? "Week 1 of \(weeks)"
                    : "Week \(current) of \(weeks) -- \(completed) completed, "
                        + "\(weeks - completed) remaining")
        }
    }
}
