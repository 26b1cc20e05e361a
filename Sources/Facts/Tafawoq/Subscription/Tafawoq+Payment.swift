package import Core
import Folding
package import TafawoqEvents

extension Tafawoq {
    /// What `payment-health` counts.
    package enum PaymentMarkKind: String, Choice {
        case succeeded
        case failed
        case ignored
    }

    /// One outcome that `payment-health` counts.
    package struct PaymentMark: Dated {
        package var at = Instant.epoch
        package var kind = PaymentMarkKind.empty
        package var reportedAfterSeconds = 0

        package init() {}
    }
}

extension Tafawoq.State {
    static func paymentRoutes(_ routes: inout Routes<Tafawoq.State>) {
        routes.on(Tafawoq.Subscription.PaymentIgnored.self) { state, event, metadata in
            guard state.students.contains(event.student) else { return }
            state.take(event.providerEvent, of: event.student)
            state.markPayment(.ignored, event.reportedAfterSeconds, metadata)
        }
    }

    /// Notes a provider event: it counts once (R20).
    func take(_ event: Tafawoq.ProviderEventID, of student: Tafawoq.StudentID) {
        providerEvents.insert(.init(), at: .init(student, event))
    }

    /// Adds an outcome to what `payment-health` counts.
    func markPayment(
        _ kind: Tafawoq.PaymentMarkKind, _ seconds: Int, _ metadata: EventMetadata
    ) {
        var mark = Tafawoq.PaymentMark()
        mark.at = metadata.at
        mark.kind = kind
        mark.reportedAfterSeconds = seconds
        paymentMarks.append(mark, at: count(\.paymentMarks))
    }

    /// Payment outcomes within the window (R46).
    package func marksOfPayment(in window: Tafawoq.Window) -> [Tafawoq.PaymentMark] {
        paymentMarks.entries(in: window, count: totals[.only]?.paymentMarks ?? 0)
    }
}
