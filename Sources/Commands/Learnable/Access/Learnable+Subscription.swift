import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension Learnable {
    /// Starts the subscription that the payment provider was paid for (R8).
    struct ActivateSubscription: Command {
        static let type = "learnable.subscription.activate"
        func senders(in state: State) -> Senders { .service }
        var student = StudentID.none
        var plan = PlanID.none
        var paidUntil = Instant.epoch
        var payment = PaymentID.none

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(student)
            if row.subscription != nil { throw .alreadySubscribed }
            if paidUntil <= context.at { throw .paidUntilPast }
            if row.trial != nil {
                context.record(
                    Trial.Ended(
                        student: student,
                        reason: .subscribed), on: student)
            }
            context.record(
                Subscription.Activated(
                    student: student,
                    plan: plan,
                    paidUntil: paidUntil,
                    payment: payment), on: student)
        }
    }

    /// Extends the subscription, also a cancelled one (R8).
    struct RenewSubscription: Command {
        static let type = "learnable.subscription.renew"
        func senders(in state: State) -> Senders { .service }
        var student = StudentID.none
        var paidUntil = Instant.epoch
        var payment = PaymentID.none

        func decide(in context: Context) throws(Rejection) {
            guard let subscription = try context.find(student).subscription else {
                throw .notSubscribed
            }
            if paidUntil <= context.at || paidUntil <= subscription.paidUntil {
                throw .paidUntilPast
            }
            context.record(
                Subscription.Renewed(
                    student: student,
                    paidUntil: paidUntil,
                    payment: payment), on: student)
        }
    }

    /// Keeps the subscription from renewing (R8).
    struct CancelSubscription: StudentAlone {
        static let type = "learnable.subscription.cancel"
        func senders(in state: State) -> Senders { .any(.student, .service) }
        var student = StudentID.none

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(student, need: .settings)
            guard let subscription = row.subscription else { throw .notSubscribed }
            if subscription.isCancelled { throw .alreadyCancelled }
            context.record(
                Subscription.Cancelled(
                    student: student,
                    paidUntil: subscription.paidUntil,
                    reason: context.actor.kind == .student ? .student : .service), on: student)
        }
    }

    /// Ends the subscription at once (R8).
    struct RefundSubscription: Command {
        static let type = "learnable.subscription.refund"
        func senders(in state: State) -> Senders { .service }
        var student = StudentID.none
        var payment = PaymentID.none

        func decide(in context: Context) throws(Rejection) {
            if try context.find(student).subscription == nil { throw .notSubscribed }
            context.record(
                Subscription.Refunded(
                    student: student,
                    payment: payment), on: student)
        }
    }
}
