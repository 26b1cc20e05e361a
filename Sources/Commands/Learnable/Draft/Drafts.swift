package import Commands
package import Core
import Folding
package import LearnableEvents
package import LearnableFacts

extension Learnable {
    package struct StartDraft: Command {
        package static let type = "learnable.draft.start"
        package static let senders: [Actor.Kind] = [.student]
        var student = StudentID.none
        var draft = DraftID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("draft", &draft)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            _ = try scene.find(student)
            try scene.own(student)
            try scene.need(.create, of: student)
            if scene.state.drafts.contains(draft) { throw .alreadyExists }
            try scene.checkLimit(student)
            scene.record(
                Draft.Started.with {
                    $0.student = student
                    $0.draft = draft
                    $0.addOns = scene.state.policy.addOns
                }, on: scene.stream(draft))
        }
    }

    /// Step 1 of the wizard.
    package struct DescribeDraft: Command {
        package static let type = "learnable.draft.describe"
        package static let senders: [Actor.Kind] = [.student]
        var draft = DraftID.none
        var description = Body.empty
        var preset: AnyString?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("draft", &draft)
            coder.field("description", &description)
            coder.optional("preset", &preset)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let row = try scene.openDraft(draft, need: .app)
            if let preset, !scene.state.policy.curriculumPresets.has(preset.text) {
                throw .unknownPreset
            }
            scene.record(
                Draft.Described.with {
                    $0.student = row.student
                    $0.draft = draft
                    $0.description = description
                    $0.preset = preset?.text
                }, on: scene.stream(draft))
        }
    }

    /// Step 3: at least one of the four.
    package struct ChooseAddOns: Command {
        package static let type = "learnable.add-ons.choose"
        package static let senders: [Actor.Kind] = [.student]
        var draft = DraftID.none
        var engagementQuestion: Bool?
        var endingProject: Bool?
        var voice: Bool?
        var reinforcement: Bool?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("draft", &draft)
            coder.optional("engagementQuestion", &engagementQuestion)
            coder.optional("endingProject", &endingProject)
            coder.optional("voice", &voice)
            coder.optional("reinforcement", &reinforcement)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let row = try scene.find(draft)
            try scene.own(row.student)
            try scene.need(.app, of: row.student)
            if engagementQuestion == nil, endingProject == nil, voice == nil, reinforcement == nil {
                throw .nothingGiven
            }
            if row.state != .open { throw .draftClosed }
            scene.record(
                AddOnsChosen.with {
                    $0.student = row.student
                    $0.draft = draft
                    $0.engagementQuestion = engagementQuestion ?? row.addOns.engagementQuestion
                    $0.endingProject = endingProject ?? row.addOns.endingProject
                    $0.voice = voice ?? row.addOns.voice
                    $0.reinforcement = reinforcement ?? row.addOns.reinforcement
                }, on: scene.stream(draft))
        }
    }

    package struct DiscardDraft: Command {
        package static let type = "learnable.draft.discard"
        package static let senders: [Actor.Kind] = [.student]
        var draft = DraftID.none
        var confirmed = false

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("draft", &draft)
            coder.field("confirmed", &confirmed)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let row = try scene.find(draft)
            try scene.own(row.student)
            try scene.confirm(confirmed)
            try scene.need(.app, of: row.student)
            if row.state != .open { throw .draftClosed }
            scene.record(
                Draft.Discarded.with {
                    $0.student = row.student
                    $0.draft = draft
                }, on: scene.stream(draft))
        }
    }

    /// The draft is closed, and a subject is being made of it (R12).
    package struct RequestGeneration: Command {
        package static let type = "learnable.generation.request"
        package static let senders: [Actor.Kind] = [.student]
        var draft = DraftID.none
        var subject = SubjectID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("draft", &draft)
            coder.field("subject", &subject)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let row = try scene.find(draft)
            try scene.own(row.student)
            try scene.need(.create, of: row.student)
            if scene.state.subjects.contains(subject) { throw .alreadyExists }
            if row.state != .open { throw .draftClosed }
            if !row.hasCurriculum { throw .curriculumMissing }
            if row.isCurriculumPending { throw .curriculumPending }
            if scene.state.policy.toneRequired, !row.hasTone { throw .toneMissing }
            try scene.checkLimit(row.student)
            scene.record(
                Draft.Submitted.with {
                    $0.student = row.student
                    $0.draft = draft
                    $0.subject = subject
                }, on: scene.stream(draft))
            scene.record(
                Generation.Requested.with {
                    $0.student = row.student
                    $0.subject = subject
                    $0.draft = draft
                    $0.title = row.title
                    $0.chapters = row.chapters
                    $0.topics = row.chapters.reduce(0) { $0 + $1.topics.count }
                    $0.tone = row.tone
                    $0.tonePreset = row.tonePreset
                    $0.addOns = row.addOns
                }, on: scene.stream(subject))
        }
    }
}

extension Scene<Learnable.Academy> {
    /// The draft, if the actor may change it now and it is open.
    func openDraft(
        _ draft: Learnable.DraftID, need: Learnable.Need
    ) throws(Learnable.Rejection) -> Learnable.DraftRow {
        let row = try find(draft)
        try own(row.student)
        try self.need(need, of: row.student)
        if row.state != .open { throw .draftClosed }
        return row
    }
}
