import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension Learnable {
    /// R13: one topic of a subject that is being generated.
    struct DeliverTopic: Command {
        static let type = "learnable.topic.deliver"
        func senders(in state: State) -> Senders { .service }
        var subject = SubjectID.none
        var topic = TopicPlace.empty
        var blocks = Blocks.empty
        var engagement: Form?
        var project: Body?
        var voice: Voice?

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("subject", &subject)
            coder.field("topic", &topic)
            coder.field("blocks", &blocks)
            coder.optional("engagement", &engagement)
            coder.optional("project", &project)
            coder.optional("voice", &voice)
        }

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
                Topic.Delivered.with {
                    $0.student = row.student
                    $0.subject = subject
                    $0.topic = topic
                    $0.blocks = blocks
                    $0.engagement = engagement
                    $0.project = project
                    $0.voice = voice
                    $0.delivered = delivered
                    $0.topics = row.topics
                }, on: context.stream(subject))
            guard delivered == row.topics else { return }
            context.record(
                Generation.Completed.with {
                    $0.student = row.student
                    $0.subject = subject
                    $0.topics = row.topics
                }, on: context.stream(subject))
            context.notify(
                row.student, .subjectReady,
                [("subject", context.text(subject)), ("title", .string(row.title.text))],
                target: Target.subject(context.names.text(subject)))
        }
    }

    struct FailGeneration: Command {
        static let type = "learnable.generation.fail"
        func senders(in state: State) -> Senders { .service }
        var subject = SubjectID.none
        var reason = Body.empty

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("subject", &subject)
            coder.field("reason", &reason)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(subject)
            if row.state != .generating { throw .generationClosed }
            context.record(
                Generation.Failed.with {
                    $0.student = row.student
                    $0.subject = subject
                    $0.reason = reason
                    $0.delivered = row.delivered
                    $0.topics = row.topics
                }, on: context.stream(subject))
            context.notify(
                row.student, .generationFailed,
                [("subject", context.text(subject)), ("title", .string(row.title.text))],
                target: Target.generation(context.names.text(subject)))
        }
    }

    /// R13: what came stays.
    struct RetryGeneration: Command {
        static let type = "learnable.generation.retry"
        func senders(in state: State) -> Senders { .student }
        var subject = SubjectID.none

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("subject", &subject)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.ownSubject(subject, need: .app)
            if row.state != .failed { throw .generationNotFailed }
            context.record(
                Generation.Retried.with {
                    $0.student = row.student
                    $0.subject = subject
                    $0.attempt = row.attempt + 1
                }, on: context.stream(subject))
        }
    }
}
