import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow.Learner {
    /// The electives on offer, by id; null outside of Advanced.
    func writeElectives(to output: inout JSONOutput) {
        guard phase == .advanced else { return output.null("electives") }
        let electives = state.sorted(state.catalogue.electives, by: { _ in 0 }, id: { $0 })
        output.array("electives", electives) { output, elective in
            let content = state.electives[elective]
            output.object { output in
                output.member("chosen", row.electives.contains(elective))
                output.member("description", content?.description)
                output.member("elective", elective)
                output.member("title", content?.title)
            }
        }
    }
}
