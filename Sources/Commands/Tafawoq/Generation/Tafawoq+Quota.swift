import Commands
import Core
import Folding
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// Reports how much of the generation quota is used (R24, R46).
    struct ReportQuota: Command {
        static let type = "tafawoq.quota.report"
        func senders(in state: State) -> Senders { .service }
        var usedPercent = ExactPercent.empty
        var resetsAt = Instant.epoch

        func problem(_ names: Names) -> String? {
            (.zero)...Percent(whole: 100_000) ~= usedPercent.percent
                ? nil : "usedPercent: expected a number from 0 to 100000"
        }

        func concerned(in state: State) -> StudentID? { nil }

        func decide(in context: Context) throws(Rejection) {
            let threshold = context.policy.quotaAlertPercent.percent
            let former = context.state.totals[.only]?.quota?.usedPercent
            context.record(
                QuotaReported(
                    usedPercent: usedPercent.percent,
                    resetsAt: resetsAt), on: "tafawoq/quota/generation")
            // Only when the threshold is crossed (R46).
            guard usedPercent.percent >= threshold, former.map({ $0 < threshold }) ?? true else {
                return
            }
            context.raiseAlert(.quota, value: usedPercent.percent, threshold: threshold)
        }
    }
}

extension DecisionContext<Tafawoq> {
    /// The refusal of a free student while the quota is exhausted, with the minutes to wait, rounded up
    /// (R24).
    func unavailable(until instant: Instant) -> Tafawoq.Rejection {
        let milliseconds = instant.milliseconds(since: at)
        return .generationUnavailable.stating(Int((milliseconds + 59_999) / 60_000))
    }
}
