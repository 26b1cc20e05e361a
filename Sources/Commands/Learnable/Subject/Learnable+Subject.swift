import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension Learnable {
    /// Gives a subject another title.
    struct RenameSubject: Command {
        static let type = "learnable.subject.rename"
        func senders(in state: State) -> Senders { .student }
        var subject = SubjectID.none
        var title = Title.empty

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(subject, need: .app)
            if context.state.title(of: subject, row) == title { throw .sameTitle }
            context.record(
                Subject.Renamed(
                    student: row.student,
                    subject: subject,
                    // An offer's title is its author's: it is not repeated among the buyer's events (R48).
                    from: context.state.ownTitle(of: subject),
                    to: title), on: subject)
        }
    }

    /// Puts a subject out of sight; its questions stay in the pool (R20).
    struct ArchiveSubject: SubjectAlone {
        static let type = "learnable.subject.archive"
        func senders(in state: State) -> Senders { .student }
        var subject = SubjectID.none

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(subject, need: .app)
            if row.isArchived { throw .alreadyArchived }
            context.record(
                Subject.Archived(
                    student: row.student,
                    subject: subject,
                    day: context.day(of: row.student)), on: subject)
        }
    }

    /// Puts an archived subject back in sight (R20).
    struct RestoreSubject: SubjectAlone {
        static let type = "learnable.subject.restore"
        func senders(in state: State) -> Senders { .student }
        var subject = SubjectID.none

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(subject, need: .app)
            if !row.isArchived { throw .notArchived }
            context.record(
                Subject.Restored(
                    student: row.student,
                    subject: subject,
                    day: context.day(of: row.student)), on: subject)
        }
    }

    /// Deletes a subject with its questions; open quizzes that asked nothing else end (R20, R24).
    struct DeleteSubject: Command {
        static let type = "learnable.subject.delete"
        func senders(in state: State) -> Senders { .student }
        var subject = SubjectID.none
        var confirmed = false

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(subject)
            try context.checkConfirmed(confirmed)
            try context.checkNeed(.app, of: row.student)
            if let offer = row.openOffer {
                context.unpublish(offer, of: row.student, .subjectDeleted)
            }
            context.recordMissed(of: row.student, dueSince: context.state.firstDue(in: subject))
            context.record(
                Subject.Deleted(
                    student: row.student,
                    subject: subject,
                    questions: row.inPool), on: subject)
            context.endEmptyQuizzes(of: row.student)
        }
    }
}
