import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

extension ExamRoom {
    /// What becomes of an attempt because of a conflict.
    private static func held<P: Payload>(
        _ action: String, _ type: P.Type,
        _ parts: @escaping @Sendable (P) -> (ExamID, AttemptID, ConflictID)
    ) -> AuditRule {
        AuditRule(action, type) { event, entry, context in
            let (exam, attempt, conflict) = parts(event)
            entry.exam = context.names.text(exam)
            entry.attempt = context.names.text(attempt)
            entry.details = .object(of: [("conflict", context.text(conflict))])
        }
    }

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
        held("attempt_set_aside", Attempt.SetAside.self) { ($0.exam, $0.attempt, $0.conflict) },
        held("attempt_held", Attempt.Held.self) { ($0.exam, $0.attempt, $0.conflict) },
        held("attempt_released", Attempt.Released.self) { ($0.exam, $0.attempt, $0.conflict) },
        held("answers_held", Answer.Held.self) { ($0.exam, $0.attempt, $0.conflict) },
        held("answers_admitted", Answer.Admitted.self) { ($0.exam, $0.attempt, $0.conflict) },
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
