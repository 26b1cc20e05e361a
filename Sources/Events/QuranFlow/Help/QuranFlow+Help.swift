package import Core

extension QuranFlow {
    /// What a student writes to their coach. Stream `quranflow/message/MESSAGE`.
    package enum Message: Thing {
        package static let noun = "message"

        /// A student wrote to their coach.
        package struct Sent: Payload {
            package static let type = "quranflow.message.sent"
            package static let streams = ["message"]
            package static let sentence = "A message to a coach was sent."
            package internal(set) var student = StudentID.none
            package internal(set) var coach: CoachID?
            /// An address, or null: in the app.
            package internal(set) var deliveredTo: String?
            package internal(set) var text: Personal<String> = nil

            package init() {}
        }
    }
}

extension QuranFlow {
    /// A question to the support. Stream `quranflow/support-request/REQUEST`.
    package enum SupportRequest: Thing {
        package static let noun = "request"

        package enum Category: String, Choice {
            case general, technical, billing
        }

        /// A student asked the support for help.
        package struct Requested: Payload {
            package static let type = "quranflow.support.requested"
            package static let streams = ["support-request"]
            package static let sentence = "Support was requested."
            package internal(set) var student = StudentID.none
            package internal(set) var category = Category.empty
            package internal(set) var text: Personal<String> = nil

            package init() {}
        }
    }
}

extension QuranFlow {
    /// What is answered to a message or a support request. Its stream is that of what it answers.
    package enum Help {
        package enum Author: String, Choice {
            case coach, admin
        }

        /// A coach or the staff answered a student (R39).
        package struct Replied: Payload {
            package static let type = "quranflow.help.replied"
            package static let streams = ["message", "support-request"]
            package static let sentence = "A call for help was answered."
            package static let rules = [39]
            package internal(set) var student = StudentID.none
            package internal(set) var reply = ReplyID.none
            package internal(set) var author = Author.empty
            /// The coach who answers; null for the staff.
            package internal(set) var coach: CoachID?
            package internal(set) var text: Personal<String> = nil

            package init() {}
        }
    }
}
