package import Core
import Folding
package import LearnableEvents

extension Learnable {
    /// A message of a chat, or a reply to one.
    package struct ChatEntry: Record {
        package enum Sender: String, Choice {
            case student, assistant
        }

        package var at = Instant.epoch
        package var position = Position.zero
        package var from = Sender.student
        package var message = MessageID.none

        package init() {}
    }

    /// A message that was sent, even if it was erased later.
    package struct MessageRow: Record {
        /// The index of the topic.
        package var topic = 0
        package var isErased = false
        package var isReplied = false

        package init() {}
    }
}

extension Learnable.State {
    static func chatRoutes(_ routes: inout Routes<Learnable.State>) {
        routes.on(Learnable.Chat.Sent.self) { state, event, metadata in
            state.say(event.blocks, .student, event.message, event.topic, event.subject, metadata)
        }
        routes.on(Learnable.Chat.Replied.self) { state, event, metadata in
            state.say(event.blocks, .assistant, event.message, event.topic, event.subject, metadata)
        }
        routes.on(Learnable.Chat.Cleared.self) { $0.cleared($1, $2) }
    }

    private func say(
        _ blocks: Learnable.Blocks?, _ sender: Learnable.ChatEntry.Sender,
        _ message: Learnable.MessageID, _ topic: Learnable.TopicNumber,
        _ subject: Learnable.SubjectID, _ metadata: EventMetadata
    ) {
        guard let index = subjects.read(subject, { $0.index(of: topic) }) ?? nil else { return }
        change(topic, of: subject, metadata) { row in
            row.chat.append(
                .with {
                    $0.at = metadata.at
                    $0.position = metadata.position
                    $0.from = sender
                    $0.message = message
                })
            row.chatBlocks.append(blocks)
        }
        messages.update(.init(subject, message)) {
            $0.topic = index
            if sender == .assistant { $0.isReplied = true }
        }
    }

    /// The history of the topic left is erased (R17).
    private func cleared(_ event: Learnable.Chat.Cleared, _ metadata: EventMetadata) {
        guard let index = subjects.read(event.subject, { $0.index(of: event.topic) }) ?? nil
        else { return }
        for entry in topic(event.subject, index).chat {
            messages.updateExisting(.init(event.subject, entry.message)) { $0.isErased = true }
        }
        change(event.topic, of: event.subject, metadata) {
            $0.chat = []
            $0.chatBlocks = []
        }
    }
}
