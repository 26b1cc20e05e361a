import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

extension ExamRoom {
    /// What merging devices leaves in the trail.
    static let mergeRules: [AuditRule] = [
        AuditRule("attempt_reconciled", Attempt.Reconciled.self) { fact, entry, context in
            entry.exam = context.names.text(fact.closing.exam)
            entry.attempt = context.names.text(fact.closing.attempt)
            entry.details = .object(of: [
                ("oldScore", .whole(fact.previous.score)), ("newScore", .whole(fact.closing.score)),
            ])
        },
        AuditRule("attempt_set_aside", Attempt.SetAside.self) { fact, entry, context in
            entry.exam = context.names.text(fact.exam)
            entry.attempt = context.names.text(fact.attempt)
            entry.details = .object(of: [("conflict", context.text(fact.conflict))])
        },
        AuditRule("batch_merged", Batch.Merged.self) { fact, entry, context in
            entry.details = .object(of: [
                ("device", context.text(fact.device)), ("batch", context.text(fact.batch)),
            ])
        },
        AuditRule("conflict_detected", Conflict.Detected.self) { fact, entry, context in
            entry.details = .object(of: [
                ("conflict", context.text(fact.conflict)), ("kind", .string(fact.kind.rawValue)),
            ])
        },
        AuditRule("conflict_resolved", Conflict.Resolved.self) { fact, entry, context in
            entry.details = .object(of: [
                ("conflict", context.text(fact.conflict)),
                ("choice", .string(fact.choice.rawValue)),
            ])
        },
    ]
}
