import Core
import Folding
package import LearnableEvents

extension Learnable.Academy {
    static func lectureRoutes(_ routes: inout Routes<Learnable.Academy>) {
        routes.fold(Learnable.Topic.Opened.self) { $0.opened($1, $2) }
        routes.fold(Learnable.Topic.Bookmarked.self) { academy, fact, event in
            academy.change(fact.topic, of: fact.subject, event) { $0.bookmark = fact.block }
            academy.visit(fact.subject)
        }
        routes.fold(Learnable.Topic.Completed.self) { academy, fact, event in
            academy.change(fact.topic, of: fact.subject, event) { $0.isCompleted = true }
            academy.subjects.updateExisting(fact.subject) { $0.completed = fact.completed }
        }
        routes.fold(Learnable.Engagement.Answered.self) { academy, fact, event in
            academy.change(fact.topic, of: fact.subject, event) { row in
                row.replies.append(
                    .with {
                        $0.format = fact.format
                        $0.choice = fact.verdict.choice
                        $0.correct = fact.verdict.correct
                    })
                row.set(fact.verdict.answer, at: fact.number, in: \.replyTexts)
            }
        }
        routes.fold(Learnable.Engagement.Assessed.self) { academy, fact, event in
            academy.change(fact.topic, of: fact.subject, event) { row in
                guard row.replies.indices.contains(fact.number - 1) else { return }
                row.replies[fact.number - 1].correct = fact.correct
                row.replies[fact.number - 1].isAssessed = true
                row.set(fact.feedback, at: fact.number, in: \.feedbacks)
            }
        }
        routes.fold(Learnable.Engagement.AnotherRequested.self) { academy, fact, event in
            academy.change(fact.topic, of: fact.subject, event) { $0.isAnotherRequested = true }
        }
        routes.fold(Learnable.Engagement.AnotherAsked.self) { academy, fact, event in
            academy.change(fact.topic, of: fact.subject, event) { $0.another = fact.question }
        }
        routes.fold(Learnable.Chat.Sent.self) { academy, fact, event in
            academy.say(fact.blocks, .student, fact.message, fact.topic, fact.subject, event)
        }
        routes.fold(Learnable.Chat.Replied.self) { academy, fact, event in
            academy.say(fact.blocks, .assistant, fact.message, fact.topic, fact.subject, event)
        }
        routes.fold(Learnable.Chat.Cleared.self) { $0.cleared($1, $2) }
    }

    /// Changes how the student stands with a topic, if the subject is there and has it.
    private func change(
        _ place: Learnable.TopicPlace, of subject: Learnable.SubjectID, _ event: Circumstances,
        _ body: (inout Learnable.TopicRow) -> Void
    ) {
        guard let index = subjects.read(subject, { $0.index(of: place) }) ?? nil else { return }
        topics.update(.init(subject, Ordinal(index))) {
            $0.person = Word(event.subject)
            body(&$0)
        }
    }

    /// R14: the topic opened last is the current one.
    private func opened(_ fact: Learnable.Topic.Opened, _ event: Circumstances) {
        subjects.updateExisting(fact.subject) {
            $0.current = $0.index(of: fact.topic)
            $0.openedDay = fact.day
            $0.openedAt = event.at
        }
        visit(fact.subject)
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
        _ subject: Learnable.SubjectID, _ event: Circumstances
    ) {
        guard let index = subjects.read(subject, { $0.index(of: place) }) ?? nil else { return }
        change(place, of: subject, event) { row in
            row.chat.append(
                .with {
                    $0.at = event.at
                    $0.position = event.position
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
    private func cleared(_ fact: Learnable.Chat.Cleared, _ event: Circumstances) {
        guard let index = subjects.read(fact.subject, { $0.index(of: fact.topic) }) ?? nil
        else { return }
        for entry in topic(fact.subject, index).chat {
            messages.updateExisting(.init(fact.subject, entry.message)) { $0.isErased = true }
        }
        change(fact.topic, of: fact.subject, event) {
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
