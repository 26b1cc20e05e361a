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
        AuditRule("exam_modified", type) { fact, entry, context in
            let (exam, question) = thing(fact)
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
        AuditRule("exam_created", type) { fact, entry, context in
            let (exam, details, source) = parts(fact, context.names)
            entry.exam = context.names.text(exam)
            entry.details = .object(of: [
                ("title", .string(details.title)), ("source", .text(source)),
            ])
        }
    }

    private static let examRules: [AuditRule] = [
        created(Exam.Created.self) { fact, _ in (fact.exam, fact.details, nil) },
        created(Exam.Duplicated.self) { fact, names in
            (fact.exam, fact.details, names.text(fact.source))
        },
        created(Exam.Imported.self) { fact, names in
            let source =
                fact.application.map { "import:\(names.text($0))" }
                ?? fact.migration.map { "migration:\(names.text($0))" }
            return (fact.exam, fact.details, source)
        },
        AuditRule("exam_modified", Exam.Revised.self) { fact, entry, context in
            entry.exam = context.names.text(fact.exam)
            entry.details = .object(of: [
                ("changed", .array(fact.changes.names.map { .string($0) })), ("question", .null),
            ])
        },
        modified(Exam.Published.self, "publication") { ($0.exam, nil) },
        modified(Exam.Withdrawn.self, "publication") { ($0.exam, nil) },
        modified(Exam.Archived.self, "archive") { ($0.exam, nil) },
        modified(Exam.Unarchived.self, "archive") { ($0.exam, nil) },
        modified(Exam.Restored.self, "deletion") { ($0.exam, nil) },
        modified(Exam.ResultsPublished.self, "results") { ($0.exam, nil) },
        modified(Exam.ResultsWithheld.self, "results") { ($0.exam, nil) },
        AuditRule("exam_deleted", Exam.Deleted.self) { fact, entry, context in
            entry.exam = context.names.text(fact.exam)
            entry.details = .object(of: [("title", .string(fact.title))])
        },
    ]

    private static let questionRules: [AuditRule] = [
        modified(Question.Added.self, "questions") { ($0.exam, $0.question) },
        modified(Question.Revised.self, "questions") { ($0.exam, $0.question) },
        modified(Question.Removed.self, "questions") { ($0.exam, $0.question) },
        modified(Question.Restored.self, "questions") { ($0.exam, $0.question) },
        modified(Image.Attached.self, "images") { ($0.exam, $0.question) },
        modified(Image.Detached.self, "images") { ($0.exam, $0.question) },
    ]

    private static let attemptRules: [AuditRule] = [
        AuditRule("exam_started", Attempt.Started.self) { fact, entry, context in
            entry.exam = context.names.text(fact.exam)
            entry.attempt = context.names.text(fact.attempt)
            entry.details = .object(of: [("extension", fact.extra.map(json) ?? .null)])
        },
        AuditRule("exam_submitted", Attempt.Submitted.self) { fact, entry, context in
            entry.exam = context.names.text(fact.exam)
            entry.attempt = context.names.text(fact.attempt)
            // The system's own doing is the timer's: the student's time was up.
            if fact.how == .timeUp {
                entry.user = context.names.text(fact.student)
                entry.role = Account.Role.student.rawValue
            }
            entry.details = .object(of: [("how", .string(fact.how.rawValue))])
        },
        AuditRule("grade_modified", Grade.Modified.self) { fact, entry, context in
            entry.exam = context.names.text(fact.exam)
            entry.attempt = context.names.text(fact.attempt)
            entry.details = .object(of: [
                ("oldScore", .whole(fact.oldScore)), ("newScore", .whole(fact.newScore)),
                ("reason", .string(fact.reason)),
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
        AuditRule(action, type) { fact, entry, context in
            entry.details = .object(of: [("account", context.text(account(fact)))])
        }
    }

    private static let accountRules: [AuditRule] = [
        account("account_created", Account.Registered.self) { $0.account },
        account("account_deleted", Account.Deleted.self) { $0.account },
        account("credential_replaced", Account.CredentialReplaced.self) { $0.account },
        account("credential_changed", Account.CredentialChanged.self) { $0.account },
        AuditRule("login", Session.Started.self) { fact, entry, context in
            context.met(fact)
            entry.user = context.names.text(fact.account)
            entry.role = fact.role.rawValue
            entry.ip = fact.ip
            entry.details = .object(of: [
                ("session", context.text(fact.session)), ("method", .string(fact.method.rawValue)),
                ("deviceInfo", .text(fact.deviceInfo)),
            ])
        },
        AuditRule("logout", Session.Ended.self) { fact, entry, context in
            entry.user = context.names.text(fact.account)
            entry.role = context.role(of: fact.account) ?? entry.role
            entry.ip = context.address(of: fact.session)
            entry.details = .object(of: [
                ("session", context.text(fact.session)), ("reason", .string(fact.reason.rawValue)),
            ])
        },
        AuditRule("security_violation", Violation.Recorded.self) { fact, entry, context in
            entry.user = context.names.text(fact.account)
            // The actor's where there is no such account.
            entry.role = context.role(of: fact.account) ?? entry.role
            entry.exam = fact.exam.map { context.names.text($0) }
            entry.ip = fact.ip
            entry.details = .object(of: [
                ("violation", .string(fact.violation.rawValue)), ("code", .string(fact.code)),
                ("command", .string(fact.command)),
            ])
        },
    ]

    private static func seat<P: Payload>(
        _ action: String, _ type: P.Type,
        _ parts:
            @escaping @Sendable (P) -> (
                exam: ExamID, student: StudentID, granted: (Seat.Kind?, Int?)?
            )
    ) -> AuditRule {
        AuditRule(action, type) { fact, entry, context in
            let (exam, student, granted) = parts(fact)
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
        AuditRule(action, type) { fact, entry, context in
            let (request, exam, student) = parts(fact)
            entry.exam = context.names.text(exam)
            entry.details = .object(of: [
                ("request", context.text(request)), ("student", context.text(student)),
            ])
        }
    }

    private static let seatRules: [AuditRule] = [
        seat("student_blocked", Seat.Blocked.self) { ($0.exam, $0.student, nil) },
        seat("student_unblocked", Seat.Unblocked.self) { ($0.exam, $0.student, nil) },
        seat("extension_granted", Seat.ExtensionGranted.self) {
            ($0.exam, $0.student, ($0.kind, $0.value))
        },
        seat("extension_modified", Seat.ExtensionModified.self) {
            ($0.exam, $0.student, ($0.to.kind, $0.to.value))
        },
        seat("extension_revoked", Seat.ExtensionRevoked.self) {
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
        AuditRule("data_exported", Export.Made.self) { fact, entry, context in
            entry.exam = fact.exam.map { context.names.text($0) }
            entry.details = .object(of: [
                ("export", context.text(fact.export)), ("scope", .string(fact.scope.rawValue)),
                ("format", .string(fact.format.rawValue)), ("records", .whole(fact.records)),
            ])
        },
        AuditRule("data_imported", Import.Applied.self) { fact, entry, context in
            entry.details = .object(of: [
                ("source", .string("import:\(context.names.text(fact.application))")),
                ("records", .whole(fact.records)),
            ])
        },
        AuditRule("data_imported", Migration.Finished.self) { fact, entry, context in
            entry.details = .object(of: [
                ("source", .string("migration:\(context.names.text(fact.migration))")),
                ("records", .whole(fact.imported)),
            ])
        },
        AuditRule("policy_adopted", PolicyAdopted.self) { fact, entry, _ in
            let names = (fact.changes.members ?? []).map(\.name).sorted { $0.precedes($1) }
            entry.details = .object(of: [("names", .array(names.map { .string($0) }))])
        },
    ]
}
