import Engine
import Core
import ExamRoomEvents
import TestSupport

/// What is the same in whichever order batches were merged (ExamRoom R47).
enum Merged {
    /// ExamRoom R47 leaves open what is decided once in the light of the moment; what waits to be synced is each
    /// journal's own.
    private static let leftOpen: Set<String> = [
        "audit.log", "audit.subject", "audit.rejections", "person.timeline", "journal.summary",
        "timers.pending", "examroom.audit",
        "examroom.inbox", "examroom.achievements", "examroom.gamification",
        "examroom.audit-archives", "examroom.sync", "examroom.changes", "examroom.storage",
    ]

    static func documents(of engine: EventEngine) throws -> [String: String] {
        var found: [String: String] = [:]
        for model in try engine.models() where !Self.leftOpen.contains(model.name) {
            for key in try Documents.keys(of: model, engine) {
                var request = ShowRequest()
                request.now = Instant(rfc3339: "2026-03-01T00:00:00Z")
                if model.arguments.contains("page") { request.arguments["page"] = "all" }
                if model.name == "examroom.conflicts" { request.arguments["state"] = "pending" }
                let document = try engine.show(model.name, key: key, request)
                let json = try JSON(parsing: document.bytes)
                found["\(model.name) \(key ?? "")"] = "\(Self.lasting(json, of: model.name))"
            }
        }
        return found
    }

    /// Without positions, the seconds of a mark and the contenders of a conflict.
    private static func lasting(_ json: JSON, of model: String) -> JSON {
        let open: Set<String> =
            switch model {
            case "examroom.policy": ["position"]
            case "examroom.exam-analytics": ["averageSeconds"]
            case "examroom.conflicts": ["contenders", "detectedAt"]
            default: []
            }
        return json.without(open)
    }
}

extension JSON {
    fileprivate func without(_ names: Set<String>) -> JSON {
        switch self {
        case .object(let members):
            .object(
                members.filter { !names.contains($0.name) }
                    .map { JSON.Member(name: $0.name, value: $0.value.without(names)) })
        case .array(let elements): .array(elements.map { $0.without(names) })
        default: self
        }
    }
}
