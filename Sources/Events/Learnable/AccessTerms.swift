package import Core

extension Learnable {
    /// What the student may use (R5).
    package enum Access: String, Choice {
        case trial, subscribed
        case none
    }

    /// The free trial. On the student's stream.
    package enum Trial {
        package enum Refusal: String, Choice {
            case deviceHadTrial = "device-had-trial"
        }

        package enum Reason: String, Choice {
            case expired, subscribed
        }

        /// It runs until its end is recorded (R7).
        package struct Started: Carried {
            package static let type = "learnable.trial.started"
            package static let streams = ["student"]
            package static let sentence = "A free trial started."
            package var student = StudentID.none
            package var endsAt = Instant.epoch
            package var remindAt: Instant?
            package var days = 0
            package var device: Word?

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("endsAt", &endsAt)
                coder.field("remindAt", &remindAt)
                coder.field("days", &days)
                coder.field("device", &device)
            }
        }

        /// The device has had a trial (R7, R47).
        package struct Refused: Carried {
            package static let type = "learnable.trial.refused"
            package static let streams = ["student"]
            package static let sentence = "A free trial was refused."
            package static let significance = Significance.refusal
            package var student = StudentID.none
            package var reason = Refusal.deviceHadTrial
            package var device: Word?

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("reason", &reason)
                coder.field("device", &device)
            }
        }

        /// It is over for good (R7, R8).
        package struct Ended: Carried {
            package static let type = "learnable.trial.ended"
            package static let streams = ["student"]
            package static let sentence = "A free trial ended."
            package var student = StudentID.none
            package var reason = Reason.expired

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("reason", &reason)
            }
        }
    }

    /// What is paid for. On the student's stream; payments are the provider's facts (R8).
    package enum Subscription {
        package enum Canceller: String, Choice {
            case student, service
            case accountDeleted = "account-deleted"
        }

        package enum End: String, Choice {
            case cancelled
            case notRenewed = "not-renewed"
        }

        /// It runs until its end or a refund is recorded.
        package struct Activated: Carried {
            package static let type = "learnable.subscription.activated"
            package static let streams = ["student"]
            package static let sentence = "A subscription was activated."
            package var student = StudentID.none
            package var plan = PlanID.none
            package var paidUntil = Instant.epoch
            package var payment = PaymentID.none

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("plan", &plan)
                coder.field("paidUntil", &paidUntil)
                coder.field("payment", &payment)
            }
        }

        /// Paid for longer.
        package struct Renewed: Carried {
            package static let type = "learnable.subscription.renewed"
            package static let streams = ["student"]
            package static let sentence = "A subscription was renewed."
            package var student = StudentID.none
            package var paidUntil = Instant.epoch
            package var payment = PaymentID.none

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("paidUntil", &paidUntil)
                coder.field("payment", &payment)
            }
        }

        /// It will not be renewed; access stays until it is used up.
        package struct Cancelled: Carried {
            package static let type = "learnable.subscription.cancelled"
            package static let streams = ["student"]
            package static let sentence = "A subscription was cancelled."
            package var student = StudentID.none
            package var paidUntil = Instant.epoch
            package var reason = Canceller.student

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("paidUntil", &paidUntil)
                coder.field("reason", &reason)
            }
        }

        /// Access ends at once.
        package struct Refunded: Carried {
            package static let type = "learnable.subscription.refunded"
            package static let streams = ["student"]
            package static let sentence = "A subscription was refunded."
            package var student = StudentID.none
            package var payment = PaymentID.none

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("payment", &payment)
            }
        }

        /// What was paid for is used up.
        package struct Ended: Carried {
            package static let type = "learnable.subscription.ended"
            package static let streams = ["student"]
            package static let sentence = "A subscription ended."
            package var student = StudentID.none
            package var reason = End.cancelled

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("reason", &reason)
            }
        }
    }
}
