package import Events

extension ExamRoom {
    /// What is static about an event type of the page: where it stands, and what follows from its mere
    /// presence.
    package struct EventTraits: Sendable {
        /// The second part of its streams' names: `exam` of `examroom/exam/EX-1`.
        package let noun: String
        /// The action of the audit entry that each event makes; nil for types that make none.
        package let action: String?

        /// `examroom.changes` tells other devices of it.
        package var isChange: Bool { !["device", "inbox", "audit"].contains(noun) }
    }

    /// The traits of every event type of the page, by wire name.
    package static let eventTraits: [String: EventTraits] = {
        var traits: [String: EventTraits] = [:]
        for (type, noun, action) in traitLines {
            traits["\(product).\(type)"] = EventTraits(noun: noun, action: action)
        }
        return traits
    }()

    /// Type, stream noun, action: the page's tables of events and of actions (`examroom.audit`).
    private static let traitLines: [(type: String, noun: String, action: String?)] = [
        ("account.registered", "account", "account_created"),
        ("profile.revised", "account", nil),
        ("credential.replaced", "account", "credential_replaced"),
        ("credential.changed", "account", "credential_changed"),
        ("preference.chosen", "account", nil),
        ("account.deleted", "account", "account_deleted"),
        ("session.started", "session", "login"),
        ("session.ended", "session", "logout"),
        ("violation.recorded", "security", "security_violation"),
        ("exam.created", "exam", "exam_created"),
        ("exam.duplicated", "exam", "exam_created"),
        ("exam.imported", "exam", "exam_created"),
        ("exam.revised", "exam", "exam_modified"),
        ("question.added", "exam", "exam_modified"),
        ("question.revised", "exam", "exam_modified"),
        ("question.restored", "exam", "exam_modified"),
        ("question.removed", "exam", "exam_modified"),
        ("image.attached", "exam", "exam_modified"),
        ("image.detached", "exam", "exam_modified"),
        ("image.orphaned", "image", nil),
        ("exam.published", "exam", "exam_modified"),
        ("exam.withdrawn", "exam", "exam_modified"),
        ("exam.archived", "exam", "exam_modified"),
        ("exam.unarchived", "exam", "exam_modified"),
        ("exam.restored", "exam", "exam_modified"),
        ("exam.deleted", "exam", "exam_deleted"),
        ("results.published", "exam", "exam_modified"),
        ("results.withheld", "exam", "exam_modified"),
        ("student.blocked", "seat", "student_blocked"),
        ("student.unblocked", "seat", "student_unblocked"),
        ("extension.granted", "seat", "extension_granted"),
        ("extension.modified", "seat", "extension_modified"),
        ("extension.revoked", "seat", "extension_revoked"),
        ("accommodation.requested", "accommodation", "accommodation_requested"),
        ("accommodation.approved", "accommodation", "accommodation_approved"),
        ("accommodation.denied", "accommodation", "accommodation_denied"),
        ("attempt.started", "attempt", "exam_started"),
        ("answer.saved", "attempt", nil),
        ("time.logged", "attempt", nil),
        ("time.warned", "attempt", nil),
        ("attempt.submitted", "attempt", "exam_submitted"),
        ("attempt.reconciled", "attempt", "attempt_reconciled"),
        ("attempt.imported", "attempt", nil),
        ("attempt.discarded", "attempt", nil),
        ("attempt.set-aside", "attempt", "attempt_set_aside"),
        ("grade.modified", "attempt", "grade_modified"),
        ("points.awarded", "awards", nil),
        ("points.adjusted", "awards", nil),
        ("badge.earned", "awards", nil),
        ("milestone.unlocked", "awards", nil),
        ("export.made", "export", "data_exported"),
        ("import.applied", "import", "data_imported"),
        ("migration.begun", "migration", nil),
        ("item.imported", "migration", nil),
        ("item.failed", "migration", nil),
        ("item.skipped", "migration", nil),
        ("migration.finished", "migration", "data_imported"),
        ("batch.merged", "device", "batch_merged"),
        ("conflict.detected", "conflict", "conflict_detected"),
        ("conflict.resolved", "conflict", "conflict_resolved"),
        ("connection.changed", "device", nil),
        ("sync.begun", "device", nil),
        ("sync.completed", "device", nil),
        ("sync.failed", "device", nil),
        ("storage.measured", "device", nil),
        ("audit.archived", "audit", nil),
        ("notification.raised", "inbox", nil),
        ("policy.adopted", "policy", "policy_adopted"),
    ]
}
