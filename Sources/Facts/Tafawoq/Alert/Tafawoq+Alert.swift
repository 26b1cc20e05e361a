package import Core
import Folding
package import TafawoqEvents

extension Tafawoq {
    /// An alert to administrators (R46).
    package struct AlertRow: Dated {
        package var kind = AlertKind.empty
        package var value = Percent.zero
        package var threshold = Percent.zero
        package var at = Instant.epoch

        package init() {}
    }
}

extension Tafawoq.State {
    static func alertRoutes(_ routes: inout Routes<Tafawoq.State>) {
        routes.on(Tafawoq.AlertRaised.self) { state, event, metadata in
            var alert = Tafawoq.AlertRow()
            alert.kind = event.kind
            alert.value = event.value
            alert.threshold = event.threshold
            alert.at = metadata.at
            state.alerts.append(alert, at: state.count(\.alerts))
        }
    }

    /// Whether an alert of this kind was raised within the window (R46).
    package func hasAlert(_ kind: Tafawoq.AlertKind, in window: Tafawoq.Window) -> Bool {
        alerts.entries(in: window, count: totals[.only]?.alerts ?? 0).contains { $0.kind == kind }
    }

    /// The alert window that ends at an instant (R46).
    package func window(endingAt instant: Instant) -> Tafawoq.Window {
        Tafawoq.Window(end: instant, seconds: policy.alertWindowSeconds)
    }
}
