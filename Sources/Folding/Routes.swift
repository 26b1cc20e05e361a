public import Core

/// Which handler folds which event type into a state: a table of closures, indexed by type.
///
/// An event without a route costs one look-up. Measured against an enum of all events and against
/// `as?`, see ADR 0005.
public struct Routes<State>: Sendable {
    /// What folds one event type: a value of its own, since a bare closure would be wrapped anew each
    /// time it is taken out of a dictionary.
    public struct Handler: Sendable {
        /// Folds a payload of the version into the state; false where it cannot be decoded.
        public let fold: @Sendable (State, EventMetadata, UInt16, inout BinaryReader) -> Bool
        /// Whether it looks into the personal part of a payload: opening that ahead of it spares it the time.
        public let opensPersonal: Bool

        @inlinable
        init(
            opensPersonal: Bool = true,
            fold: @escaping @Sendable (State, EventMetadata, UInt16, inout BinaryReader) -> Bool
        ) {
            self.opensPersonal = opensPersonal
            self.fold = fold
        }
    }

    /// What `on` was given, before its type is erased: `also` adds to it without decoding again. Its event need not be known
    /// for a payload: for each that is, the run time would look through all conformances of the program, at every start.
    @usableFromInline
    struct Fold<P>: Sendable {
        @usableFromInline let fold: @Sendable (State, P, EventMetadata) -> Void

        @inlinable
        init(fold: @escaping @Sendable (State, P, EventMetadata) -> Void) {
            self.fold = fold
        }
    }

    @usableFromInline var handlers: [String: Handler] = [:]
    @usableFromInline var folds: [String: any Sendable] = [:]
    /// The types that have a watcher, which nothing may follow any more.
    @usableFromInline var watched: Set<String> = []
    /// The types that handlers read, by wire name.
    public var payloads: [String: any Payload.Type] { readPayloads }
    @usableFromInline var readPayloads: [String: any Payload.Type] = [:]

    public init() {}

    /// Folds events of type `P` with `handle`.
    @inlinable
    public mutating func on<P: Payload>(
        _ type: P.Type, _ handle: @escaping @Sendable (State, P, EventMetadata) -> Void
    ) {
        precondition(!watched.contains(P.type), "\(P.type) is watched: what folds it comes before")
        readPayloads[P.type] = type
        folds[P.type] = Fold(fold: handle)
        handlers[P.type] = Handler { state, metadata, version, reader in
            guard let event = P.decode(version: version, from: &reader) else { return false }
            handle(state, event, metadata)
            return true
        }
    }

    /// Folds events of type `P` with `handle`, which gets their personal part closed where the journal has it so: its fields
    /// read as null then. For what is folded often and read seldom; nothing else may follow it.
    @inlinable
    public mutating func on<P: Payload>(
        _ type: P.Type,
        keepingClosed handle: @escaping @Sendable (State, P, ClosedPart?, EventMetadata) -> Void
    ) {
        precondition(handlers[P.type] == nil, "\(P.type) is folded already")
        readPayloads[P.type] = type
        handlers[P.type] = Handler(opensPersonal: false) { state, metadata, version, reader in
            let part = reader.takeClosedPart()
            guard let event = P.decode(version: version, from: &reader) else { return false }
            handle(state, event, part, metadata)
            return true
        }
    }

    /// Folds events of type `P` with `handle` as well, after what folds them already. The payload is
    /// decoded once. For what a product does after many handlers, listed where its routes are put together.
    @inlinable
    public mutating func also<P: Payload>(
        _ type: P.Type, _ handle: @escaping @Sendable (State, P, EventMetadata) -> Void
    ) {
        guard let former = folds[P.type] as? Fold<P> else {
            precondition(handlers[P.type] == nil, "\(P.type) is kept closed: nothing follows it")
            return on(type, handle)
        }
        on(type) { state, event, metadata in
            former.fold(state, event, metadata)
            handle(state, event, metadata)
        }
    }

    /// What is done with every event of a type, whatever it says.
    public typealias Watcher = @Sendable (State, EventMetadata) -> Void

    /// Shows every event of these types to its watcher, after what folds it; payloads are not decoded
    /// for it. What is static about a type is looked at once, in `watcher`.
    public mutating func watch(
        _ types: [String], with watcher: (_ type: String) -> Watcher?
    ) {
        for type in types {
            guard let watch = watcher(type) else { continue }
            watched.insert(type)
            guard let former = handlers[type] else {
                handlers[type] = Handler(opensPersonal: false) { state, metadata, _, _ in
                    watch(state, metadata)
                    return true
                }
                continue
            }
            handlers[type] = Handler(opensPersonal: former.opensPersonal) {
                state, metadata, version, reader in
                guard former.fold(state, metadata, version, &reader) else { return false }
                watch(state, metadata)
                return true
            }
        }
    }

    /// Folds events of type `P` with `handle`, then does `next`: what a product does after every event of a
    /// kind, such as those of a student. The payload is decoded once for both.
    @inlinable
    public mutating func on<P: Payload>(
        _ type: P.Type, _ handle: @escaping @Sendable (State, P, EventMetadata) -> Void,
        then next: @escaping @Sendable (State, P, EventMetadata) -> Void
    ) {
        on(type) { state, event, metadata in
            handle(state, event, metadata)
            next(state, event, metadata)
        }
    }

    /// What folds events of the type; nil for a type that the state does not look at.
    public func handler(of type: String) -> Handler? { handlers[type] }
}
