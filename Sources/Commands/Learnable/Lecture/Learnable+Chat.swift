import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension Learnable {
    /// Sends the assistant a message about the current topic (R17).
    struct SendChat: Command {
        static let type = "learnable.chat.send"
        func senders(in state: State) -> Senders { .student }
        var subject = SubjectID.none
        var topic = TopicNumber.empty
        var message = MessageID.none
        var blocks = Blocks.empty

        func decide(in context: Context) throws(Rejection) {
            let (row, _) = try context.findCurrent(topic, of: subject, need: .chat)
            try context.checkIsFree(
                message, unless: context.state.messages.contains(.init(subject, message)))
            context.record(
                Chat.Sent(
                    student: row.student,
                    subject: subject,
                    topic: topic,
                    message: message,
                    blocks: blocks), on: subject)
        }
    }

    /// The assistant's reply to a message (R17).
    struct ReplyChat: Command {
        static let type = "learnable.chat.reply"
        func senders(in state: State) -> Senders { .service }
        var subject = SubjectID.none
        var message = MessageID.none
        var blocks = Blocks.empty

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(subject)
            let sent = try context.find(message, of: subject)
            if sent.isErased { throw .chatCleared }
            if sent.isReplied { throw .alreadyReplied }
            context.record(
                Chat.Replied(
                    student: row.student,
                    subject: subject,
                    topic: row.topic(at: sent.topic),
                    message: message,
                    blocks: blocks), on: subject)
        }
    }
}

extension DecisionContext<Learnable> {
    /// Erases the chat of the topic left: always, or only when a later one is opened (R17).
    func clearChat(
        of subject: Learnable.SubjectID, _ row: Learnable.SubjectRow, leaving left: Int,
        for opened: Int
    ) {
        guard state.policy.chatClearsOn == .anyMove || opened > left else { return }
        let count = state.topic(subject, left).chat.count
        guard count > 0 else { return }
        record(
            Learnable.Chat.Cleared(
                student: row.student,
                subject: subject,
                topic: row.topic(at: left),
                messages: count), on: subject)
    }
}
