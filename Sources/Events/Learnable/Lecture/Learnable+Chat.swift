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
            package static let rules = [17]
            package internal(set) var student = StudentID.none
            package internal(set) var subject: Own<SubjectID> = .none
            package internal(set) var topic = TopicNumber.empty
            package internal(set) var message = MessageID.none
            package internal(set) var blocks: Personal<Blocks> = nil

            package init() {}
        }

        /// The assistant's reply to a message (R17).
        package struct Replied: StudentEvent {
            package static let type = "learnable.chat.replied"
            package static let streams = ["subject"]
            package static let sentence = "A chat message was replied to."
            package static let rules = [17]
            package internal(set) var student = StudentID.none
            package internal(set) var subject: Own<SubjectID> = .none
            package internal(set) var topic = TopicNumber.empty
            package internal(set) var message = MessageID.none
            package internal(set) var blocks: Personal<Blocks> = nil

            package init() {}
        }

        /// The student moved on, which erased the chat of the topic left (R17).
        package struct Cleared: StudentEvent {
            package static let type = "learnable.chat.cleared"
            package static let streams = ["subject"]
            package static let sentence = "A chat was cleared."
            package static let rules = [17]
            package internal(set) var student = StudentID.none
            package internal(set) var subject: Own<SubjectID> = .none
            package internal(set) var topic = TopicNumber.empty
            package internal(set) var messages = 0

            package init() {}
        }
    }
}
