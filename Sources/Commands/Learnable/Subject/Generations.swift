package import Commands
package import Core
import Folding
package import LearnableEvents
package import LearnableFacts

extension Learnable {
    /// R13: one topic of a subject that is being generated.
    package struct DeliverTopic: Command {
        package static let type = "learnable.topic.deliver"
        package static let senders: [Actor.Kind] = [.service]
        var subject = SubjectID.none
        var topic = TopicPlace.empty
        var blocks = Blocks.empty
        var engagement: Form?
        var project: Body?
        var voice: Voice?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("subject", &subject)
            coder.field("topic", &topic)
            coder.field("blocks", &blocks)
            coder.optional("engagement", &engagement)
            coder.optional("project", &project)
            coder.optional("voice", &voice)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let row = try scene.find(subject)
            let index = try scene.find(topic, of: row)
            if row.state != .generating { throw .generationClosed }
            if scene.state.isDelivered(row, index) { throw .alreadyDelivered }
            let wantsProject = row.addOns.endingProject && row.isLastOfChapter(topic)
            guard (engagement != nil) == row.addOns.engagementQuestion,
                (voice != nil) == row.addOns.voice, (project != nil) == wantsProject
            else { throw .deliveryMismatch }
            let delivered = row.delivered + 1
            scene.record(
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
                }, on: scene.stream(subject))
            guard delivered == row.topics else { return }
            scene.record(
                Generation.Completed.with {
                    $0.student = row.student
                    $0.subject = subject
                    $0.topics = row.topics
                }, on: scene.stream(subject))
            scene.notify(
                row.student, .subjectReady,
                [("subject", scene.text(subject)), ("title", .string(row.title.text))],
                target: Target.subject(scene.names.text(subject)))
        }
    }

    package struct FailGeneration: Command {
        package static let type = "learnable.generation.fail"
        package static let senders: [Actor.Kind] = [.service]
        var subject = SubjectID.none
        var reason = Body.empty

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("subject", &subject)
            coder.field("reason", &reason)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let row = try scene.find(subject)
            if row.state != .generating { throw .generationClosed }
            scene.record(
                Generation.Failed.with {
                    $0.student = row.student
                    $0.subject = subject
                    $0.reason = reason
                    $0.delivered = row.delivered
                    $0.topics = row.topics
                }, on: scene.stream(subject))
            scene.notify(
                row.student, .generationFailed,
                [("subject", scene.text(subject)), ("title", .string(row.title.text))],
                target: Target.generation(scene.names.text(subject)))
        }
    }

    /// R13: what came stays.
    package struct RetryGeneration: Command {
        package static let type = "learnable.generation.retry"
        package static let senders: [Actor.Kind] = [.student]
        var subject = SubjectID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("subject", &subject)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let row = try scene.ownSubject(subject, need: .app)
            if row.state != .failed { throw .generationNotFailed }
            scene.record(
                Generation.Retried.with {
                    $0.student = row.student
                    $0.subject = subject
                    $0.attempt = row.attempt + 1
                }, on: scene.stream(subject))
        }
    }
}
