package import Commands
package import Core
import Folding
package import LearnableEvents
package import LearnableFacts

extension Learnable {
    package struct RenameSubject: Command {
        package static let type = "learnable.subject.rename"
        package static let senders: [Actor.Kind] = [.student]
        var subject = SubjectID.none
        var title = Title.empty

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("subject", &subject)
            coder.field("title", &title)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let row = try scene.ownSubject(subject, need: .app)
            if row.title == title { throw .sameTitle }
            scene.record(
                Subject.Renamed.with {
                    $0.student = row.student
                    $0.subject = subject
                    $0.from = row.title
                    $0.to = title
                }, on: scene.stream(subject))
        }
    }

    package struct ArchiveSubject: Command {
        package static let type = "learnable.subject.archive"
        package static let senders: [Actor.Kind] = [.student]
        var subject = SubjectID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("subject", &subject)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let row = try scene.ownSubject(subject, need: .app)
            if row.isArchived { throw .alreadyArchived }
            scene.record(
                Subject.Archived.with {
                    $0.student = row.student
                    $0.subject = subject
                    $0.day = scene.day(of: row.student)
                }, on: scene.stream(subject))
        }
    }

    package struct RestoreSubject: Command {
        package static let type = "learnable.subject.restore"
        package static let senders: [Actor.Kind] = [.student]
        var subject = SubjectID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("subject", &subject)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let row = try scene.ownSubject(subject, need: .app)
            if !row.isArchived { throw .notArchived }
            scene.record(
                Subject.Restored.with {
                    $0.student = row.student
                    $0.subject = subject
                    $0.day = scene.day(of: row.student)
                }, on: scene.stream(subject))
        }
    }

    /// Its questions leave the pool, and quizzes that held nothing else end (R20, R24).
    package struct DeleteSubject: Command {
        package static let type = "learnable.subject.delete"
        package static let senders: [Actor.Kind] = [.student]
        var subject = SubjectID.none
        var confirmed = false

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("subject", &subject)
            coder.field("confirmed", &confirmed)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let row = try scene.find(subject)
            try scene.own(row.student)
            try scene.confirm(confirmed)
            try scene.need(.app, of: row.student)
            if let offer = row.openOffer {
                scene.unpublish(offer, of: row.student, .subjectDeleted)
            }
            scene.record(
                Subject.Deleted.with {
                    $0.student = row.student
                    $0.subject = subject
                    $0.questions = row.inPool
                }, on: scene.stream(subject))
            scene.endEmptyQuizzes(of: row.student)
        }
    }
}

extension Scene<Learnable.Academy> {
    /// The subject, if the actor may use it now.
    func ownSubject(
        _ subject: Learnable.SubjectID, need: Learnable.Need
    ) throws(Learnable.Rejection) -> Learnable.SubjectRow {
        let row = try find(subject)
        try own(row.student)
        try self.need(need, of: row.student)
        return row
    }
}
