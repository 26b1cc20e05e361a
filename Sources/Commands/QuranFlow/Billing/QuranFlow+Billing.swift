import Commands
import Core
import Folding
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Reports plan, status and renewal of a student's subscription, as the payment provider has them.
    struct ReportSubscription: Command {
        static let type = "quranflow.subscription.report"
        var student = StudentID.none
        var plan: Filled = ""
        var status = Subscription.Status.trial
        var renewsOn: LocalDate?

        func senders(in state: State) -> Senders { .admin.or(.service) }

        func decide(in context: Context) throws(Rejection) {
            try context.find(student)
            context.record(
                Subscription.Reported(
                    plan: plan,
                    status: status,
                    renewsOn: renewsOn), on: student)
        }
    }

    /// Records a payment that the provider received.
    struct RecordPayment: Command {
        static let type = "quranflow.payment.record"
        var student = StudentID.none
        var payment = PaymentID.none
        var amount = 0
        var currency = ""
        var description: Filled = ""

        func problem(_ names: Names) -> String? {
            let isCode = currency.utf8.count == 3 && currency.utf8.allSatisfy { 65...90 ~= $0 }
            return rangeProblem(("amount", amount, Bounds.count))
                ?? (isCode ? nil : "currency: expected an ISO 4217 code")
        }

        func senders(in state: State) -> Senders { .admin.or(.service) }

        func decide(in context: Context) throws(Rejection) {
            try context.find(student)
            try context.checkIsFree(
                payment, unless: context.state.payments.contains(.init(student, payment)))
            context.record(
                Payment.Recorded(
                    payment: payment,
                    amount: amount,
                    currency: InternedText(context.names.intern(currency)),
                    description: description), on: student)
        }
    }
}
