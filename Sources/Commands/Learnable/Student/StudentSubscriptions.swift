package import Commands
package import Core
import Folding
package import LearnableEvents
package import LearnableFacts

extension Learnable {
    /// R8: what the payment provider says was paid for.
    package struct ActivateSubscription: Command {
        package static let type = "learnable.subscription.activate"
        package static let senders: [Actor.Kind] = [.service]
        var student = StudentID.none
        var plan = PlanID.none
        var paidUntil = Instant.epoch
        var payment = PaymentID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("plan", &plan)
            coder.field("paidUntil", &paidUntil)
            coder.field("payment", &payment)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let row = try scene.find(student)
            if row.subscription != nil { throw .alreadySubscribed }
            if paidUntil <= scene.at { throw .paidUntilPast }
            if row.trial != nil {
                scene.record(
                    Trial.Ended.with {
                        $0.student = student
                        $0.reason = .subscribed
                    }, on: scene.stream(student))
            }
            scene.record(
                Subscription.Activated.with {
                    $0.student = student
                    $0.plan = plan
                    $0.paidUntil = paidUntil
                    $0.payment = payment
                }, on: scene.stream(student))
        }
    }

    package struct RenewSubscription: Command {
        package static let type = "learnable.subscription.renew"
        package static let senders: [Actor.Kind] = [.service]
        var student = StudentID.none
        var paidUntil = Instant.epoch
        var payment = PaymentID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("paidUntil", &paidUntil)
            coder.field("payment", &payment)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            guard let subscription = try scene.find(student).subscription else {
                throw .notSubscribed
            }
            if paidUntil <= scene.at || paidUntil <= subscription.paidUntil {
                throw .paidUntilPast
            }
            scene.record(
                Subscription.Renewed.with {
                    $0.student = student
                    $0.paidUntil = paidUntil
                    $0.payment = payment
                }, on: scene.stream(student))
        }
    }

    package struct CancelSubscription: Command {
        package static let type = "learnable.subscription.cancel"
        package static let senders: [Actor.Kind] = [.student, .service]
        var student = StudentID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let row = try scene.find(student)
            try scene.own(student)
            guard let subscription = row.subscription else { throw .notSubscribed }
            if subscription.isCancelled { throw .alreadyCancelled }
            scene.record(
                Subscription.Cancelled.with {
                    $0.student = student
                    $0.paidUntil = subscription.paidUntil
                    $0.reason = scene.actor.kind == .student ? .student : .service
                }, on: scene.stream(student))
        }
    }

    package struct RefundSubscription: Command {
        package static let type = "learnable.subscription.refund"
        package static let senders: [Actor.Kind] = [.service]
        var student = StudentID.none
        var payment = PaymentID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("payment", &payment)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            if try scene.find(student).subscription == nil { throw .notSubscribed }
            scene.record(
                Subscription.Refunded.with {
                    $0.student = student
                    $0.payment = payment
                }, on: scene.stream(student))
        }
    }
}
