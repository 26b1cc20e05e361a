import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

extension ExamRoom {
    /// The page's table of actions; other events make no entry.
    static let auditRules: [AuditRule] =
        examRules + questionRules + attemptRules + accountRules + seatRules + dataRules + mergeRules

    private static func modified<P: Payload>(
        _ type: P.Type, _ changed: String,
        _ thing: @escaping @Sendable (P) -> (exam: ExamID, question: QuestionID?)
    ) -> AuditRule {
        AuditRule("exam_modified", type) { event, entry, context in
            let (exam, question) = thing(event)
            entry.exam = context.names.text(exam)
            entry.details = .object(of: [
                ("changed", .array([.string(changed)])), ("question", context.text(question)),
            ])
        }
    }

    private static func created<P: Payload>(
        _ type: P.Type,
        _ parts:
            @escaping @Sendable (P, Names) -> (
                exam: ExamID, details: Exam.Details, source: String?
            )
    ) -> AuditRule {
        AuditRule("exam_created", type) { event, entry, context in
            let (exam, details, source) = parts(event, context.names)
            entry.exam = context.names.text(exam)
            entry.details = .object(of: [
                ("title", .string(details.title)), ("source", .text(source)),
            ])
        }
    }

    private static let examRules: [AuditRule] = [
        created(Exam.Created.self) { event, _ in (event.exam, event.details, nil) },
        created(Exam.Duplicated.self) { event, names in
            (event.exam, event.details, names.text(event.source))
        },
        created(Exam.Imported.self) { event, names in
            let source =
                event.application.map { "import:\(names.text($0))" }
                ?? event.migration.map { "migration:\(names.text($0))" }
            return (event.exam, event.details, source)
        },
        AuditRule("exam_modified", Exam.Revised.self) { event, entry, context in
            entry.exam = context.names.text(event.exam)
            entry.details = .object(of: [
                ("changed", .array(event.changes.names.map { .string($0) })), ("question", .null),
            ])
        },
        modified(Exam.Published.self, "publication") { ($0.exam, nil) },
        modified(Exam.Withdrawn.self, "publication") { ($0.exam, nil) },
        modified(Exam.Archived.self, "archive") { ($0.exam, nil) },
        modified(Exam.Unarchived.self, "archive") { ($0.exam, nil) },
        modified(Exam.Restored.self, "deletion") { ($0.exam, nil) },
        modified(Results.Published.self, "results") { ($0.exam, nil) },
        modified(Results.Withheld.self, "results") { ($0.exam, nil) },
        AuditRule("exam_deleted", Exam.Deleted.self) { event, entry, context in
            entry.exam = context.names.text(event.exam)
            entry.details = .object(of: [("title", .string(event.title))])
        },
    ]

    private static let questionRules: [AuditRule] = [
        modified(Question.Added.self, "questions") { ($0.exam, $0.question) },
        AuditRule("exam_modified", Question.Revised.self) { event, entry, context in
            entry.exam = context.names.text(event.exam)
            entry.details = .object(of: [
                ("changed", .array(event.changed.map { .string($0) })),
                ("question", context.text(event.question)),
            ])
        },
        modified(Question.Removed.self, "questions") { ($0.exam, $0.question) },
        modified(Question.Restored.self, "questions") { ($0.exam, $0.question) },
        modified(Image.Attached.self, "images") { ($0.exam, $0.question) },
        modified(Image.Detached.self, "images") { ($0.exam, $0.question) },
    ]

    private static let attemptRules: [AuditRule] = [
        AuditRule("exam_started", Attempt.Started.self) { event, entry, context in
            entry.exam = context.names.text(event.exam)
            entry.attempt = context.names.text(event.attempt)
            entry.details = .object(of: [("extension", event.extra.map(json) ?? .null)])
        },
        AuditRule("exam_submitted", Attempt.Submitted.self) { event, entry, context in
            entry.exam = context.names.text(event.exam)
            entry.attempt = context.names.text(event.attempt)
            // The system's own doing is the timer's: the student's time was up.
            if event.how == .timeUp {
                entry.user = context.names.text(event.student)
                entry.role = Account.Role.student.rawValue
            }
            entry.details = .object(of: [("how", .string(event.how.rawValue))])
        },
        AuditRule("grade_modified", Grade.Modified.self) { event, entry, context in
            entry.exam = context.names.text(event.exam)
            entry.attempt = context.names.text(event.attempt)
            entry.details = .object(of: [
                ("oldScore", .whole(event.oldScore)), ("newScore", .whole(event.newScore)),
                ("reason", .text(event.reason)),
            ])
        },
    ]

    private static func json(_ extra: Attempt.Extra) -> JSON {
        .object(of: [
            ("kind", .string(extra.kind.rawValue)), ("value", .whole(extra.value)),
            ("extraSeconds", .whole(extra.extraSeconds)),
        ])
    }

    private static func account<P: Payload>(
        _ action: String, _ type: P.Type, _ account: @escaping @Sendable (P) -> AccountID
    ) -> AuditRule {
        AuditRule(action, type) { event, entry, context in
            entry.details = .object(of: [("account", context.text(account(event)))])
        }
    }

    private static let accountRules: [AuditRule] = [
        account("account_created", Account.Registered.self) { $0.account },
        account("account_deleted", Account.Deleted.self) { $0.account },
        account("credential_replaced", Account.CredentialReplaced.self) { $0.account },
        account("credential_changed", Account.CredentialChanged.self) { $0.account },
        AuditRule(
            "profile_revised", Account.Revised.self,
            if: { event, metadata, context in
                context.state.isAnothers(event.account, metadata)
            }
        ) { event, entry, context in
            let names = event.names.sorted { $0.precedes($1) }
            entry.details = .object(of: [
                ("account", context.text(event.account)),
                ("changed", .array(names.map { .string($0) })),
            ])
        },
        AuditRule(
            "account_erased", AccountErased.self,
            if: { event, metadata, context in
                guard let account = context.state.account(erasedBy: event) else { return false }
                return !context.isDeleted(
                    account, at: Position(max(metadata.position.number, 1) - 1))
            }
        ) { event, entry, context in
            entry.details = .object(of: [
                ("account", context.text(context.state.account(erasedBy: event)))
            ])
        },
        AuditRule("login", Session.Started.self) { event, entry, context in
            context.note(event)
            entry.user = context.names.text(event.account)
            entry.role = event.role.rawValue
            entry.ip = event.ip
            entry.details = .object(of: [
                ("session", context.text(event.session)),
                ("method", .string(event.method.rawValue)),
                ("deviceInfo", .text(event.deviceInfo)),
            ])
        },
        AuditRule("logout", Session.Ended.self) { event, entry, context in
            entry.user = context.names.text(event.account)
            entry.role = context.role(of: event.account) ?? entry.role
            entry.ip = context.address(of: event.session)
            entry.details = .object(of: [
                ("session", context.text(event.session)),
                ("reason", .string(event.reason.rawValue)),
            ])
        },
        AuditRule("security_violation", Violation.Recorded.self) { event, entry, context in
            entry.user = context.names.text(event.account)
            // The actor's where there is no such account.
            entry.role = context.role(of: event.account) ?? entry.role
            entry.exam = event.exam.map { context.names.text($0) }
            entry.ip = event.ip
            entry.details = .object(of: [
                ("violation", .string(event.violation.rawValue)), ("code", .string(event.code)),
                ("command", .string(event.command)),
            ])
        },
    ]

    private static func seat<P: Payload>(
        _ action: String, _ type: P.Type,
        _ parts:
            @escaping @Sendable (P) -> (
                exam: ExamID, student: StudentID, granted: (Extension.Kind?, Int?)?
            )
    ) -> AuditRule {
        AuditRule(action, type) { event, entry, context in
            let (exam, student, granted) = parts(event)
            entry.exam = context.names.text(exam)
            var details = [("student", context.text(student))]
            if let (kind, value) = granted {
                details += [("kind", .text(kind?.rawValue)), ("value", .whole(value))]
            }
            entry.details = .object(of: details)
        }
    }

    private static func request<P: Payload>(
        _ action: String, _ type: P.Type,
        _ parts: @escaping @Sendable (P) -> (RequestID, ExamID, StudentID)
    ) -> AuditRule {
        AuditRule(action, type) { event, entry, context in
            let (request, exam, student) = parts(event)
            entry.exam = context.names.text(exam)
            entry.details = .object(of: [
                ("request", context.text(request)), ("student", context.text(student)),
            ])
        }
    }

    private static let seatRules: [AuditRule] = [
        seat("student_blocked", Seat.Blocked.self) { ($0.exam, $0.student, nil) },
        seat("student_unblocked", Seat.Unblocked.self) { ($0.exam, $0.student, nil) },
        seat("extension_granted", Extension.Granted.self) {
            ($0.exam, $0.student, ($0.kind, $0.value))
        },
        seat("extension_modified", Extension.Modified.self) {
            ($0.exam, $0.student, ($0.to.kind, $0.to.value))
        },
        seat("extension_revoked", Extension.Revoked.self) {
            ($0.exam, $0.student, ($0.kind, $0.value))
        },
        request("accommodation_requested", Accommodation.Requested.self) {
            ($0.request, $0.exam, $0.student)
        },
        request("accommodation_approved", Accommodation.Approved.self) {
            ($0.request, $0.exam, $0.student)
        },
        request("accommodation_denied", Accommodation.Denied.self) {
            ($0.request, $0.exam, $0.student)
        },
    ]

    private static let dataRules: [AuditRule] = [
        AuditRule("data_exported", Export.Made.self) { event, entry, context in
            entry.exam = event.exam.map { context.names.text($0) }
            entry.details = .object(of: [
                ("export", context.text(event.export)), ("scope", .string(event.scope.rawValue)),
                ("format", .string(event.format.rawValue)), ("records", .whole(event.records)),
            ])
        },
        AuditRule("data_imported", Import.Applied.self) { event, entry, context in
            entry.details = .object(of: [
                ("source", .string("import:\(context.names.text(event.application))")),
                ("records", .whole(event.records)),
            ])
        },
        AuditRule("data_imported", Migration.Finished.self) { event, entry, context in
            entry.details = .object(of: [
                ("source", .string("migration:\(context.names.text(event.migration))")),
                ("records", .whole(event.imported)),
            ])
        },
        AuditRule("policy_adopted", PolicyAdopted.self) { event, entry, _ in
            let names = (event.changes.members ?? []).map(\.name).sorted { $0.precedes($1) }
            entry.details = .object(of: [("names", .array(names.map { .string($0) }))])
        },
    ]
}
