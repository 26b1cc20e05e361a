public import Core

/// Who may send a command: kinds of actor, each anybody of that kind or one person alone.
public struct Senders: Hashable, Sendable {
    private struct Entry: Hashable {
        let kind: Actor.Kind
        /// None for anybody of that kind.
        let id: Symbol?
    }

    private let entries: [Entry]

    private init(_ entries: [Entry]) { self.entries = entries }

    /// Anybody of these kinds.
    public static func any(_ kinds: Actor.Kind...) -> Senders {
        Senders(kinds.map { Entry(kind: $0, id: nil) })
    }

    /// The one actor of that kind with this id; anybody of it while there is none to name.
    public static func one<T>(_ kind: Actor.Kind, _ id: Identifier<T>?) -> Senders {
        Senders([Entry(kind: kind, id: id?.symbol)])
    }

    /// Any student.
    public static var student: Senders { .any(.student) }
    /// An admin or `system`.
    public static var admin: Senders { .any(.admin, .system) }
    /// Any service, whatever its name.
    public static var service: Senders { .any(.service) }

    /// The student who acts for themselves (page, *self*).
    public static func student<T>(_ id: Identifier<T>?) -> Senders { .one(.student, id) }

    /// These senders and those.
    public func or(_ others: Senders) -> Senders { Senders(entries + others.entries) }

    /// The kinds of actor among them, each once; never who they are.
    ///
    /// - Parameter nouns: what a kind is called, and *own* for the one person whose thing it is.
    func words(_ nouns: (String) -> String?) -> [String] {
        entries.map { entry in
            let kind = nouns(entry.kind.rawValue) ?? entry.kind.rawValue
            return entry.id == nil ? kind : "\(kind) (\(nouns("self") ?? "self"))"
        }.eachOnce
    }

    /// What they are, each once.
    public var kinds: [Actor.Kind] { entries.map(\.kind).eachOnce }

    /// Whether the actor is one of the senders.
    public func admit(_ actor: Actor) -> Bool {
        entries.contains { entry in
            entry.kind == actor.kind && (entry.id.map { $0 == actor.id } ?? true)
        }
    }
}

extension Array where Element: Equatable {
    /// Without what stood before already.
    fileprivate var eachOnce: [Element] {
        reduce(into: []) { kept, element in if !kept.contains(element) { kept.append(element) } }
    }
}
