import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension Learnable {
    struct RenameSubject: Command {
        static let type = "learnable.subject.rename"
        func senders(in state: State) -> Senders { .student }
        var subject = SubjectID.none
        var title = Title.empty

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("subject", &subject)
            coder.field("title", &title)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.ownSubject(subject, need: .app)
            if row.title == title { throw .sameTitle }
            context.record(
                Subject.Renamed.with {
                    $0.student = row.student
                    $0.subject = subject
                    $0.from = row.title
                    $0.to = title
                }, on: context.stream(subject))
        }
    }

    struct ArchiveSubject: Command {
        static let type = "learnable.subject.archive"
        func senders(in state: State) -> Senders { .student }
        var subject = SubjectID.none

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("subject", &subject)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.ownSubject(subject, need: .app)
            if row.isArchived { throw .alreadyArchived }
            context.record(
                Subject.Archived.with {
                    $0.student = row.student
                    $0.subject = subject
                    $0.day = context.day(of: row.student)
                }, on: context.stream(subject))
        }
    }

    struct RestoreSubject: Command {
        static let type = "learnable.subject.restore"
        func senders(in state: State) -> Senders { .student }
        var subject = SubjectID.none

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("subject", &subject)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.ownSubject(subject, need: .app)
            if !row.isArchived { throw .notArchived }
            context.record(
                Subject.Restored.with {
                    $0.student = row.student
                    $0.subject = subject
                    $0.day = context.day(of: row.student)
                }, on: context.stream(subject))
        }
    }

    /// Its questions leave the pool, and quizzes that held nothing else end (R20, R24).
    struct DeleteSubject: Command {
        static let type = "learnable.subject.delete"
        func senders(in state: State) -> Senders { .student }
        var subject = SubjectID.none
        var confirmed = false

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("subject", &subject)
            coder.field("confirmed", &confirmed)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(subject)
            try context.checkOwner(row.student)
            try context.confirm(confirmed)
            try context.need(.app, of: row.student)
            if let offer = row.openOffer {
                context.unpublish(offer, of: row.student, .subjectDeleted)
            }
            context.record(
                Subject.Deleted.with {
                    $0.student = row.student
                    $0.subject = subject
                    $0.questions = row.inPool
                }, on: context.stream(subject))
            context.endEmptyQuizzes(of: row.student)
        }
    }
}

extension DecisionContext<Learnable> {
    /// The subject, if the actor may use it now.
    func ownSubject(
        _ subject: Learnable.SubjectID, need: Learnable.Need
    ) throws(Learnable.Rejection) -> Learnable.SubjectRow {
        let row = try find(subject)
        try checkOwner(row.student)
        try self.need(need, of: row.student)
        return row
    }
}
