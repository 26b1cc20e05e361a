public import Core
public import Folding

/// The ids that a question or an event names, by what they are ids of: `student`, `attempt`.
public struct NamedIDs: Sendable {
    private var ids: [String: [String]] = [:]

    public init() {}

    mutating func add(_ id: String, as kind: String) {
        ids[kind, default: []].append(id)
    }

    /// The ids of one kind.
    public subscript(kind: String) -> [String] { ids[kind] ?? [] }

    /// Those of several kinds.
    public subscript(kinds: String...) -> [String] { kinds.flatMap { self[$0] } }
}

/// Who may see something: the parties of a product's page (contract, README.md, Who may see what).
///
/// `system` runs the engine and sees everything. By default nobody else does.
public struct Audience<State: FoldedState>: Sendable {
    private struct Party: Sendable {
        /// As the page calls it.
        let name: String
        let admits: @Sendable (Viewer, NamedIDs, State) -> Bool
    }

    private let parties: [Party]

    private init(_ parties: [Party]) { self.parties = parties }

    /// A party that depends on what is named and what is so.
    public static func party(
        _ name: String, _ admits: @escaping @Sendable (Viewer, NamedIDs, State) -> Bool
    ) -> Audience {
        Audience([Party(name: name, admits: admits)])
    }

    private static func kind(_ kind: Actor.Kind, _ name: String) -> Audience {
        party(name) { viewer, _, _ in viewer.kind == kind }
    }

    /// One of the persons whom it is about.
    public static func person(
        _ name: String, _ kind: Actor.Kind = .student,
        _ owners: @escaping @Sendable (NamedIDs, State) -> [String]
    ) -> Audience {
        party(name) { viewer, ids, state in
            viewer.kind == kind && owners(ids, state).contains { $0.isExactly(viewer.id) }
        }
    }

    /// Who did it, of an event.
    public static var sender: Audience {
        party("sender") { viewer, ids, _ in ids["sender"].contains(viewer.description) }
    }

    /// `system` alone.
    public static var system: Audience { Audience([]) }
    /// Everyone the product knows.
    public static var anyone: Audience { party("anyone") { _, _, _ in true } }
    /// Every student.
    public static var students: Audience { kind(.student, "students") }
    /// Every coach.
    public static var coaches: Audience { kind(.coach, "coaches") }
    /// Every admin.
    public static var admins: Audience { kind(.admin, "admins") }
    /// Every service.
    public static var services: Audience { kind(.service, "services") }

    /// These parties and those.
    public func or(_ others: Audience) -> Audience { Audience(parties + others.parties) }

    /// The same parties, as long as something is so.
    public func when(
        _ words: String, _ isSo: @escaping @Sendable (NamedIDs, State) -> Bool
    ) -> Audience {
        Audience(
            parties.map { party in
                Party(name: "\(party.name) \(words)") {
                    party.admits($0, $1, $2) && isSo($1, $2)
                }
            })
    }

    /// As the page has it.
    public var text: String {
        parties.isEmpty ? "system" : parties.map(\.name).joined(separator: ", ")
    }

    func admits(_ viewer: Viewer, _ ids: NamedIDs, _ state: State) -> Bool {
        viewer.kind == .system || parties.contains { $0.admits(viewer, ids, state) }
    }
}
