import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension Learnable {
    /// Closes a draft and has its subject generated (R12).
    struct RequestGeneration: Command {
        static let type = "learnable.generation.request"
        func senders(in state: State) -> Senders { .student }
        var draft = DraftID.none
        var subject = SubjectID.none

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(draft, need: .create)
            try context.checkIsFree(subject, unless: context.state.subjects.contains(subject))
            if row.state != .open { throw .draftClosed }
            guard row.hasCurriculum, let chapters = row.chapters else { throw .curriculumMissing }
            if row.isCurriculumPending { throw .curriculumPending }
            if context.state.policy.toneRequired, !row.hasTone { throw .toneMissing }
            try context.checkSubjectLimit(row.student)
            context.record(
                Draft.Submitted(
                    student: row.student,
                    draft: draft,
                    subject: subject), on: draft)
            context.record(
                Generation.Requested(
                    student: row.student,
                    subject: subject,
                    draft: draft,
                    title: row.title,
                    chapters: chapters,
                    chapterTopics: chapters.map(\.topics.count),
                    topics: chapters.reduce(0) { $0 + $1.topics.count },
                    tone: row.tone,
                    tonePreset: row.tonePreset,
                    addOns: row.addOns,
                    attempt: 1), on: subject)
        }
    }

    /// The AI service gives up on a subject (R13).
    struct FailGeneration: Command {
        static let type = "learnable.generation.fail"
        func senders(in state: State) -> Senders { .service }
        var subject = SubjectID.none
        var reason = Body.empty

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(subject)
            if row.state != .generating { throw .generationClosed }
            context.record(
                Generation.Failed(
                    student: row.student,
                    subject: subject,
                    reason: reason,
                    delivered: row.delivered,
                    topics: row.topics), on: subject)
            context.notify(
                row.student, .generationFailed,
                [
                    ("subject", context.text(subject)),
                    ("title", .string(context.state.title(of: subject, row).text)),
                ],
                target: Target.generation(context.names.text(subject)))
        }
    }

    /// Continues a failed generation; the topics that had arrived are kept (R13).
    struct RetryGeneration: SubjectAlone {
        static let type = "learnable.generation.retry"
        func senders(in state: State) -> Senders { .student }
        var subject = SubjectID.none

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(subject, need: .app)
            if row.state != .failed { throw .generationNotFailed }
            context.record(
                Generation.Retried(
                    student: row.student,
                    subject: subject,
                    attempt: row.attempt + 1), on: subject)
        }
    }
}
