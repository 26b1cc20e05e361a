/// Who acts: `student:ID`, `coach:ID`, `admin:ID`, `service:ID` or `system` (contract, Commands in).
public struct Actor: Hashable, Sendable {
    /// The kinds of actor; each but `system` has an id.
    public enum Kind: String, Sendable, CaseIterable {
        /// As the contract's `by` writes them.
        case student, coach, admin, service, system
    }

    /// What kind of actor it is.
    public let kind: Kind
    /// The id after the colon; none for `system`.
    public let id: Symbol
    /// The whole text, as events carry it.
    public let symbol: Symbol

    public init?(_ text: String, names: Names) {
        guard let (kind, id) = Self.parts(of: text) else { return nil }
        symbol = names.intern(text)
        self.kind = kind
        self.id = id.map { names.intern($0) } ?? .none
    }

    /// Whether a text has the form of an actor.
    public static func accepts(_ text: String) -> Bool { parts(of: text) != nil }

    /// The kind, and the id of all but `system`; nil for a text of another form.
    private static func parts(of text: String) -> (kind: Kind, id: String?)? {
        if text == Kind.system.rawValue { return (.system, nil) }
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")),
            let kind = Kind(rawValue: String(text[..<colon])), kind != .system,
            case let id = String(text[text.utf8.index(after: colon)...]), IdentifierForm.accepts(id)
        else { return nil }
        return (kind, id)
    }
}
