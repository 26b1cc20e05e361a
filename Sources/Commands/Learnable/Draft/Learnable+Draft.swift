import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension Learnable {
    /// Starts the creation wizard (R6).
    struct StartDraft: Command {
        static let type = "learnable.draft.start"
        func senders(in state: State) -> Senders { .student }
        var student = StudentID.none
        var draft = DraftID.none

        func decide(in context: Context) throws(Rejection) {
            try context.findOwn(student, need: .create)
            try context.checkIsFree(draft, unless: context.state.drafts.contains(draft))
            try context.checkSubjectLimit(student)
            context.record(
                Draft.Started(
                    student: student,
                    draft: draft,
                    addOns: context.state.policy.addOns), on: draft)
        }
    }

    /// Step 1 of the wizard: what the subject should be about (R10).
    struct DescribeDraft: Command {
        static let type = "learnable.draft.describe"
        func senders(in state: State) -> Senders { .student }
        var draft = DraftID.none
        var description = Body.empty
        var preset: AnyString?

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOpen(draft, need: .app)
            if let preset, !context.state.policy.curriculumPresets.has(preset.text) {
                throw .unknownPreset
            }
            context.record(
                Draft.Described(
                    student: row.student,
                    draft: draft,
                    description: description,
                    preset: preset?.text), on: draft)
        }
    }

    /// Drops a draft.
    struct DiscardDraft: Command {
        static let type = "learnable.draft.discard"
        func senders(in state: State) -> Senders { .student }
        var draft = DraftID.none
        var confirmed = false

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(draft)
            try context.checkConfirmed(confirmed)
            try context.checkNeed(.app, of: row.student)
            if row.state != .open { throw .draftClosed }
            context.record(
                Draft.Discarded(
                    student: row.student,
                    draft: draft,
                    reason: .student), on: draft)
        }
    }
}
