import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// What did I pay? The newest first.
    static let paymentsView = ReadModel<State>(
        "quranflow.payments", "What did I pay?", key: "student", arguments: ["page"],
        keys: { $0.studentKeys },
        basis: .on(Grounds.life)
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        guard let learner = Learner(request.key, state, at: request.now) else { return false }
        let total = learner.row.payments
        let shown = page.range(of: total)
        output.object { output in
            learner.writePayments(
                "items", total - shown.upperBound..<total - shown.lowerBound, to: &output)
            page.write(total: total, to: &output)
            output.member("student", learner.id)
        }
        return true
    }
}

extension QuranFlow.Learner {
    /// Payments by their place in the order in which they were recorded, the newest first.
    fileprivate func writePayments(
        _ name: String, _ range: Range<Int>, to output: inout JSONOutput
    ) {
        let payments = state.paymentLists.elements(of: id, in: range)
        output.array(name, payments.reversed()) { output, payment in
            let content = state.payments[.init(id, payment)]
            output.object { output in
                output.member("amount", content?.amount)
                output.time("at", content?.at, formatter)
                output.member("currency", content?.currency)
                output.member("description", content?.description)
                output.member("payment", payment)
            }
        }
    }

    /// The subscription with the last payments.
    func writeSubscription(to output: inout JSONOutput) {
        let shown = 7
        output.object("subscription") { output in
            writePayments("payments", max(0, row.payments - shown)..<row.payments, to: &output)
            output.member("plan", row.plan)
            output.member("renewsOn", row.renewsOn)
            output.member("status", row.status)
        }
    }
}
