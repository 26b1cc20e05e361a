public import Core
public import Folding

/// Who may see one read model or the events of one type.
public struct AudienceEntry<State: FoldedState>: Sendable {
    /// What fewer may see: a member of the document or of the event's data, or an argument that asks for more.
    public struct Part: Sendable {
        fileprivate enum Kind: Sendable { case member, argument }

        fileprivate let kind: Kind
        /// Names from the outside in, such as `paper.correct`; what stands in lists needs no sign.
        fileprivate let path: String
        fileprivate let audience: Audience<State>

        /// Null for anybody else.
        public static func member(_ path: String, _ audience: Audience<State>) -> Part {
            Part(kind: .member, path: path, audience: audience)
        }

        /// Who else gives it is refused.
        public static func argument(_ name: String, _ audience: Audience<State>) -> Part {
            Part(kind: .argument, path: name, audience: audience)
        }

        fileprivate var text: String {
            (kind == .argument ? "argument " : "") + "`\(path)`: \(audience.text)"
        }
    }

    public let name: String
    /// What a model's key is the id of.
    fileprivate let noun: String?
    /// The argument that says whose document it is, where the key does not.
    fileprivate let whose: String?
    fileprivate let audience: Audience<State>
    fileprivate let parts: [Part]

    /// The line of a read model.
    public static func model(
        _ model: ReadModel<State>, _ audience: Audience<State>, whose argument: String? = nil,
        _ parts: Part...
    ) -> AudienceEntry {
        AudienceEntry(
            name: model.name, noun: model.key, whose: argument, audience: audience, parts: parts)
    }

    /// The line of an event type.
    public static func event<P: Payload>(
        _ type: P.Type, _ audience: Audience<State>, _ parts: Part...
    ) -> AudienceEntry {
        AudienceEntry(
            name: type.type, noun: nil, whose: nil, audience: audience, parts: parts)
    }

    /// Its line in the page's table.
    fileprivate var line: String {
        let named = whose.map { " (argument `\($0)`)" } ?? ""
        let fewer = parts.map(\.text).joined(separator: "; ")
        return "| `\(name)` | \(audience.text)\(named) | \(fewer) |"
    }

    /// Which members are hidden from the viewer; nil for all of them.
    fileprivate func hidden(
        from viewer: Viewer, _ ids: NamedIDs, _ state: State
    ) -> [String]? {
        guard audience.admits(viewer, ids, state) else { return nil }
        return parts.filter { $0.kind == .member && !$0.audience.admits(viewer, ids, state) }.map(
            \.path)
    }

    /// The same of a question to a model.
    fileprivate func hidden(
        from viewer: Viewer, key: String?, _ arguments: [String: String], _ state: State
    ) -> [String]? {
        var ids = NamedIDs()
        if let noun, let key { ids.add(key, as: noun) }
        if let whose, let value = arguments[whose] { ids.add(value, as: whose) }
        let isRefused = parts.contains { part in
            guard part.kind == .argument, let value = arguments[part.path] else { return false }
            var named = NamedIDs()
            named.add(value, as: part.path)
            return !part.audience.admits(viewer, named, state)
        }
        return isRefused ? nil : hidden(from: viewer, ids, state)
    }
}

/// Who may see what of a product: a line for each read model and each event type, as its page has them.
public struct AudienceTable<State: FoldedState>: Sendable {
    /// A line for each read model.
    public let models: [AudienceEntry<State>]
    /// A line for each event type.
    public let events: [AudienceEntry<State>]
    private let modelsByName: [String: AudienceEntry<State>]
    private let eventsByName: [String: AudienceEntry<State>]
    /// Whether an actor is one of the product's at all, where it knows its people.
    private let knows: @Sendable (Viewer, State) -> Bool

    public init(
        knows: @escaping @Sendable (Viewer, State) -> Bool = { _, _ in true },
        models: [AudienceEntry<State>], events: [AudienceEntry<State>]
    ) {
        self.models = models
        self.events = events
        self.knows = knows
        modelsByName = Dictionary(models.map { ($0.name, $0) }) { first, _ in first }
        eventsByName = Dictionary(events.map { ($0.name, $0) }) { first, _ in first }
    }

    /// The lines of the page.
    public var lines: [String] { (models + events).map(\.line) }

    /// Which members of a read model's document stay hidden; nil where the viewer may not ask it.
    public func hidden(
        ofModel name: String, key: String?, _ arguments: [String: String], from viewer: Viewer,
        _ state: State
    ) -> [String]? {
        guard viewer.kind != .system else { return [] }
        guard knows(viewer, state) else { return nil }
        return modelsByName[name]?.hidden(from: viewer, key: key, arguments, state)
    }

    /// Which members of an event's data stay hidden; nil where the viewer may not see the event.
    public func hidden(
        ofEvent type: String, _ ids: NamedIDs, from viewer: Viewer, _ state: State
    ) -> [String]? {
        guard viewer.kind != .system else { return [] }
        guard knows(viewer, state) else { return nil }
        return eventsByName[type]?.hidden(from: viewer, ids, state)
    }
}
