import Core
package import ExamRoomEvents
import Folding

extension ExamRoom {
    /// What is fixed for an event type: its stream's noun and its audit action.
    package struct EventTraits: Sendable {
        /// The second part of its streams' names: `exam` of `examroom/exam/EX-1`.
        package let noun: String
        /// The action of the audit entry that each event makes; nil for types that make none.
        package let action: String?
        /// `examroom.changes` lists it for other devices.
        package let isChange: Bool
        /// Not each makes an entry, its handler says which; former builds made none of them (R51).
        package var isOccasional = false
    }

    /// The traits of every event type of the page, by wire name.
    package static let eventTraits = Dictionary(
        uniqueKeysWithValues: payloads.map { payload -> (String, EventTraits) in
            let type = String(payload.name.dropFirst(product.count + 1))
            return (
                payload.name,
                EventTraits(
                    noun: payload.streams.first ?? "", action: actions[type],
                    isChange: !["device", "inbox", "audit"].contains(payload.streams.first),
                    isOccasional: payload.name.isExactly(Account.Revised.type))
            )
        } + [
            (
                AccountErased.type,
                EventTraits(
                    noun: accountNoun, action: "account_erased", isChange: false, isOccasional: true
                )
            )
        ])

    /// The page's table of actions (`examroom.audit`).
    private static let actions = [
        "account.registered": "account_created",
        "profile.revised": "profile_revised",
        "credential.replaced": "credential_replaced",
        "credential.changed": "credential_changed",
        "account.deleted": "account_deleted",
        "session.started": "login",
        "session.ended": "logout",
        "violation.recorded": "security_violation",
        "exam.created": "exam_created",
        "exam.duplicated": "exam_created",
        "exam.imported": "exam_created",
        "exam.revised": "exam_modified",
        "question.added": "exam_modified",
        "question.revised": "exam_modified",
        "question.restored": "exam_modified",
        "question.removed": "exam_modified",
        "image.attached": "exam_modified",
        "image.detached": "exam_modified",
        "exam.published": "exam_modified",
        "exam.withdrawn": "exam_modified",
        "exam.archived": "exam_modified",
        "exam.unarchived": "exam_modified",
        "exam.restored": "exam_modified",
        "exam.deleted": "exam_deleted",
        "results.published": "exam_modified",
        "results.withheld": "exam_modified",
        "student.blocked": "student_blocked",
        "student.unblocked": "student_unblocked",
        "extension.granted": "extension_granted",
        "extension.modified": "extension_modified",
        "extension.revoked": "extension_revoked",
        "accommodation.requested": "accommodation_requested",
        "accommodation.approved": "accommodation_approved",
        "accommodation.denied": "accommodation_denied",
        "attempt.started": "exam_started",
        "attempt.submitted": "exam_submitted",
        "attempt.reconciled": "attempt_reconciled",
        "attempt.set-aside": "attempt_set_aside",
        "attempt.held": "attempt_held",
        "attempt.released": "attempt_released",
        "answer.held": "answers_held",
        "answer.admitted": "answers_admitted",
        "grade.modified": "grade_modified",
        "export.made": "data_exported",
        "import.applied": "data_imported",
        "migration.finished": "data_imported",
        "batch.merged": "batch_merged",
        "conflict.detected": "conflict_detected",
        "conflict.resolved": "conflict_resolved",
        "policy.adopted": "policy_adopted",
    ]
}
