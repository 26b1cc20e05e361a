package import Commands
package import Core
import Folding
package import LearnableEvents
package import LearnableFacts

extension Learnable {
    /// R17: a message to the assistant about the current topic.
    package struct SendChat: Command {
        package static let type = "learnable.chat.send"
        package static let senders: [Actor.Kind] = [.student]
        var subject = SubjectID.none
        var topic = TopicPlace.empty
        var message = MessageID.none
        var blocks = Blocks.empty

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("subject", &subject)
            coder.field("topic", &topic)
            coder.field("message", &message)
            coder.field("blocks", &blocks)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let (row, _) = try scene.currentTopic(topic, of: subject, need: .chat)
            if scene.state.messages.contains(.init(subject, message)) { throw .alreadyExists }
            scene.record(
                Chat.Sent.with {
                    $0.student = row.student
                    $0.subject = subject
                    $0.topic = topic
                    $0.message = message
                    $0.blocks = blocks
                }, on: scene.stream(subject))
        }
    }

    package struct ReplyChat: Command {
        package static let type = "learnable.chat.reply"
        package static let senders: [Actor.Kind] = [.service]
        var subject = SubjectID.none
        var message = MessageID.none
        var blocks = Blocks.empty

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("subject", &subject)
            coder.field("message", &message)
            coder.field("blocks", &blocks)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let row = try scene.find(subject)
            guard let sent = scene.state.messages[.init(subject, message)] else { throw .notFound }
            if sent.isErased { throw .chatCleared }
            if sent.isReplied { throw .alreadyReplied }
            scene.record(
                Chat.Replied.with {
                    $0.student = row.student
                    $0.subject = subject
                    $0.topic = row.place(of: sent.topic)
                    $0.message = message
                    $0.blocks = blocks
                }, on: scene.stream(subject))
        }
    }
}
