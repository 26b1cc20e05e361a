import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension Learnable {
    /// Delivers a topic of a subject that is being generated (R13).
    struct DeliverTopic: Command {
        static let type = "learnable.topic.deliver"
        func senders(in state: State) -> Senders { .service }
        var subject = SubjectID.none
        var topic = TopicNumber.empty
        var blocks = Blocks.empty
        var engagement: Form?
        var project: Body?
        var voice: Voice?

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(subject)
            let index = try context.find(topic, of: row)
            if row.state != .generating { throw .generationClosed }
            if context.state.isDelivered(row, index) { throw .alreadyDelivered }
            let wantsProject = row.addOns.endingProject && row.isLastOfChapter(topic)
            guard (engagement != nil) == row.addOns.engagementQuestion,
                (voice != nil) == row.addOns.voice, (project != nil) == wantsProject
            else { throw .deliveryMismatch }
            let delivered = row.delivered + 1
            context.record(
                Topic.Delivered(
                    student: row.student,
                    subject: subject,
                    topic: topic,
                    blocks: blocks,
                    engagement: engagement,
                    project: project,
                    voice: voice,
                    delivered: delivered,
                    topics: row.topics), on: subject)
            guard delivered == row.topics else { return }
            context.record(
                Generation.Completed(
                    student: row.student,
                    subject: subject,
                    topics: row.topics), on: subject)
            context.notify(
                row.student, .subjectReady,
                [
                    ("subject", context.text(subject)),
                    ("title", .string(context.state.title(of: subject, row).text)),
                ],
                target: Target.subject(context.names.text(subject)))
        }
    }

    /// Opens a topic (R14), which may erase the chat of the one left (R17).
    struct OpenTopic: TopicAlone {
        static let type = "learnable.topic.open"
        func senders(in state: State) -> Senders { .student }
        var subject = SubjectID.none
        var topic = TopicNumber.empty

        func decide(in context: Context) throws(Rejection) {
            let (row, index) = try context.findOwn(topic, of: subject, need: .app)
            let state = context.state
            if let first = state.firstOpenTopic(subject, row), index > first { throw .topicLocked }
            if let left = row.current, left != index {
                context.clearChat(of: subject, row, leaving: left, for: index)
            }
            context.record(
                Topic.Opened(
                    student: row.student,
                    subject: subject,
                    topic: topic,
                    day: context.day(of: row.student)), on: subject)
        }
    }

    /// Notes how far the student has read in the current topic (R40).
    struct BookmarkTopic: Command {
        static let type = "learnable.topic.bookmark"
        func senders(in state: State) -> Senders { .student }
        var subject = SubjectID.none
        var topic = TopicNumber.empty
        var block = 0

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("subject", &subject)
            coder.field("topic", &topic)
            coder.number("block", &block)
        }

        func decide(in context: Context) throws(Rejection) {
            let (row, index) = try context.findCurrent(topic, of: subject, need: .app)
            guard context.state.content(of: row, index).blocks.list.indices.contains(block) else {
                throw .noSuchBlock
            }
            context.record(
                Topic.Bookmarked(
                    student: row.student,
                    subject: subject,
                    topic: topic,
                    block: block,
                    day: context.day(of: row.student)), on: subject)
        }
    }

    /// Completes the current topic, which unlocks what comes after it (R15).
    struct CompleteTopic: TopicAlone {
        static let type = "learnable.topic.complete"
        func senders(in state: State) -> Senders { .student }
        var subject = SubjectID.none
        var topic = TopicNumber.empty

        func decide(in context: Context) throws(Rejection) {
            let (row, index) = try context.findCurrent(topic, of: subject, need: .app)
            let state = context.state
            let progress = state.topic(subject, index)
            if progress.isCompleted { throw .alreadyCompleted }
            if row.addOns.engagementQuestion, progress.replies.isEmpty {
                throw .engagementUnanswered
            }
            let next = (0..<row.topics).first { $0 != index && !state.isCompleted(subject, $0) }
            context.record(
                Topic.Completed(
                    student: row.student,
                    subject: subject,
                    topic: topic,
                    day: context.day(of: row.student),
                    completed: row.completed + 1,
                    topics: row.topics,
                    next: next.map { row.topic(at: $0) },
                    questionsWanted: row.addOns.reinforcement), on: subject)
            guard next == nil else { return }
            context.record(
                Subject.Completed(
                    student: row.student,
                    subject: subject,
                    topics: row.topics,
                    day: context.day(of: row.student)), on: subject)
        }
    }
}
