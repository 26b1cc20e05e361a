import Core
import Folding
package import LearnableEvents

extension Learnable.State {
    static func lectureRoutes(_ routes: inout Routes<Learnable.State>) {
        routes.fold(Learnable.Topic.Opened.self) { $0.opened($1, $2) }
        routes.fold(Learnable.Topic.Bookmarked.self) { state, event, metadata in
            state.change(event.topic, of: event.subject, metadata) { $0.bookmark = event.block }
            state.visit(event.subject)
        }
        routes.fold(Learnable.Topic.Completed.self) { state, event, metadata in
            state.change(event.topic, of: event.subject, metadata) { $0.isCompleted = true }
            state.subjects.updateExisting(event.subject) { $0.completed = event.completed }
        }
        routes.fold(Learnable.Engagement.Answered.self) { state, event, metadata in
            state.change(event.topic, of: event.subject, metadata) { row in
                row.replies.append(
                    .with {
                        $0.format = event.format
                        $0.choice = event.verdict.choice
                        $0.correct = event.verdict.correct
                    })
                row.set(event.verdict.answer, at: event.number, in: \.replyTexts)
            }
        }
        routes.fold(Learnable.Engagement.Assessed.self) { state, event, metadata in
            state.change(event.topic, of: event.subject, metadata) { row in
                guard row.replies.indices.contains(event.number - 1) else { return }
                row.replies[event.number - 1].correct = event.correct
                row.replies[event.number - 1].isAssessed = true
                row.set(event.feedback, at: event.number, in: \.feedbacks)
            }
        }
        routes.fold(Learnable.Engagement.AnotherRequested.self) { state, event, metadata in
            state.change(event.topic, of: event.subject, metadata) { $0.isAnotherRequested = true }
        }
        routes.fold(Learnable.Engagement.AnotherAsked.self) { state, event, metadata in
            state.change(event.topic, of: event.subject, metadata) { $0.another = event.question }
        }
        routes.fold(Learnable.Chat.Sent.self) { state, event, metadata in
            state.say(event.blocks, .student, event.message, event.topic, event.subject, metadata)
        }
        routes.fold(Learnable.Chat.Replied.self) { state, event, metadata in
            state.say(event.blocks, .assistant, event.message, event.topic, event.subject, metadata)
        }
        routes.fold(Learnable.Chat.Cleared.self) { $0.cleared($1, $2) }
    }

    /// Changes how the student stands with a topic, if the subject is there and has it.
    private func change(
        _ place: Learnable.TopicPlace, of subject: Learnable.SubjectID, _ metadata: EventMetadata,
        _ body: (inout Learnable.TopicRow) -> Void
    ) {
        guard let index = subjects.read(subject, { $0.index(of: place) }) ?? nil else { return }
        topics.update(.init(subject, Ordinal(index))) {
            $0.person = Word(metadata.subject)
            body(&$0)
        }
    }

    /// R14: the topic opened last is the current one.
    private func opened(_ event: Learnable.Topic.Opened, _ metadata: EventMetadata) {
        subjects.updateExisting(event.subject) {
            $0.current = $0.index(of: event.topic)
            $0.openedDay = event.day
            $0.openedAt = metadata.at
        }
        visit(event.subject)
    }

    /// R40: the recent lecture is the one opened or bookmarked last.
    private func visit(_ subject: Learnable.SubjectID) {
        guard let epoch = subjects.read(subject, { $0.epoch }) else { return }
        epochs.updateExisting(epoch) { row in
            row.recent.removeAll { $0 == subject }
            row.recent.append(subject)
        }
    }

    private func say(
        _ blocks: Learnable.Blocks?, _ sender: Learnable.ChatEntry.Sender,
        _ message: Learnable.MessageID, _ place: Learnable.TopicPlace,
        _ subject: Learnable.SubjectID, _ metadata: EventMetadata
    ) {
        guard let index = subjects.read(subject, { $0.index(of: place) }) ?? nil else { return }
        change(place, of: subject, metadata) { row in
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

    /// R17: the history of the topic left is erased.
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

extension Learnable.TopicRow {
    /// Puts what belongs to an engagement question, counted from 1, beside it.
    mutating func set<V>(
        _ value: V?, at number: Int, in path: WritableKeyPath<Learnable.TopicRow, [V?]>
    ) {
        guard (1...2).contains(number) else { return }
        while self[keyPath: path].count < number { self[keyPath: path].append(nil) }
        self[keyPath: path][number - 1] = value
    }

    package func replyText(_ number: Int) -> Learnable.AnyString? {
        replyTexts.indices.contains(number - 1) ? replyTexts[number - 1] : nil
    }

    package func feedback(_ number: Int) -> Learnable.Body? {
        feedbacks.indices.contains(number - 1) ? feedbacks[number - 1] : nil
    }
}
