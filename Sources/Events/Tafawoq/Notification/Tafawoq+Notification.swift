package import Core

extension Tafawoq {
    /// Messages to a student. Stream `tafawoq/notification/STUDENT`.
    package enum Notification {
        /// The types of notification (page, Notifications).
        package enum Kind: String, Choice {
            case sessionReplaced = "session-replaced"
            case premiumUnlocked = "premium-unlocked"
            case checkoutFailed = "checkout-failed"
            case paymentFailed = "payment-failed"
            case downgraded
            case examReminder = "exam-reminder"
            case studyReminder = "study-reminder"
            case milestone
            case engagement
        }

        /// How a notification is sent.
        package enum Channel: String, Choice {
            case inApp = "in-app"
            case email
            case push
        }

        /// A student is to be notified, by these channels and with these facts (R42).
        package struct Raised: Payload {
            package static let type = "tafawoq.notification.raised"
            package static let streams = ["notification"]
            package static let sentence = "A student was told something."
            package static let rules = [42]
            package internal(set) var student = StudentID.none
            package internal(set) var number = 0
            package internal(set) var type = Kind.empty
            package internal(set) var topic: Topic?
            package internal(set) var target = ""
            package internal(set) var channels: [Channel] = []
            package internal(set) var facts = KeptJSON.empty

            package init() {}
        }

        /// A topic of notifications was switched on (R42).
        package struct Enabled: Payload {
            package static let type = "tafawoq.notification.enabled"
            package static let streams = ["notification"]
            package static let sentence = "A topic was switched on."
            package static let rules = [42]
            package internal(set) var student = StudentID.none
            package internal(set) var topic = Topic.empty

            package init() {}
        }

        /// A topic of notifications was switched off (R42).
        package struct Disabled: Payload {
            package static let type = "tafawoq.notification.disabled"
            package static let streams = ["notification"]
            package static let sentence = "A topic was switched off."
            package static let rules = [42]
            package internal(set) var student = StudentID.none
            package internal(set) var topic = Topic.empty

            package init() {}
        }

        /// A notification was sent.
        package struct Dispatched: Payload {
            package static let type = "tafawoq.notification.dispatched"
            package static let streams = ["notification"]
            package static let sentence = "A notification was sent."
            package internal(set) var student = StudentID.none
            package internal(set) var number = 0

            package init() {}
        }

        /// A notification was read.
        package struct Opened: Payload {
            package static let type = "tafawoq.notification.opened"
            package static let streams = ["notification"]
            package static let sentence = "A notification was read."
            package internal(set) var student = StudentID.none
            package internal(set) var number = 0

            package init() {}
        }
    }

    /// The notifications that a student may switch off (R42).
    package enum Topic: String, Choice {
        case examReminder = "exam-reminder"
        case milestone
        case engagement
    }
}
