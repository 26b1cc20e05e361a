package import Core

/// Exams that are written, taken, scored and analysed without a network (contract, examroom.md).
///
/// This folder holds the product's vocabulary: a folder for each noun with the events that can happen to it.
/// The same folders in Facts/ExamRoom hold the state, in Commands/ExamRoom the rules, in
/// Projections/ExamRoom the read models.
package enum ExamRoom: ProductNamespace {
    package static let product = "examroom"
    package typealias PolicyAdopted = Core.PolicyAdopted<ExamRoom>

    /// Every event type, in the order of the page.
    package static let payloads: [PayloadType] = [
        PayloadType(Account.Registered.self), PayloadType(Account.Revised.self),
        PayloadType(Account.CredentialReplaced.self), PayloadType(Account.CredentialChanged.self),
        PayloadType(Account.PreferenceChosen.self), PayloadType(Account.Deleted.self),
        PayloadType(Session.Started.self), PayloadType(Session.Ended.self),
        PayloadType(Violation.Recorded.self),
        PayloadType(Exam.Created.self), PayloadType(Exam.Duplicated.self),
        PayloadType(Exam.Imported.self), PayloadType(Exam.Revised.self),
        PayloadType(Question.Added.self), PayloadType(Question.Revised.self),
        PayloadType(Question.Removed.self),
        PayloadType(Image.Attached.self), PayloadType(Image.Detached.self),
        PayloadType(Image.Orphaned.self),
        PayloadType(Exam.Published.self), PayloadType(Exam.Withdrawn.self),
        PayloadType(Exam.Archived.self), PayloadType(Exam.Unarchived.self),
        PayloadType(Exam.Deleted.self), PayloadType(Results.Published.self),
        PayloadType(Results.Withheld.self),
        PayloadType(Seat.Blocked.self), PayloadType(Seat.Unblocked.self),
        PayloadType(Extension.Granted.self), PayloadType(Extension.Modified.self),
        PayloadType(Extension.Revoked.self),
        PayloadType(Accommodation.Requested.self), PayloadType(Accommodation.Approved.self),
        PayloadType(Accommodation.Denied.self),
        PayloadType(Attempt.Started.self), PayloadType(Answer.Saved.self),
        PayloadType(Attempt.TimeLogged.self), PayloadType(Attempt.TimeWarned.self),
        PayloadType(Attempt.Submitted.self), PayloadType(Attempt.Imported.self),
        PayloadType(Attempt.Discarded.self),
        PayloadType(Grade.Modified.self),
        PayloadType(Award.PointsAwarded.self), PayloadType(Award.PointsAdjusted.self),
        PayloadType(Award.BadgeEarned.self), PayloadType(Award.MilestoneUnlocked.self),
        PayloadType(Export.Made.self), PayloadType(Import.Applied.self),
        PayloadType(Migration.Begun.self), PayloadType(Item.Imported.self),
        PayloadType(Item.Failed.self), PayloadType(Item.Skipped.self),
        PayloadType(Migration.Finished.self),
        PayloadType(Batch.Merged.self), PayloadType(Conflict.Detected.self),
        PayloadType(Conflict.Resolved.self), PayloadType(Exam.Restored.self),
        PayloadType(Question.Restored.self), PayloadType(Attempt.Reconciled.self),
        PayloadType(Attempt.SetAside.self),
        PayloadType(Attempt.Held.self), PayloadType(Attempt.Released.self),
        PayloadType(Attempt.Resubmitted.self),
        PayloadType(Answer.Held.self), PayloadType(Answer.Admitted.self),
        PayloadType(Connection.Changed.self), PayloadType(Sync.Begun.self),
        PayloadType(Sync.Progressed.self), PayloadType(Sync.Completed.self),
        PayloadType(Sync.Failed.self),
        PayloadType(Storage.Measured.self), PayloadType(Audit.Archived.self),
        PayloadType(Notification.Raised.self), PayloadType(PolicyAdopted.self),
    ]
}

/// The ids of this product; their kinds name the tags.
extension ExamRoom {
    package typealias AccountID = Identifier<Account>
    /// A student's id is that of their account.
    package typealias StudentID = Identifier<Student>
    package typealias SessionID = Identifier<Session>
    package typealias ExamID = Identifier<Exam>
    package typealias QuestionID = Identifier<Question>
    package typealias OptionID = Identifier<Option>
    package typealias AttemptID = Identifier<Attempt>
    package typealias RequestID = Identifier<Accommodation>
    package typealias ExportID = Identifier<Export>
    package typealias ImportID = Identifier<Import>
    package typealias MigrationID = Identifier<Migration>
    package typealias ItemID = Identifier<Item>
    package typealias DeviceID = Identifier<Device>
    package typealias BatchID = Identifier<Batch>
    package typealias ConflictID = Identifier<Conflict>

    package enum Student: Thing { package static let noun = "student" }
    package enum Option: Thing {
        package static let noun = "option"; package static let isTagged = false
    }
    /// The SHA-256 of an image file, as 64 hex digits.
    package typealias ImageHash = Identifier<Image>
}
