import Core

/// A command: what somebody wants to be so.
///
///     Command(
///         "examroom.answer.save", id: "c-17", by: .student("S-1"),
///         data: ["attempt": "AT-1", "question": "Q-1", "chosen": ["a"], "seconds": 9])
public struct Command: Sendable {
    /// What is to be done, such as `examroom.attempt.submit`.
    public var type: String
    /// The caller's name for it: the same again is answered, and done once. 1 to 128 characters.
    public var id: String
    /// Who wants it.
    public var by: Sender
    /// When it happens; now if nil.
    public var at: Instant?
    /// The device that it was made on, if that is known.
    public var device: String?
    /// What it says, by the fields of its type.
    public var data: Document.Value

    /// A command of this type.
    public init(
        _ type: String, id: String, by: Sender, at: Instant? = nil, device: String? = nil,
        data: Document.Value = .object([])
    ) {
        self.type = type
        self.id = id
        self.by = by
        self.at = at
        self.device = device
        self.data = data
    }

    /// Its JSON form, without a newline.
    public var line: [UInt8] {
        var members: [(name: String, value: Document.Value)] = [
            ("by", .string("\(by)")), ("command", .string(type)), ("data", data),
            ("id", .string(id)),
        ]
        if let at { members.append(("at", .string("\(at)"))) }
        if let device { members.append(("device", .string(device))) }
        return Document.Value.object(members).canonical
    }
}

/// Who sends a command.
public enum Sender: Sendable, Hashable, CustomStringConvertible {
    /// The system itself.
    case system
    /// A service, by its name.
    case service(String)
    /// Somebody who administers, by their id.
    case admin(String)
    /// A coach, by their id.
    case coach(String)
    /// A student, by their id.
    case student(String)

    /// As commands write it: `student:S-1`.
    public var description: String {
        switch self {
        case .system: "system"
        case .service(let id): "service:\(id)"
        case .admin(let id): "admin:\(id)"
        case .coach(let id): "coach:\(id)"
        case .student(let id): "student:\(id)"
        }
    }
}
