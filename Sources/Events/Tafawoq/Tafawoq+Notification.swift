package import Core

extension Tafawoq {
    /// What a student reached. Stream `tafawoq/milestone/STUDENT`.
    package enum Milestone {
        package struct Reached: Payload {
            package static let type = "tafawoq.milestone.reached"
            package static let streams = ["milestone"]
            package static let sentence = "A milestone was reached."
            package var student = StudentID.none
            package var milestone = ""
            package var value = Percent.zero

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("milestone", &milestone)
                coder.field("value", &value)
            }
        }
    }

    /// What students are told. Stream `tafawoq/notification/STUDENT`.
    package enum Notification {
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

        package enum Channel: String, Choice {
            case inApp = "in-app"
            case email
            case push
        }

        package struct Raised: Payload {
            package static let type = "tafawoq.notification.raised"
            package static let streams = ["notification"]
            package static let sentence = "A student was told something."
            package var student = StudentID.none
            package var number = 0
            package var type = Kind.empty
            package var topic: Topic?
            package var target = ""
            package var channels: [Channel] = []
            package var facts = KeptJSON.empty

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("number", &number)
                coder.field("type", &type)
                coder.field("topic", &topic)
                coder.field("target", &target)
                coder.field("channels", &channels)
                coder.field("facts", &facts)
            }
        }

        package struct Enabled: Payload {
            package static let type = "tafawoq.notification.enabled"
            package static let streams = ["notification"]
            package static let sentence = "A topic was switched on."
            package var student = StudentID.none
            package var topic = Topic.empty

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("topic", &topic)
            }
        }

        package struct Disabled: Payload {
            package static let type = "tafawoq.notification.disabled"
            package static let streams = ["notification"]
            package static let sentence = "A topic was switched off."
            package var student = StudentID.none
            package var topic = Topic.empty

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("topic", &topic)
            }
        }

        package struct Dispatched: Payload {
            package static let type = "tafawoq.notification.dispatched"
            package static let streams = ["notification"]
            package static let sentence = "A notification was sent."
            package var student = StudentID.none
            package var number = 0

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("number", &number)
            }
        }

        package struct Opened: Payload {
            package static let type = "tafawoq.notification.opened"
            package static let streams = ["notification"]
            package static let sentence = "A notification was read."
            package var student = StudentID.none
            package var number = 0

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("number", &number)
            }
        }
    }

    /// A study time. Stream `tafawoq/study/STUDY`.
    package enum Study: Thing {
        package static let noun = "study"

        package enum Repetition: String, Choice {
            case once
            case daily
            case weekly
        }

        package struct Scheduled: Payload {
            package static let type = "tafawoq.study.scheduled"
            package static let streams = ["study"]
            package static let sentence = "A study time was scheduled."
            package var study = StudyID.none
            package var student = StudentID.none
            package var startsAt = Instant.epoch
            package var `repeat` = Repetition.empty
            package var leadSeconds = 0

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("study", &study)
                coder.field("student", &student)
                coder.field("startsAt", &startsAt)
                coder.field("repeat", &`repeat`)
                coder.field("leadSeconds", &leadSeconds)
            }
        }

        package struct Cancelled: Payload {
            package static let type = "tafawoq.study.cancelled"
            package static let streams = ["study"]
            package static let sentence = "A study time was cancelled."
            package var study = StudyID.none
            package var student = StudentID.none

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("study", &study)
                coder.field("student", &student)
            }
        }
    }
}
