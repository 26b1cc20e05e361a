import Commands
import Core
import Folding
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// A command that names a student's checkout.
    protocol CheckoutCommand: StudentCommand {
        var checkout: CheckoutID { get set }
    }

    /// Begins to buy premium (R12).
    struct BeginCheckout: CheckoutCommand {
        static let type = "tafawoq.checkout.begin"
        var student = StudentID.none
        var checkout = CheckoutID.none

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(student)
            try context.checkIsFree(
                checkout, unless: context.state.checkouts.contains(.init(student, checkout)))
            guard row.isVerified else { throw .emailUnverified }
            if context.tier(of: student) == .premium { throw .alreadyPremium }
            let hadTrial = context.state.subscriptions.read(student) { $0.hadTrial } ?? false
            context.record(
                Checkout.Begun(
                    student: student,
                    checkout: checkout,
                    trialDays: hadTrial ? 0 : context.policy.trialDays,
                    amountMinor: context.policy.priceMonthlyMinor,
                    currency: context.policy.priceCurrency),
                on: context.subscriptionStream(of: student))
        }
    }

    /// Says that the client came back from a successful payment form (R12).
    struct ConfirmCheckout: CheckoutCommand {
        static let type = "tafawoq.checkout.confirm"
        var student = StudentID.none
        var checkout = CheckoutID.none

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(checkout, of: student)
            if row.isSettled { throw .checkoutSettled }
            if row.expectedBy != nil { throw .alreadyConfirmed }
            context.record(
                Checkout.Confirmed(
                    student: student,
                    checkout: checkout,
                    expectedBy: context.at + Int64(context.policy.activationWaitSeconds)),
                on: context.subscriptionStream(of: student))
        }
    }
}

extension Tafawoq.CheckoutCommand {
    mutating func fields<C: Coder>(_ coder: inout C) {
        coder.field("student", &student)
        coder.field("checkout", &checkout)
    }
}
