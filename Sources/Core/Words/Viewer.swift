/// Who asks, where what they may see depends on it: an actor, by the text that commands name one with.
public struct Viewer: Hashable, Sendable, CustomStringConvertible {
    /// What they are.
    public let kind: Actor.Kind
    /// The id after the colon; empty for `system`.
    public let id: String

    /// `student:ID`, `coach:ID`, `admin:ID`, `service:ID` or `system`; nil for anything else.
    public init?(_ text: String) {
        if text == Actor.Kind.system.rawValue {
            kind = .system
            id = ""
            return
        }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let kind = Actor.Kind(rawValue: String(parts[0])), kind != .system,
            IdentifierForm.accepts(String(parts[1]))
        else { return nil }
        self.kind = kind
        id = String(parts[1])
    }

    /// The actor's text.
    public var description: String { kind == .system ? kind.rawValue : "\(kind.rawValue):\(id)" }
}
