package import Core
import Folding
package import TafawoqEvents

extension Tafawoq {
    /// The last report of the generation quota (R24).
    package struct QuotaRow: Record {
        package var usedPercent = Percent.zero
        package var resetsAt = Instant.epoch

        package init() {}
    }
}

extension Tafawoq.State {
    static func quotaRoutes(_ routes: inout Routes<Tafawoq.State>) {
        routes.on(Tafawoq.QuotaReported.self) { state, event, _ in
            var quota = Tafawoq.QuotaRow()
            quota.usedPercent = event.usedPercent
            quota.resetsAt = event.resetsAt
            state.totals.update(.only) { $0.quota = quota }
        }
    }

    /// When an exhausted quota resets; none while there is some left (R24).
    package func quotaResets(after instant: Instant) -> Instant? {
        guard let quota = totals[.only]?.quota, quota.usedPercent >= .hundred,
            instant < quota.resetsAt
        else { return nil }
        return quota.resetsAt
    }
}
