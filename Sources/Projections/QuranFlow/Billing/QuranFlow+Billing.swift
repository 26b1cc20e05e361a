import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow.Learner {
    /// The subscription with the last payments.
    func writeSubscription(to output: inout JSONOutput) {
        let shown = 7
        let last = state.paymentLists.elements(
            of: id, in: max(0, row.payments - shown)..<row.payments)
        output.object("subscription") { output in
            output.array("payments", last.reversed()) { output, payment in
                let content = state.payments[.init(id, payment)]
                output.object { output in
                    output.member("amount", content?.amount)
                    output.time("at", content?.at, formatter)
                    output.member("currency", content?.currency)
                    output.member("description", content?.description)
                    output.member("payment", payment)
                }
            }
            output.member("plan", row.plan)
            output.member("renewsOn", row.renewsOn)
            output.member("status", row.status)
        }
    }
}
