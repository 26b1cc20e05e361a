public import Core

/// Who may see the read models and events of no product (shared page, Who may see what).
public enum SharedAudience {
    /// `system` may see all of them.
    private static let kinds: [(name: String, kinds: [Actor.Kind])] = [
        ("audit.log", [.admin]),
        ("audit.rejections", [.admin]),
        ("audit.subject", [.admin]),
        ("journal.summary", [.admin, .service]),
        ("person.timeline", [.admin]),
        ("timers.pending", [.admin]),
        (AccountErased.type, [.admin]),
    ]

    /// Whether a viewer may see what every product has: a read model or an event type.
    public static func maySee(_ name: String, _ viewer: Viewer) -> Bool {
        viewer.kind == .system
            || kinds.contains { $0.name.isExactly(name) && $0.kinds.contains(viewer.kind) }
    }

    /// Whether a read model lists events with all that they say: who sees its documents sees of each event what they may see of
    /// the event itself.
    public static func listsWholeEvents(_ model: String) -> Bool {
        model.isExactly(SharedReadModel.auditSubject.name)
    }

    /// Whether it is asked for what events say, and so tells what they hide.
    public static func looksIntoEvents(_ model: String, _ arguments: [String: String]) -> Bool {
        model.isExactly(SharedReadModel.auditLog.name) && arguments["text"] != nil
    }

    /// The lines of the page.
    public static var lines: [String] {
        kinds.map { entry in
            "| `\(entry.name)` | \(entry.kinds.map { "\($0.rawValue)s" }.joined(separator: ", ")) |  |"
        }
    }
}
