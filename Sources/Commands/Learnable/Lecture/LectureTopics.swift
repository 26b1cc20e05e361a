import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension Learnable {
    /// R14: it is the current topic from now on; R17: the chat of the one left may be erased.
    struct OpenTopic: Command {
        static let type = "learnable.topic.open"
        func senders(in state: State) -> Senders { .student }
        var subject = SubjectID.none
        var topic = TopicPlace.empty

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("subject", &subject)
            coder.field("topic", &topic)
        }

        func decide(in context: Context) throws(Rejection) {
            let (row, index) = try context.topic(topic, of: subject, need: .app)
            let state = context.state
            if let first = state.firstOpenTopic(subject, row), index > first { throw .topicLocked }
            if let left = row.current, left != index { clearChat(row, left, index, context) }
            context.record(
                Topic.Opened.with {
                    $0.student = row.student
                    $0.subject = subject
                    $0.topic = topic
                    $0.day = context.day(of: row.student)
                }, on: context.stream(subject))
        }

        /// R17: always, or only on opening a later one.
        private func clearChat(
            _ row: SubjectRow, _ left: Int, _ opened: Int, _ context: Learnable.Context
        ) {
            guard context.state.policy.chatClearsOn == .anyMove || opened > left else { return }
            let count = context.state.topic(subject, left).chat.count
            guard count > 0 else { return }
            context.record(
                Chat.Cleared.with {
                    $0.student = row.student
                    $0.subject = subject
                    $0.topic = row.place(of: left)
                    $0.messages = count
                }, on: context.stream(subject))
        }
    }

    /// How far the student has read.
    struct BookmarkTopic: Command {
        static let type = "learnable.topic.bookmark"
        func senders(in state: State) -> Senders { .student }
        var subject = SubjectID.none
        var topic = TopicPlace.empty
        var block = 0

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("subject", &subject)
            coder.field("topic", &topic)
            coder.field("block", &block)
        }

        func decide(in context: Context) throws(Rejection) {
            let (row, index) = try context.currentTopic(topic, of: subject, need: .app)
            guard context.state.content(of: row, index).blocks.list.indices.contains(block) else {
                throw .noSuchBlock
            }
            context.record(
                Topic.Bookmarked.with {
                    $0.student = row.student
                    $0.subject = subject
                    $0.topic = topic
                    $0.block = block
                    $0.day = context.day(of: row.student)
                }, on: context.stream(subject))
        }
    }

    /// R15: what comes after it is unlocked, and questions may be wanted.
    struct CompleteTopic: Command {
        static let type = "learnable.topic.complete"
        func senders(in state: State) -> Senders { .student }
        var subject = SubjectID.none
        var topic = TopicPlace.empty

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("subject", &subject)
            coder.field("topic", &topic)
        }

        func decide(in context: Context) throws(Rejection) {
            let (row, index) = try context.currentTopic(topic, of: subject, need: .app)
            let state = context.state
            let standing = state.topic(subject, index)
            if standing.isCompleted { throw .alreadyCompleted }
            if row.addOns.engagementQuestion, standing.replies.isEmpty {
                throw .engagementUnanswered
            }
            let next = (0..<row.topics).first { $0 != index && !state.isCompleted(subject, $0) }
            context.record(
                Topic.Completed.with {
                    $0.student = row.student
                    $0.subject = subject
                    $0.topic = topic
                    $0.day = context.day(of: row.student)
                    $0.completed = row.completed + 1
                    $0.topics = row.topics
                    $0.next = next.map { row.place(of: $0) }
                    $0.questionsWanted = row.addOns.reinforcement
                }, on: context.stream(subject))
            guard next == nil else { return }
            context.record(
                Subject.Completed.with {
                    $0.student = row.student
                    $0.subject = subject
                    $0.topics = row.topics
                    $0.day = context.day(of: row.student)
                }, on: context.stream(subject))
        }
    }
}

extension DecisionContext<Learnable> {
    /// A topic of a subject that can be studied, and its place in order (R14).
    func topic(
        _ topic: Learnable.TopicPlace, of subject: Learnable.SubjectID, need: Learnable.Need
    ) throws(Learnable.Rejection) -> (row: Learnable.SubjectRow, index: Int) {
        let row = try find(subject)
        let index = try find(topic, of: row)
        try checkOwner(row.student)
        try self.need(need, of: row.student)
        if row.state != .ready { throw .subjectNotReady }
        return (row, index)
    }

    /// The same, if it is the topic that was opened last.
    func currentTopic(
        _ topic: Learnable.TopicPlace, of subject: Learnable.SubjectID, need: Learnable.Need
    ) throws(Learnable.Rejection) -> (row: Learnable.SubjectRow, index: Int) {
        let found = try self.topic(topic, of: subject, need: need)
        if found.row.current != found.index { throw .topicNotCurrent }
        return found
    }
}
