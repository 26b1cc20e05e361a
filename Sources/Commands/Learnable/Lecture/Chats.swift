import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension Learnable {
    /// R17: a message to the assistant about the current topic.
    struct SendChat: Command {
        static let type = "learnable.chat.send"
        func senders(in state: State) -> Senders { .student }
        var subject = SubjectID.none
        var topic = TopicPlace.empty
        var message = MessageID.none
        var blocks = Blocks.empty

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("subject", &subject)
            coder.field("topic", &topic)
            coder.field("message", &message)
            coder.field("blocks", &blocks)
        }

        func decide(in context: Context) throws(Rejection) {
            let (row, _) = try context.currentTopic(topic, of: subject, need: .chat)
            if context.state.messages.contains(.init(subject, message)) { throw .alreadyExists }
            context.record(
                Chat.Sent.with {
                    $0.student = row.student
                    $0.subject = subject
                    $0.topic = topic
                    $0.message = message
                    $0.blocks = blocks
                }, on: context.stream(subject))
        }
    }

    struct ReplyChat: Command {
        static let type = "learnable.chat.reply"
        func senders(in state: State) -> Senders { .service }
        var subject = SubjectID.none
        var message = MessageID.none
        var blocks = Blocks.empty

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("subject", &subject)
            coder.field("message", &message)
            coder.field("blocks", &blocks)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(subject)
            guard let sent = context.state.messages[.init(subject, message)] else {
                throw .notFound
            }
            if sent.isErased { throw .chatCleared }
            if sent.isReplied { throw .alreadyReplied }
            context.record(
                Chat.Replied.with {
                    $0.student = row.student
                    $0.subject = subject
                    $0.topic = row.place(of: sent.topic)
                    $0.message = message
                    $0.blocks = blocks
                }, on: context.stream(subject))
        }
    }
}
