import Commands
import Core
import Folding
import TafawoqEvents
import TafawoqFacts

extension DecisionContext<Tafawoq> {
    /// Alerts after a failure if there were too many within the window, and no alert within it (R46).
    func alertOnFailures(_ kind: Tafawoq.AlertKind) {
        let window = state.window(endingAt: at)
        let count: Int
        let threshold: Int
        switch kind {
        case .generationFailures:
            count = state.marksOfGeneration(in: window).count { $0.kind == .failed }
            threshold = policy.alertGenerationFailures
        case .paymentFailures:
            count = state.marksOfPayment(in: window).count { $0.kind == .failed }
            threshold = policy.alertPaymentFailures
        case .quota: return
        }
        guard count >= threshold, !state.hasAlert(kind, in: window) else { return }
        raiseAlert(kind, value: Percent(whole: count), threshold: Percent(whole: threshold))
    }

    /// Alerts administrators (R46).
    func raiseAlert(_ kind: Tafawoq.AlertKind, value: Percent, threshold: Percent) {
        record(
            Tafawoq.AlertRaised(
                kind: kind,
                value: value,
                threshold: threshold), on: "tafawoq/alert/main")
    }
}
