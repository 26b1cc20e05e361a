import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

extension ExamRoom {
    /// What merging devices leaves in the trail.
    static let mergeRules: [AuditRule] = [
        AuditRule("attempt_reconciled", Attempt.Reconciled.self) { event, entry, context in
            entry.exam = context.names.text(event.closing.exam)
            entry.attempt = context.names.text(event.closing.attempt)
            entry.details = .object(of: [
                ("oldScore", .whole(event.previous.score)),
                ("newScore", .whole(event.closing.score)),
            ])
        },
        AuditRule("attempt_set_aside", Attempt.SetAside.self) { event, entry, context in
            entry.exam = context.names.text(event.exam)
            entry.attempt = context.names.text(event.attempt)
            entry.details = .object(of: [("conflict", context.text(event.conflict))])
        },
        AuditRule("batch_merged", Batch.Merged.self) { event, entry, context in
            entry.details = .object(of: [
                ("device", context.text(event.device)), ("batch", context.text(event.batch)),
            ])
        },
        AuditRule("conflict_detected", Conflict.Detected.self) { event, entry, context in
            entry.details = .object(of: [
                ("conflict", context.text(event.conflict)), ("kind", .string(event.kind.rawValue)),
            ])
        },
        AuditRule("conflict_resolved", Conflict.Resolved.self) { event, entry, context in
            entry.details = .object(of: [
                ("conflict", context.text(event.conflict)),
                ("choice", .string(event.choice.rawValue)),
            ])
        },
    ]
}
