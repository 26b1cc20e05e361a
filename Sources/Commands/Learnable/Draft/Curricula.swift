import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension Learnable {
    /// R10: the refresh button; with an instruction it refines the curriculum at hand.
    struct RequestCurriculum: Command {
        static let type = "learnable.curriculum.request"
        func senders(in state: State) -> Senders { .student }
        var draft = DraftID.none
        var instruction: Body?

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("draft", &draft)
            coder.optional("instruction", &instruction)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.openDraft(draft, need: .app)
            guard let description = row.description else { throw .descriptionMissing }
            if instruction != nil, !row.hasCurriculum { throw .nothingToRefine }
            context.record(
                Curriculum.Requested.with {
                    $0.student = row.student
                    $0.draft = draft
                    $0.request = row.requests + 1
                    $0.description = description
                    $0.preset = row.preset
                    $0.instruction = instruction
                }, on: context.stream(draft))
        }
    }

    /// R10: the service's answer to the latest request.
    struct ProposeCurriculum: Command {
        static let type = "learnable.curriculum.propose"
        func senders(in state: State) -> Senders { .service }
        var draft = DraftID.none
        var request = SignedInt(0)
        var title = Title.empty
        var chapters: [Chapter] = []

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("draft", &draft)
            coder.field("request", &request)
            coder.field("title", &title)
            coder.field("chapters", &chapters)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.openDraft(draft, need: .app)
            try request.check(latest: row.requests, delivered: row.proposed)
            if chapters.isEmpty || chapters.contains(where: \.topics.isEmpty) {
                throw .curriculumEmpty
            }
            context.record(
                Curriculum.Proposed.with {
                    $0.student = row.student
                    $0.draft = draft
                    $0.request = request.value
                    $0.title = title
                    $0.chapters = chapters
                }, on: context.stream(draft))
        }
    }

    /// Step 2: a text, a preset, both or none.
    struct ChooseTone: Command {
        static let type = "learnable.tone.choose"
        func senders(in state: State) -> Senders { .student }
        var draft = DraftID.none
        var tone: Body??
        var preset: AnyString??

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("draft", &draft)
            coder.optional("tone", &tone)
            coder.optional("preset", &preset)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.openDraft(draft, need: .app)
            let chosen = (preset ?? nil)?.text
            if let chosen, !context.state.policy.tonePresets.has(chosen) { throw .unknownPreset }
            context.record(
                Tone.Chosen.with {
                    $0.student = row.student
                    $0.draft = draft
                    $0.tone = tone ?? nil
                    $0.preset = chosen
                }, on: context.stream(draft))
        }
    }

    /// R11: a sample on a topic that is drawn.
    struct RequestPreview: Command {
        static let type = "learnable.tone.request-preview"
        func senders(in state: State) -> Senders { .student }
        var draft = DraftID.none

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("draft", &draft)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.openDraft(draft, need: .app)
            if !row.hasCurriculum { throw .curriculumMissing }
            if !row.hasTone { throw .toneMissing }
            let request = row.previewRequests + 1
            var draw = SplitMix64(text: "\(context.stream(draft)):tone:\(request)")
            let topics = row.chapters.enumerated().flatMap { chapter, content in
                content.topics.enumerated().map { number, title in
                    (TopicPlace(chapter: chapter + 1, number: number + 1), title)
                }
            }
            let (place, title) = topics[Int(draw.next() % UInt64(topics.count))]
            context.record(
                Tone.PreviewRequested.with {
                    $0.student = row.student
                    $0.draft = draft
                    $0.request = request
                    $0.tone = row.tone
                    $0.preset = row.tonePreset
                    $0.topic = place
                    $0.topicTitle = title
                }, on: context.stream(draft))
        }
    }

    struct DeliverPreview: Command {
        static let type = "learnable.tone.deliver-preview"
        func senders(in state: State) -> Senders { .service }
        var draft = DraftID.none
        var request = SignedInt(0)
        var blocks = Blocks.empty

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("draft", &draft)
            coder.field("request", &request)
            coder.field("blocks", &blocks)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.openDraft(draft, need: .app)
            try request.check(latest: row.previewRequests, delivered: row.previewed)
            context.record(
                Tone.PreviewDelivered.with {
                    $0.student = row.student
                    $0.draft = draft
                    $0.request = request.value
                    $0.blocks = blocks
                }, on: context.stream(draft))
        }
    }
}

extension SignedInt {
    /// R10: a delivery answers the latest request, once.
    fileprivate func check(latest: Int, delivered: Int) throws(Learnable.Rejection) {
        guard (1...max(1, latest)).contains(value), latest > 0 else { throw .noSuchRequest }
        if value < latest { throw .requestSuperseded }
        if delivered == latest { throw .alreadyDelivered }
    }
}
