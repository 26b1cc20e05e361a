package import Core
package import Folding
package import TafawoqEvents

extension Tafawoq {
    /// A checkout, with what it offered (R12).
    package struct CheckoutRow: Record {
        package var trialDays = 0
        package var amountMinor = 0
        package var currency = ""
        package var expectedBy: Instant?
        package var isSettled = false

        package init() {}
    }

    /// Checkout ids are the student's own (R12).
    package typealias CheckoutKey = Pair<StudentID, CheckoutID>
}

extension Tafawoq.State {
    static func checkoutRoutes(_ routes: inout Routes<Tafawoq.State>) {
        routes.on(Tafawoq.Checkout.Begun.self) { state, event, _ in
            guard state.students.contains(event.student) else { return }
            state.checkouts.update(.init(event.student, event.checkout)) {
                $0.trialDays = event.trialDays
                $0.amountMinor = event.amountMinor
                $0.currency = event.currency
            }
            state.subscriptions.updateExisting(event.student) { $0.lastCheckout = event.checkout }
        }
        routes.on(Tafawoq.Checkout.Confirmed.self) { state, event, _ in
            state.checkouts.updateExisting(.init(event.student, event.checkout)) {
                $0.expectedBy = event.expectedBy
            }
        }
        routes.on(Tafawoq.Checkout.Failed.self) { state, event, metadata in
            guard state.students.contains(event.student) else { return }
            state.settle(event.checkout, of: event.student)
            state.take(event.providerEvent, of: event.student)
            state.markPayment(.failed, event.reportedAfterSeconds, metadata)
        }
    }

    /// Marks a checkout as settled: paid or failed (R12).
    func settle(_ checkout: Tafawoq.CheckoutID, of student: Tafawoq.StudentID) {
        checkouts.updateExisting(.init(student, checkout)) { $0.isSettled = true }
    }
}
