package import Core

extension Learnable {
    /// Access that is paid for; payments are the payment provider's business (R8). On the student's stream.
    package enum Subscription {
        package enum Canceller: String, Choice {
            case student, service
            case accountDeleted = "account-deleted"
        }

        package enum End: String, Choice {
            case cancelled
            case notRenewed = "not-renewed"
        }

        /// A subscription started; it runs until its end or a refund is recorded (R8).
        package struct Activated: StudentEvent {
            package static let type = "learnable.subscription.activated"
            package static let streams = ["student"]
            package static let sentence = "A subscription was activated."
            package static let rules = [8]
            package internal(set) var student = StudentID.none
            package internal(set) var plan = PlanID.none
            package internal(set) var paidUntil = Instant.epoch
            package internal(set) var payment = PaymentID.none

            package init() {}
        }

        /// The subscription is paid for until a later instant; one that was cancelled renews again (R8).
        package struct Renewed: StudentEvent {
            package static let type = "learnable.subscription.renewed"
            package static let streams = ["student"]
            package static let sentence = "A subscription was renewed."
            package static let rules = [8]
            package internal(set) var student = StudentID.none
            package internal(set) var paidUntil = Instant.epoch
            package internal(set) var payment = PaymentID.none

            package init() {}
        }

        /// The subscription will not renew; access stays until what is paid for is used up (R8).
        package struct Cancelled: StudentEvent {
            package static let type = "learnable.subscription.cancelled"
            package static let streams = ["student"]
            package static let sentence = "A subscription was cancelled."
            package static let rules = [8]
            package internal(set) var student = StudentID.none
            package internal(set) var paidUntil = Instant.epoch
            package internal(set) var reason = Canceller.student

            package init() {}
        }

        /// The subscription was paid back; access ends at once (R8).
        package struct Refunded: StudentEvent {
            package static let type = "learnable.subscription.refunded"
            package static let streams = ["student"]
            package static let sentence = "A subscription was refunded."
            package static let rules = [8]
            package internal(set) var student = StudentID.none
            package internal(set) var payment = PaymentID.none

            package init() {}
        }

        /// What was paid for is used up (R8).
        package struct Ended: StudentEvent {
            package static let type = "learnable.subscription.ended"
            package static let streams = ["student"]
            package static let sentence = "A subscription ended."
            package static let rules = [8]
            package internal(set) var student = StudentID.none
            package internal(set) var reason = End.cancelled

            package init() {}
        }
    }
}
