package import Core

extension QuranFlow {
    /// A message to a student or a coach (page, Notifications). Stream `quranflow/inbox/RECIPIENT`.
    package enum Notification {
        package enum Kind: String, Choice {
            case placementReady = "placement-ready"
            case coachAssigned = "coach-assigned"
            case weekUnlocked = "week-unlocked"
            case deadlineReminder = "deadline-reminder"
            case feedbackReady = "feedback-ready"
            case commentPosted = "comment-posted"
            case eocAvailable = "eoc-available"
            case eocResults = "eoc-results"
            case sessionReminder = "session-reminder"
            case scheduleUpdate = "schedule-update"
            case announcement
            case enrollmentOpen = "enrollment-open"
            case appointmentBooked = "appointment-booked"
            case appointmentRescheduled = "appointment-rescheduled"
            case appointmentCancelled = "appointment-cancelled"
            case appointmentReminder = "appointment-reminder"
            case feedbackOverdue = "feedback-overdue"
            case resultsOverdue = "results-overdue"
            case coachMessage = "coach-message"
            // Since version 2: a kind is stored as its place in this list.
            case eocReminder = "eoc-reminder"
            case advancedOpen = "advanced-open"
            case helpReply = "help-reply"
        }

        /// What a student may switch off; `always` cannot be.
        package enum Category: String, Choice {
            case always, deadlines, feedback, sessions, announcements
        }

        package enum Channel: String, Choice {
            case email, push
        }

        /// A notification was put into an inbox. It holds ids and numbers only: names and texts are put together
        /// when it is shown.
        package struct Raised: Payload {
            package static let type = "quranflow.notification.raised"
            /// Version 1 had fewer kinds.
            package static let version: UInt16 = 2
            package static let streams = ["inbox"]
            package static let sentence = "A notification was raised."
            /// 1, 2, … in this inbox.
            package internal(set) var number = 0
            package internal(set) var kind = Kind.empty
            package internal(set) var category = Category.empty
            package internal(set) var about = KeptJSON.empty
            package internal(set) var link = KeptJSON.empty
            package internal(set) var channels: [Channel] = []
            package internal(set) var happenedAt = Instant.epoch

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                fields(&coder, version: Self.version)
            }

            @specialized(where C == BinaryReader)
            @specialized(where C == BinaryWriter)
            package mutating func fields<C: Coder>(_ coder: inout C, version: UInt16) {
                coder.field("number", &number)
                if version < 2 {
                    coder.field("kind", &kind, as: FirstCases<19, Kind>.self)
                } else {
                    coder.field("kind", &kind)
                }
                coder.field("category", &category)
                coder.field("about", &about)
                coder.field("link", &link)
                coder.field("channels", &channels)
                coder.field("happenedAt", &happenedAt)
            }
        }

        /// The recipient opened a notification.
        package struct Opened: Payload {
            package static let type = "quranflow.notification.opened"
            package static let streams = ["inbox"]
            package static let sentence = "A notification was opened."
            package internal(set) var number = 0

            package init() {}
        }
    }
}
