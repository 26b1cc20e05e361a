package import Commands
package import Core
import Folding
package import LearnableEvents
package import LearnableFacts

extension Learnable {
    /// R14: it is the current topic from now on; R17: the chat of the one left may be erased.
    package struct OpenTopic: Command {
        package static let type = "learnable.topic.open"
        package static let senders: [Actor.Kind] = [.student]
        var subject = SubjectID.none
        var topic = TopicPlace.empty

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("subject", &subject)
            coder.field("topic", &topic)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let (row, index) = try scene.topic(topic, of: subject, need: .app)
            let state = scene.state
            if let first = state.firstOpenTopic(subject, row), index > first { throw .topicLocked }
            if let left = row.current, left != index { clearChat(row, left, index, scene) }
            scene.record(
                Topic.Opened.with {
                    $0.student = row.student
                    $0.subject = subject
                    $0.topic = topic
                    $0.day = scene.day(of: row.student)
                }, on: scene.stream(subject))
        }

        /// R17: always, or only on opening a later one.
        private func clearChat(
            _ row: SubjectRow, _ left: Int, _ opened: Int, _ scene: Scene<Academy>
        ) {
            guard scene.state.policy.chatClearsOn == .anyMove || opened > left else { return }
            let count = scene.state.topic(subject, left).chat.count
            guard count > 0 else { return }
            scene.record(
                Chat.Cleared.with {
                    $0.student = row.student
                    $0.subject = subject
                    $0.topic = row.place(of: left)
                    $0.messages = count
                }, on: scene.stream(subject))
        }
    }

    /// How far the student has read.
    package struct BookmarkTopic: Command {
        package static let type = "learnable.topic.bookmark"
        package static let senders: [Actor.Kind] = [.student]
        var subject = SubjectID.none
        var topic = TopicPlace.empty
        var block = 0

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("subject", &subject)
            coder.field("topic", &topic)
            coder.field("block", &block)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let (row, index) = try scene.currentTopic(topic, of: subject, need: .app)
            guard scene.state.content(of: row, index).blocks.list.indices.contains(block) else {
                throw .noSuchBlock
            }
            scene.record(
                Topic.Bookmarked.with {
                    $0.student = row.student
                    $0.subject = subject
                    $0.topic = topic
                    $0.block = block
                    $0.day = scene.day(of: row.student)
                }, on: scene.stream(subject))
        }
    }

    /// R15: what comes after it is unlocked, and questions may be wanted.
    package struct CompleteTopic: Command {
        package static let type = "learnable.topic.complete"
        package static let senders: [Actor.Kind] = [.student]
        var subject = SubjectID.none
        var topic = TopicPlace.empty

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("subject", &subject)
            coder.field("topic", &topic)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let (row, index) = try scene.currentTopic(topic, of: subject, need: .app)
            let state = scene.state
            let standing = state.topic(subject, index)
            if standing.isCompleted { throw .alreadyCompleted }
            if row.addOns.engagementQuestion, standing.replies.isEmpty {
                throw .engagementUnanswered
            }
            let next = (0..<row.topics).first { $0 != index && !state.isCompleted(subject, $0) }
            scene.record(
                Topic.Completed.with {
                    $0.student = row.student
                    $0.subject = subject
                    $0.topic = topic
                    $0.day = scene.day(of: row.student)
                    $0.completed = row.completed + 1
                    $0.topics = row.topics
                    $0.next = next.map { row.place(of: $0) }
                    $0.questionsWanted = row.addOns.reinforcement
                }, on: scene.stream(subject))
            guard next == nil else { return }
            scene.record(
                Subject.Completed.with {
                    $0.student = row.student
                    $0.subject = subject
                    $0.topics = row.topics
                    $0.day = scene.day(of: row.student)
                }, on: scene.stream(subject))
        }
    }
}

extension Scene<Learnable.Academy> {
    /// A topic of a subject that can be studied, and its place in order (R14).
    func topic(
        _ topic: Learnable.TopicPlace, of subject: Learnable.SubjectID, need: Learnable.Need
    ) throws(Learnable.Rejection) -> (row: Learnable.SubjectRow, index: Int) {
        let row = try find(subject)
        let index = try find(topic, of: row)
        try own(row.student)
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
