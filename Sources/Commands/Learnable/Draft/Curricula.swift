package import Commands
package import Core
import Folding
package import LearnableEvents
package import LearnableFacts

extension Learnable {
    /// R10: the refresh button; with an instruction it refines the curriculum at hand.
    package struct RequestCurriculum: Command {
        package static let type = "learnable.curriculum.request"
        package static let senders: [Actor.Kind] = [.student]
        var draft = DraftID.none
        var instruction: Body?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("draft", &draft)
            coder.optional("instruction", &instruction)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let row = try scene.openDraft(draft, need: .app)
            guard let description = row.description else { throw .descriptionMissing }
            if instruction != nil, !row.hasCurriculum { throw .nothingToRefine }
            scene.record(
                Curriculum.Requested.with {
                    $0.student = row.student
                    $0.draft = draft
                    $0.request = row.requests + 1
                    $0.description = description
                    $0.preset = row.preset
                    $0.instruction = instruction
                }, on: scene.stream(draft))
        }
    }

    /// R10: the service's answer to the latest request.
    package struct ProposeCurriculum: Command {
        package static let type = "learnable.curriculum.propose"
        package static let senders: [Actor.Kind] = [.service]
        var draft = DraftID.none
        var request = SignedInt(0)
        var title = Title.empty
        var chapters: [Chapter] = []

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("draft", &draft)
            coder.field("request", &request)
            coder.field("title", &title)
            coder.field("chapters", &chapters)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let row = try scene.openDraft(draft, need: .app)
            try request.check(latest: row.requests, delivered: row.proposed)
            if chapters.isEmpty || chapters.contains(where: \.topics.isEmpty) {
                throw .curriculumEmpty
            }
            scene.record(
                Curriculum.Proposed.with {
                    $0.student = row.student
                    $0.draft = draft
                    $0.request = request.value
                    $0.title = title
                    $0.chapters = chapters
                }, on: scene.stream(draft))
        }
    }

    /// Step 2: a text, a preset, both or none.
    package struct ChooseTone: Command {
        package static let type = "learnable.tone.choose"
        package static let senders: [Actor.Kind] = [.student]
        var draft = DraftID.none
        var tone: Body??
        var preset: AnyString??

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("draft", &draft)
            coder.optional("tone", &tone)
            coder.optional("preset", &preset)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let row = try scene.openDraft(draft, need: .app)
            let chosen = (preset ?? nil)?.text
            if let chosen, !scene.state.policy.tonePresets.has(chosen) { throw .unknownPreset }
            scene.record(
                Tone.Chosen.with {
                    $0.student = row.student
                    $0.draft = draft
                    $0.tone = tone ?? nil
                    $0.preset = chosen
                }, on: scene.stream(draft))
        }
    }

    /// R11: a sample on a topic that is drawn.
    package struct RequestPreview: Command {
        package static let type = "learnable.tone.request-preview"
        package static let senders: [Actor.Kind] = [.student]
        var draft = DraftID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("draft", &draft)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let row = try scene.openDraft(draft, need: .app)
            if !row.hasCurriculum { throw .curriculumMissing }
            if !row.hasTone { throw .toneMissing }
            let request = row.previewRequests + 1
            var draw = SplitMix64(text: "\(scene.stream(draft)):tone:\(request)")
            let topics = row.chapters.enumerated().flatMap { chapter, content in
                content.topics.enumerated().map { number, title in
                    (TopicPlace(chapter: chapter + 1, number: number + 1), title)
                }
            }
            let (place, title) = topics[Int(draw.next() % UInt64(topics.count))]
            scene.record(
                Tone.PreviewRequested.with {
                    $0.student = row.student
                    $0.draft = draft
                    $0.request = request
                    $0.tone = row.tone
                    $0.preset = row.tonePreset
                    $0.topic = place
                    $0.topicTitle = title
                }, on: scene.stream(draft))
        }
    }

    package struct DeliverPreview: Command {
        package static let type = "learnable.tone.deliver-preview"
        package static let senders: [Actor.Kind] = [.service]
        var draft = DraftID.none
        var request = SignedInt(0)
        var blocks = Blocks.empty

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("draft", &draft)
            coder.field("request", &request)
            coder.field("blocks", &blocks)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let row = try scene.openDraft(draft, need: .app)
            try request.check(latest: row.previewRequests, delivered: row.previewed)
            scene.record(
                Tone.PreviewDelivered.with {
                    $0.student = row.student
                    $0.draft = draft
                    $0.request = request.value
                    $0.blocks = blocks
                }, on: scene.stream(draft))
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
