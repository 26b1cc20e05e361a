import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension Learnable {
    /// Step 2 of the wizard: a tone in words, a preset, both or neither (R11).
    struct ChooseTone: Command {
        static let type = "learnable.tone.choose"
        func senders(in state: State) -> Senders { .student }
        var draft = DraftID.none
        var tone: Body??
        var preset: AnyString??

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOpen(draft, need: .app)
            let chosen = (preset ?? nil)?.text
            if let chosen, !context.state.policy.tonePresets.has(chosen) { throw .unknownPreset }
            context.record(
                Tone.Chosen(
                    student: row.student,
                    draft: draft,
                    tone: tone ?? nil,
                    preset: chosen), on: draft)
        }
    }

    /// Requests a sample of the tone on a topic drawn at random (R11).
    struct RequestPreview: Command {
        static let type = "learnable.tone.request-preview"
        func senders(in state: State) -> Senders { .student }
        var draft = DraftID.none

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOpen(draft, need: .app)
            guard row.hasCurriculum, let chapters = row.chapters else { throw .curriculumMissing }
            if !row.hasTone { throw .toneMissing }
            let request = row.previewRequests + 1
            var draw = SplitMix64(text: "\(context.stream(of: draft)):tone:\(request)")
            let topics = chapters.enumerated().flatMap { chapter, content in
                content.topics.enumerated().map { number, title in
                    (TopicNumber(chapter: chapter + 1, number: number + 1), title)
                }
            }
            let (topic, title) = topics[Int(draw.next() % UInt64(topics.count))]
            context.record(
                Tone.PreviewRequested(
                    student: row.student,
                    draft: draft,
                    request: request,
                    tone: row.tone,
                    preset: row.tonePreset,
                    topic: topic,
                    topicTitle: title), on: draft)
        }
    }

    /// The AI service's answer to the latest preview request (R11).
    struct DeliverPreview: Command {
        static let type = "learnable.tone.deliver-preview"
        func senders(in state: State) -> Senders { .service }
        var draft = DraftID.none
        var request = SignedInt(0)
        var blocks = Blocks.empty

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOpen(draft, need: .app)
            try request.check(latest: row.previewRequests, delivered: row.previewed)
            context.record(
                Tone.PreviewDelivered(
                    student: row.student,
                    draft: draft,
                    request: request.value,
                    blocks: blocks), on: draft)
        }
    }
}
