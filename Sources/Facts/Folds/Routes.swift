package import Events

/// Which handler folds which event type into a state: a table of closures, indexed by type.
///
/// An event without a route costs one look-up. Measured against an enum of all events and against
/// `as?`, see ADR 0005.
package struct Routes<State>: Sendable {
    package typealias Handler = @Sendable (State, Circumstances, UInt16, inout BinaryReader) -> Bool

    private var handlers: [String: Handler] = [:]
    /// The wire names that have a route, each with the schema its handler reads.
    package private(set) var schemas: [String: String] = [:]

    package init() {}

    /// Folds events of type `P` with `handle`.
    package mutating func on<P: Payload>(
        _ type: P.Type, _ handle: @escaping @Sendable (State, P, Circumstances) -> Void
    ) {
        schemas[P.type] = "\(P.version)\(P.schema)"
        handlers[P.type] = { state, event, version, reader in
            guard let fact = P.decode(version: version, from: &reader) else { return false }
            handle(state, fact, event)
            return true
        }
    }

    package func handler(of type: String) -> Handler? { handlers[type] }
}
