package import Core

extension Learnable {
    /// The conversation about the current topic (R17). On the subject's stream.
    package enum Chat: Thing {
        package static let noun = "chat"; package static let isTagged = false

        /// A message to the assistant (R17).
        package struct Sent: StudentEvent {
            package static let type = "learnable.chat.sent"
            package static let streams = ["subject"]
            package static let sentence = "A chat message was sent."
            package internal(set) var student = StudentID.none
            package internal(set) var subject = SubjectID.none
            package internal(set) var topic = TopicNumber.empty
            package internal(set) var message = MessageID.none
            package internal(set) var blocks: Blocks?

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.own("subject", &subject)
                coder.field("topic", &topic)
                coder.field("message", &message)
                coder.personal("blocks", &blocks)
            }
        }

        /// The assistant's reply to a message (R17).
        package struct Replied: StudentEvent {
            package static let type = "learnable.chat.replied"
            package static let streams = ["subject"]
            package static let sentence = "A chat message was replied to."
            package internal(set) var student = StudentID.none
            package internal(set) var subject = SubjectID.none
            package internal(set) var topic = TopicNumber.empty
            package internal(set) var message = MessageID.none
            package internal(set) var blocks: Blocks?

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.own("subject", &subject)
                coder.field("topic", &topic)
                coder.field("message", &message)
                coder.personal("blocks", &blocks)
            }
        }

        /// The student moved on, which erased the chat of the topic left (R17).
        package struct Cleared: StudentEvent {
            package static let type = "learnable.chat.cleared"
            package static let streams = ["subject"]
            package static let sentence = "A chat was cleared."
            package internal(set) var student = StudentID.none
            package internal(set) var subject = SubjectID.none
            package internal(set) var topic = TopicNumber.empty
            package internal(set) var messages = 0

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.own("subject", &subject)
                coder.field("topic", &topic)
                coder.field("messages", &messages)
            }
        }
    }
}
