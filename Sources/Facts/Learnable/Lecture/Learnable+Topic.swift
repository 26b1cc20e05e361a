package import Core
import Folding
package import LearnableEvents

extension Learnable {
    /// What was delivered for a topic; a copy reads its source's (R41).
    package struct TopicContent: Record {
        package var blocks = Blocks.empty
        package var engagement: Form?
        package var project: Body?
        package var voice: Voice?

        package init() {}
    }

    /// A student's progress in a topic of a subject.
    package struct TopicRow: Record {
        package var person = InternedText.empty
        package var isCompleted = false
        package var bookmark: Int?
        // Engagement (R16)
        package var isAnotherRequested = false
        package var another: Form?
        /// Of question 1, then 2.
        package var replies: [Reply] = []
        package var replyTexts: [AnyString?] = []
        package var feedbacks: [Body?] = []
        // Chat (R17): messages not erased, and replies to them
        package var chat: [ChatEntry] = []
        package var chatBlocks: [Blocks?] = []
        // Pool
        package var isPooled = false
        package var questions: [QuestionID] = []
        package var inPool = 0
        package var mastered = 0
        package var generated = 0
        /// How many questions were answered correctly at least once.
        package var everCorrect = 0
        package var answered = 0
        package var correct = 0

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("person", &person)
            coder.field("isCompleted", &isCompleted)
            coder.field("bookmark", &bookmark)
            coder.field("isAnotherRequested", &isAnotherRequested)
            coder.field("another", &another)
            coder.field("replies", &replies)
            var texts: [AnyString?]? = replyTexts.isEmpty ? nil : replyTexts
            coder.kept("replyTexts", &texts, of: person.symbol)
            replyTexts = texts ?? []
            var remarks: [Body?]? = feedbacks.isEmpty ? nil : feedbacks
            coder.kept("feedbacks", &remarks, of: person.symbol)
            feedbacks = remarks ?? []
            coder.field("chat", &chat)
            var blocks: [Blocks?]? = chatBlocks.isEmpty ? nil : chatBlocks
            coder.kept("chatBlocks", &blocks, of: person.symbol)
            chatBlocks = blocks ?? []
            coder.field("isPooled", &isPooled)
            coder.field("questions", &questions)
            coder.field("inPool", &inPool)
            coder.field("mastered", &mastered)
            coder.field("generated", &generated)
            coder.field("everCorrect", &everCorrect)
            coder.field("answered", &answered)
            coder.field("correct", &correct)
        }
    }
}

extension Learnable.State {
    static func topicRoutes(_ routes: inout Routes<Learnable.State>) {
        routes.on(Learnable.Topic.Delivered.self) { state, event, _ in
            guard let row = state.subjects[event.subject], let index = row.index(of: event.topic)
            else { return }
            state.subjects.updateExisting(event.subject) { $0.delivered = event.delivered }
            state.contents.update(.init(event.subject, Ordinal(index))) {
                $0.blocks = event.blocks
                $0.engagement = event.engagement
                $0.project = event.project
                $0.voice = event.voice
            }
        }
        routes.on(Learnable.Topic.Opened.self) { $0.opened($1, $2) }
        routes.on(Learnable.Topic.Bookmarked.self) { state, event, metadata in
            state.change(event.topic, of: event.subject, metadata) { $0.bookmark = event.block }
            state.visit(event.subject)
        }
        routes.on(Learnable.Topic.Completed.self) { state, event, metadata in
            state.change(event.topic, of: event.subject, metadata) { $0.isCompleted = true }
            state.subjects.updateExisting(event.subject) { $0.completed = event.completed }
        }
    }

    /// Changes the student's progress in a topic, if the subject is there and has it.
    func change(
        _ topic: Learnable.TopicNumber, of subject: Learnable.SubjectID, _ metadata: EventMetadata,
        _ body: (inout Learnable.TopicRow) -> Void
    ) {
        guard let index = subjects.read(subject, { $0.index(of: topic) }) ?? nil else { return }
        topics.update(.init(subject, Ordinal(index))) {
            $0.person = InternedText(metadata.subject)
            body(&$0)
        }
    }

    /// The topic opened last is the current one (R14).
    private func opened(_ event: Learnable.Topic.Opened, _ metadata: EventMetadata) {
        subjects.updateExisting(event.subject) {
            $0.current = $0.index(of: event.topic)
            $0.openedDay = event.day
            $0.openedAt = metadata.at
        }
        visit(event.subject)
    }

    /// The recent lecture is the one opened or bookmarked last (R40).
    private func visit(_ subject: Learnable.SubjectID) {
        guard let epoch = subjects.read(subject, { $0.epoch }) else { return }
        epochs.updateExisting(epoch) { row in
            row.recent.removeAll { $0 == subject }
            row.recent.append(subject)
        }
    }
}

extension Learnable.State {
    /// What was delivered for a topic; empty before that.
    package func content(
        of row: Learnable.SubjectRow, _ index: Int
    ) -> Learnable.TopicContent {
        contents[.init(row.content, Ordinal(index))] ?? .init()
    }

    package func isDelivered(_ row: Learnable.SubjectRow, _ index: Int) -> Bool {
        contents.contains(.init(row.content, Ordinal(index)))
    }

    /// The student's progress in a topic.
    package func topic(_ subject: Learnable.SubjectID, _ index: Int) -> Learnable.TopicRow {
        topics[.init(subject, Ordinal(index))] ?? .init()
    }

    package func isCompleted(_ subject: Learnable.SubjectID, _ index: Int) -> Bool {
        topics.read(.init(subject, Ordinal(index))) { $0.isCompleted } ?? false
    }

    /// The first topic in order that is not completed; nil when all are (R14, R15).
    package func firstOpenTopic(
        _ subject: Learnable.SubjectID, _ row: Learnable.SubjectRow
    ) -> Int? {
        (0..<row.topics).first { !isCompleted(subject, $0) }
    }
}
