import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension Learnable {
    struct StartDraft: Command {
        static let type = "learnable.draft.start"
        func senders(in state: State) -> Senders { .student }
        var student = StudentID.none
        var draft = DraftID.none

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("draft", &draft)
        }

        func decide(in context: Context) throws(Rejection) {
            _ = try context.find(student)
            try context.checkOwner(student)
            try context.need(.create, of: student)
            if context.state.drafts.contains(draft) { throw .alreadyExists }
            try context.checkLimit(student)
            context.record(
                Draft.Started.with {
                    $0.student = student
                    $0.draft = draft
                    $0.addOns = context.state.policy.addOns
                }, on: context.stream(draft))
        }
    }

    /// Step 1 of the wizard.
    struct DescribeDraft: Command {
        static let type = "learnable.draft.describe"
        func senders(in state: State) -> Senders { .student }
        var draft = DraftID.none
        var description = Body.empty
        var preset: AnyString?

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("draft", &draft)
            coder.field("description", &description)
            coder.optional("preset", &preset)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.openDraft(draft, need: .app)
            if let preset, !context.state.policy.curriculumPresets.has(preset.text) {
                throw .unknownPreset
            }
            context.record(
                Draft.Described.with {
                    $0.student = row.student
                    $0.draft = draft
                    $0.description = description
                    $0.preset = preset?.text
                }, on: context.stream(draft))
        }
    }

    /// Step 3: at least one of the four.
    struct ChooseAddOns: Command {
        static let type = "learnable.add-ons.choose"
        func senders(in state: State) -> Senders { .student }
        var draft = DraftID.none
        var engagementQuestion: Bool?
        var endingProject: Bool?
        var voice: Bool?
        var reinforcement: Bool?

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("draft", &draft)
            coder.optional("engagementQuestion", &engagementQuestion)
            coder.optional("endingProject", &endingProject)
            coder.optional("voice", &voice)
            coder.optional("reinforcement", &reinforcement)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(draft)
            try context.checkOwner(row.student)
            try context.need(.app, of: row.student)
            if engagementQuestion == nil, endingProject == nil, voice == nil, reinforcement == nil {
                throw .nothingGiven
            }
            if row.state != .open { throw .draftClosed }
            context.record(
                AddOnsChosen.with {
                    $0.student = row.student
                    $0.draft = draft
                    $0.engagementQuestion = engagementQuestion ?? row.addOns.engagementQuestion
                    $0.endingProject = endingProject ?? row.addOns.endingProject
                    $0.voice = voice ?? row.addOns.voice
                    $0.reinforcement = reinforcement ?? row.addOns.reinforcement
                }, on: context.stream(draft))
        }
    }

    struct DiscardDraft: Command {
        static let type = "learnable.draft.discard"
        func senders(in state: State) -> Senders { .student }
        var draft = DraftID.none
        var confirmed = false

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("draft", &draft)
            coder.field("confirmed", &confirmed)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(draft)
            try context.checkOwner(row.student)
            try context.confirm(confirmed)
            try context.need(.app, of: row.student)
            if row.state != .open { throw .draftClosed }
            context.record(
                Draft.Discarded.with {
                    $0.student = row.student
                    $0.draft = draft
                }, on: context.stream(draft))
        }
    }

    /// The draft is closed, and a subject is being made of it (R12).
    struct RequestGeneration: Command {
        static let type = "learnable.generation.request"
        func senders(in state: State) -> Senders { .student }
        var draft = DraftID.none
        var subject = SubjectID.none

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("draft", &draft)
            coder.field("subject", &subject)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(draft)
            try context.checkOwner(row.student)
            try context.need(.create, of: row.student)
            if context.state.subjects.contains(subject) { throw .alreadyExists }
            if row.state != .open { throw .draftClosed }
            if !row.hasCurriculum { throw .curriculumMissing }
            if row.isCurriculumPending { throw .curriculumPending }
            if context.state.policy.toneRequired, !row.hasTone { throw .toneMissing }
            try context.checkLimit(row.student)
            context.record(
                Draft.Submitted.with {
                    $0.student = row.student
                    $0.draft = draft
                    $0.subject = subject
                }, on: context.stream(draft))
            context.record(
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
                }, on: context.stream(subject))
        }
    }
}

extension DecisionContext<Learnable> {
    /// The draft, if the actor may change it now and it is open.
    func openDraft(
        _ draft: Learnable.DraftID, need: Learnable.Need
    ) throws(Learnable.Rejection) -> Learnable.DraftRow {
        let row = try find(draft)
        try checkOwner(row.student)
        try self.need(need, of: row.student)
        if row.state != .open { throw .draftClosed }
        return row
    }
}
