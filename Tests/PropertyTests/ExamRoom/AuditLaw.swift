import Core
import ExamRoomEvents
import TestSupport
import Testing

/// The audit view against the page's table of actions, event by event.
enum AuditLaw {
    private typealias Details = @Sendable (PastFact) -> [(String, JSON)]

    private static func same(_ fields: String...) -> Details {
        { event in fields.map { ($0, event.data[$0] ?? .null) } }
    }

    private static func changed(_ what: String) -> Details {
        { event in
            [
                ("changed", .array([.string(what)])),
                ("question", event.data["question"] ?? .null),
            ]
        }
    }

    @Sendable private static func names(_ event: PastFact) -> JSON {
        let names = (event.data["changes"]?.members ?? []).map(\.name)
        return .array(names.sorted { $0.precedes($1) }.map { .string($0) })
    }

    @Sendable private static func source(_ event: PastFact) -> JSON {
        if let source = event.data["source"]?.string { return .string(source) }
        for kind in ["import", "migration"] {
            if let id = event.data[kind]?.string { return .string("\(kind):\(id)") }
        }
        return .null
    }

    @Sendable private static func created(_ event: PastFact) -> [(String, JSON)] {
        [("title", event.data["details"]?["title"] ?? .null), ("source", source(event))]
    }

    /// Event type without the product: the action, and what its details are made of.
    private static let table: [String: (action: String, details: Details)] = {
        var table: [String: (String, Details)] = [
            "exam.created": ("exam_created", created),
            "exam.duplicated": ("exam_created", created),
            "exam.imported": ("exam_created", created),
            "exam.revised": (
                "exam_modified", { [("changed", names($0)), ("question", .null)] }
            ),
            "question.revised": (
                "exam_modified",
                { event in
                    [("changed", event.data["fields"] ?? .null)] + same("question")(event)
                }
            ),
            "exam.deleted": ("exam_deleted", same("title")),
            "attempt.started": ("exam_started", same("extension")),
            "attempt.submitted": ("exam_submitted", same("how")),
            "grade.modified": ("grade_modified", same("oldScore", "newScore", "reason")),
            "violation.recorded": ("security_violation", same("violation", "code", "command")),
            "session.started": ("login", same("session", "method", "deviceInfo")),
            "session.ended": ("logout", same("session", "reason")),
            "export.made": ("data_exported", same("export", "scope", "format", "records")),
            "import.applied": (
                "data_imported",
                { [("source", source($0)), ("records", $0.data["records"] ?? .null)] }
            ),
            "migration.finished": (
                "data_imported",
                { [("source", source($0)), ("records", $0.data["imported"] ?? .null)] }
            ),
            "account.registered": ("account_created", same("account")),
            "account.deleted": ("account_deleted", same("account")),
            "account.erased": (
                "account_erased",
                { [("account", .string(String($0.text("subject").trimmingPrefix("examroom/"))))] }
            ),
            "profile.revised": (
                "profile_revised",
                { event in
                    let names = (event.data["fields"]?.array ?? []).compactMap(\.string)
                    let changed = names.sorted { $0.precedes($1) }.map { JSON.string($0) }
                    return same("account")(event) + [("changed", .array(changed))]
                }
            ),
            "credential.replaced": ("credential_replaced", same("account")),
            "credential.changed": ("credential_changed", same("account")),
            "student.blocked": ("student_blocked", same("student")),
            "student.unblocked": ("student_unblocked", same("student")),
            "extension.granted": ("extension_granted", same("student", "kind", "value")),
            "extension.modified": (
                "extension_modified",
                { event in
                    let to = event.data["to"]
                    return same("student")(event)
                        + ["kind", "value"].map { ($0, to?[$0] ?? .null) }
                }
            ),
            "extension.revoked": ("extension_revoked", same("student", "kind", "value")),
            "attempt.reconciled": (
                "attempt_reconciled",
                {
                    [
                        ("oldScore", $0.data["previous"]?["score"] ?? .null),
                        ("newScore", $0.data["score"] ?? .null),
                    ]
                }
            ),
            "attempt.set-aside": ("attempt_set_aside", same("conflict")),
            "attempt.held": ("attempt_held", same("conflict")),
            "attempt.released": ("attempt_released", same("conflict")),
            "answer.held": ("answers_held", same("conflict")),
            "answer.admitted": ("answers_admitted", same("conflict")),
            "policy.adopted": ("policy_adopted", { [("names", names($0))] }),
            "batch.merged": ("batch_merged", same("device", "batch")),
            "conflict.detected": ("conflict_detected", same("conflict", "kind")),
            "conflict.resolved": ("conflict_resolved", same("conflict", "choice")),
        ]
        for (types, what) in [
            (["question.added", "question.removed", "question.restored"], "questions"),
            (["image.attached", "image.detached"], "images"),
            (["exam.published", "exam.withdrawn"], "publication"),
            (["exam.archived", "exam.unarchived"], "archive"), (["exam.restored"], "deletion"),
            (["results.published", "results.withheld"], "results"),
        ] {
            for type in types { table[type] = ("exam_modified", changed(what)) }
        }
        for decision in ["requested", "approved", "denied"] {
            table["accommodation.\(decision)"] = (
                "accommodation_\(decision)", same("request", "student")
            )
        }
        return table
    }()

    static func broken(by room: LivedRoom) throws -> String? {
        var roles: [String: String] = [:]
        for event in room.events where event.type == "examroom.account.registered" {
            roles[event.text("account")] = event.text("role")
        }
        var addresses: [String: JSON] = [:]
        var wanted: [(at: Instant, recordedAt: Instant, position: Int64, text: String)] = []
        var deleted: Set<String> = []
        for event in room.events {
            let type = event.type.replacing("examroom.", with: "")
            if type == "session.started" {
                addresses[event.text("session")] = event.data["ip"]
            }
            guard let (action, details) = table[type] else { continue }
            let actor = event.by.split(separator: ":", maxSplits: 1).map { String($0) }
            var (role, user) = (actor.first ?? "", actor.last ?? "")
            var ip = event.data["ip"] ?? .null
            switch type {
            case "violation.recorded", "session.started", "session.ended":
                user = event.text("account")
                role = roles[user] ?? role
                if type == "session.ended" { ip = addresses[event.text("session")] ?? .null }
            case "account.deleted": deleted.insert("examroom/\(event.text("account"))")
            case "account.erased" where deleted.contains(event.text("subject")): continue
            case "profile.revised" where role != "system" && user == event.text("account"): continue
            case "attempt.submitted" where event.command == nil:
                (role, user) = ("student", event.text("student"))
            default: break
            }
            let entry = JSON.object(of: [
                ("action", .string(action)), ("at", .string("\(event.moment)")),
                ("attempt", event.data["attempt"] ?? .null),
                ("details", .object(of: details(event))),
                ("device", event.writer.isEmpty ? .null : .string(event.writer)),
                ("entry", .integer(event.position)), ("exam", event.data["exam"] ?? .null),
                ("ip", ip), ("recordedAt", .string("\(event.at)")), ("role", .string(role)),
                ("user", .string(user)),
            ])
            wanted.append((event.moment, event.at, event.position, entry.description))
        }
        wanted.sort { $0.at == $1.at ? $0.position > $1.position : $0.at > $1.at }
        let archives = archives(in: room.events)
        for date in [nil] + archives.keys.sorted() {
            let due = wanted.filter { entry in
                let archive = String("\(entry.recordedAt)".prefix(10))
                let isArchived = entry.position <= archives[archive, default: 0]
                return isArchived ? archive == date : date == nil
            }
            var arguments = ["page": "all"]
            arguments["archive"] = date
            let view = try room.show("audit", nil, arguments)
            let shown = (view["entries"]?.array ?? []).map(\.description)
            if let found = difference(shown, due.map(\.text)) {
                return "archive \(date ?? "none"): \(found)"
            }
        }
        return nil
    }

    /// R51: the dates that are archived, each with the last position that is.
    private static func archives(in events: [PastFact]) -> [String: Int64] {
        var archives: [String: Int64] = [:]
        for event in events where event.type == "examroom.audit.archived" {
            archives[event.text("archive")] = Int64(event.number("toPosition"))
        }
        return archives
    }

    static func actions(_ events: [PastFact]) -> Set<String> {
        Set(events.compactMap { table[$0.type.replacing("examroom.", with: "")]?.action })
    }
}

@Suite struct `The audit trail` {
    @Test(
        "R51, 23.1-23.12: has exactly one entry for every event of an audited type, with all its fields, archived or not",
        arguments: Life.some)
    func isComplete(life: Life) {
        life.expect { try AuditLaw.broken(by: $0) }
    }

    @Test func `is met with most of its actions by the random histories`() {
        var actions: Set<String> = []
        for life in Life.some {
            life.expect { room in
                actions.formUnion(AuditLaw.actions(room.events))
                return nil
            }
        }
        #expect(actions.count >= 26, "met only \(actions.sorted())")
    }
}
