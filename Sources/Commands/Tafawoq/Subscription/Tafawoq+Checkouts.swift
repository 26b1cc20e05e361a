package import Commands
package import Core
import Folding
package import TafawoqEvents
package import TafawoqFacts

extension Tafawoq {
    /// A command that names a student's checkout.
    package protocol CheckoutCommand: StudentCommand {
        var checkout: CheckoutID { get set }
    }

    /// Begins to buy premium (R12).
    package struct BeginCheckout: CheckoutCommand {
        package static let type = "tafawoq.checkout.begin"
        package var student = StudentID.none
        package var checkout = CheckoutID.none

        package init() {}

        package func apply(in scene: Scene<Centre>) throws(Rejection) {
            let row = try scene.ownStudent(student)
            if scene.state.checkouts.contains(.init(student, checkout)) { throw .alreadyExists }
            guard row.isVerified else { throw .emailUnverified }
            if scene.tier(of: student) == .premium { throw .alreadyPremium }
            let hadTrial = scene.state.subscriptions.read(student) { $0.hadTrial } ?? false
            scene.record(
                Checkout.Begun.with {
                    $0.student = student
                    $0.checkout = checkout
                    $0.trialDays = hadTrial ? 0 : scene.policy.trialDays
                    $0.amountMinor = scene.policy.priceMonthlyMinor
                    $0.currency = scene.policy.priceCurrency
                }, subscription: student)
        }
    }

    /// The client came back from a successful payment form (R12).
    package struct ConfirmCheckout: CheckoutCommand {
        package static let type = "tafawoq.checkout.confirm"
        package var student = StudentID.none
        package var checkout = CheckoutID.none

        package init() {}

        package func apply(in scene: Scene<Centre>) throws(Rejection) {
            _ = try scene.student(student)
            guard let row = scene.state.checkouts[.init(student, checkout)] else { throw .notFound }
            try scene.checkOwner(student)
            if row.isSettled { throw .checkoutSettled }
            if row.expectedBy != nil { throw .alreadyConfirmed }
            scene.record(
                Checkout.Confirmed.with {
                    $0.student = student
                    $0.checkout = checkout
                    $0.expectedBy = scene.at + Int64(scene.policy.activationWaitSeconds)
                }, subscription: student)
        }
    }

    /// Wants no further period (R18).
    package struct CancelSubscription: StudentAlone {
        package static let type = "tafawoq.subscription.cancel"
        package static let senders: [Actor.Kind] = [.student, .admin]
        package var student = StudentID.none

        package init() {}

        package func apply(in scene: Scene<Centre>) throws(Rejection) {
            _ = try scene.ownStudent(student)
            guard scene.tier(of: student) == .premium,
                let row = scene.state.subscriptions[student]
            else { throw .notPremium }
            if row.endsAt != nil { throw .alreadyCancelled }
            scene.record(
                Subscription.Cancelled.with {
                    $0.student = student
                    $0.endsAt = row.renewal?.accessUntil ?? row.periodEnd
                }, subscription: student)
        }
    }
}

extension Tafawoq.CheckoutCommand {
    package mutating func fields<C: Coder>(_ coder: inout C) {
        coder.field("student", &student)
        coder.field("checkout", &checkout)
    }
}
