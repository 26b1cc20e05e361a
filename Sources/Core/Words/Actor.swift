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
        symbol = names.intern(text)
        if text == Kind.system.rawValue {
            kind = .system
            id = .none
            return
        }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])), kind != .system,
            IdentifierForm.accepts(String(parts[1]))
        else { return nil }
        self.kind = kind
        id = names.intern(String(parts[1]))
    }
}
