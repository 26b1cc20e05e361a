package import Core

extension Learnable {
    /// What students are notified of (page, Notifications). On the student's stream.
    package enum Notification {
        package enum Kind: String, Choice {
            case trialEnding = "trial-ending"
            case trialEnded = "trial-ended"
            case subscriptionEnded = "subscription-ended"
            case dailyQuizReminder = "daily-quiz-reminder"
            case studyReminder = "study-reminder"
            case quickQuizReminder = "quick-quiz-reminder"
            case subjectReady = "subject-ready"
            case generationFailed = "generation-failed"
            case offerAcquired = "offer-acquired"
        }

        /// The student should be notified; delivery is up to the push service.
        package struct Raised: StudentEvent {
            package static let type = "learnable.notification.raised"
            package static let version: UInt16 = 2
            package static let streams = ["student"]
            package static let sentence = "A notification was raised."
            package internal(set) var student = StudentID.none
            package internal(set) var notification = Kind.trialEnding
            package internal(set) var target = ""
            package internal(set) var day = LocalDate.epoch
            package internal(set) var facts: Personal<KeptJSON> = nil

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                fields(&coder, version: Self.version)
            }

            package mutating func fields<C: Coder>(_ coder: inout C, version: UInt16) {
                coder.field("student", &student)
                coder.field("notification", &notification)
                coder.field("target", &target)
                coder.field("day", &day)
                coder.personal("facts", &facts, inClear: version < 2)
            }
        }
    }
}
