import Dispatch
import EventLog
import Folding
import Synchronization

/// Opens what is stored of an engine's states, and makes them from the first event on, in as much memory as they may take (ADR 0077).
struct StateMaker: Sendable {
    let journal: Journal
    let registry: Registry
    let rebuilds = Rebuilds()
    let limit: MemoryLimit
    let observation: Observation
    /// Nil for the journal's own views.
    private let scratch: ViewStore?
    private let apart = Apart()
    /// Who wants the same state meanwhile waits for it, in place of making another.
    private let turn = DispatchSemaphore(value: 1)

    init(
        _ journal: Journal, _ registry: Registry, _ limit: MemoryLimit, _ observation: Observation
    ) {
        self.journal = journal
        self.registry = registry
        self.limit = limit
        self.observation = observation
        scratch = nil
    }

    private init(_ maker: StateMaker, _ scratch: ViewStore) {
        journal = maker.journal
        registry = maker.registry
        limit = maker.limit
        observation = maker.observation
        self.scratch = scratch
    }

    /// Makes states that are asked or compared and then forgotten, in as little memory; nil of a journal whose states fit, and where
    /// there is no place for them.
    func forgetful(at head: Position) -> StateMaker? {
        guard isLarge(head) else { return nil }
        let scratch = observation.attempt(.storeViews) {
            try ViewStore(scratchOf: journal, in: limit.scratchPath) { [observation] in
                observation.failed(.growViews, $0)
            }
        }
        return scratch.map { StateMaker(self, $0) }
    }

    /// Whether the states of a journal that ends there may not fit in memory.
    func isLarge(_ head: Position) -> Bool { head.number >= limit.leastEvents }

    /// A state of its own, of these products or all, as the events of a scope leave it: to be asked and then forgotten.
    /// - Parameter groups: as of ``Reader/folded(_:_:_:_:of:groups:overflow:observation:progress:)``.
    func past(
        _ snapshot: JournalSnapshot, _ scope: Scope, of products: [Product]? = nil,
        groups: [[Product]]? = nil, progress: (Position) throws -> Void = { _ in }
    ) throws -> Session {
        let session = try Reader.folded(
            journal, registry, snapshot, scope, of: products, groups: groups,
            overflow: overflowingApart(at: snapshot.head.position), observation: observation,
            progress: progress)
        try session.writeOut()
        return session
    }

    /// An empty state for who folds it by himself and decides on it: one session, since a decision makes names.
    func blank(_ snapshot: JournalSnapshot, of products: [Product]) throws -> Session {
        let session = try Session(
            journal: journal, registry: registry, store: nil, snapshot: snapshot, of: products,
            observation: observation)
        if let overflow = overflowingApart(at: snapshot.head.position) {
            session.overflows = [overflow(session.runtimes)]
        }
        return session
    }

    /// An overflow into a file without a name, which is made when rows go there; nil of a journal whose states fit.
    private func overflowingApart(
        at head: Position
    ) -> (@Sendable ([any ProductRuntime]) -> StateOverflow)? {
        guard isLarge(head) else { return nil }
        let apart = Apart()
        return { [self] in
            StateOverflow(of: $0, limit) { [self] in
                try apart.maker { forgetful(at: head) }?.store(isReadOnly: false)
            }
        }
    }

    /// Documents of all kinds are to be made of what is stored: rows are loaded by the table; those of a large journal one by
    /// one, to be let go of in between.
    func prepareForAll(_ session: Session, at head: Position) {
        if isLarge(head) {
            session.limit = limit.fromHere
        } else {
            session.loadWholeTables()
        }
    }

    /// What gives a fold an overflow.
    func overflowing() -> @Sendable ([any ProductRuntime]) -> StateOverflow {
        { [self] in StateOverflow(of: $0, limit) { [self] in try store(isReadOnly: false) } }
    }

    /// The stored views; damaged ones are made anew, missing ones in a read-only place are done without.
    func views(isReadOnly: Bool) throws(EngineError) -> StoredState? {
        do {
            return try store(isReadOnly: isReadOnly)
        } catch {
            observation.failed(.openViews, error)
            if isReadOnly { return nil }
            // What is whole can be opened later: whoever lacks memory, addresses or descriptors takes nothing away.
            guard [.viewsDamaged, .newerFormat, .permission].contains(error.kind) else {
                throw .wrapping(error)
            }
            return try engineErrors {
                try ViewStore.reset(at: journal.path)
                return try store(isReadOnly: false)
            }
        }
    }

    func store(isReadOnly: Bool) throws(JournalError) -> StoredState {
        try StoredState(
            journal: journal, registry: registry, isReadOnly: isReadOnly, in: scratch,
            rebuilds: rebuilds, observation: observation)
    }

    /// Stores the state in place of what is stored; answers where it stands, which is further where others stored a later
    /// one meanwhile. Nil where the stored views cannot be opened.
    func replaceStored(
        by session: Session, _ snapshot: JournalSnapshot
    ) throws -> JournalSnapshot? {
        let store = observation.attempt(.openViews) { try self.store(isReadOnly: false) }
        guard let store else { return nil }
        do {
            return try session.replace(store, snapshot)
        } catch let error as JournalError where error.kind == .viewsDamaged {
            try store.reset()
            return try session.replace(store, snapshot)
        } catch {
            session.dropOverflow()
            throw error
        }
    }

    /// Opens the state as it is stored, by `open`. What nothing is stored of is made first, where the journal is large: as a
    /// rebuild does, in bounded memory and by all processors; where it may not be stored, in a file of its own that lasts as long as
    /// this. What fails leaves it to who opened it, who folds in memory.
    func opened(
        _ snapshot: JournalSnapshot, _ store: StoredState?,
        _ open: (StoredState?) throws -> Session
    ) throws -> Session {
        let session = try open(store)
        guard isLarge(snapshot.head.position), !session.unstored.isEmpty else { return session }
        turn.wait()
        defer { turn.signal() }
        let made = observation.attempt(.storeViews) { () throws -> Session? in
            if let store, !store.isReadOnly { return try whole(store, snapshot, open) }
            guard let maker = apart.maker({ forgetful(at: snapshot.head.position) }) else {
                return nil
            }
            return try maker.whole(maker.store(isReadOnly: true), snapshot, open)
        }
        return try (made ?? nil) ?? open(store)
    }

    private func whole(
        _ store: StoredState, _ snapshot: JournalSnapshot, _ open: (StoredState?) throws -> Session
    ) throws -> Session {
        let present = try open(store)
        // One that is further than the snapshot is there, and of no use for it.
        let further = try store.furtherStored(than: snapshot, present.runtimes)
        let products = present.unstored.filter { !further.contains($0.name) }
        if products.isEmpty { return present }
        try make(products, snapshot)
        return try open(store)
    }

    /// What makes states that may not be stored, once there is any.
    private final class Apart: Sendable {
        private let made = Mutex<StateMaker?>(nil)

        func maker(_ make: () -> StateMaker?) -> StateMaker? {
            made.withLock { made in
                let maker = made ?? make()
                made = maker
                return maker
            }
        }
    }

    /// Makes the states of these products as they are at the snapshot's head, or further, and stores them.
    func make(_ products: [Product], _ snapshot: JournalSnapshot) throws {
        let session = try Reader.folded(
            journal, registry, snapshot, Scope(through: snapshot.head.position), of: products,
            overflow: overflowing(), observation: observation)
        let watch = Stopwatch()
        guard let stored = try replaceStored(by: session, snapshot), scratch == nil else { return }
        observation.tell(
            .storedViews(
                EngineActivity.StoredViews(
                    position: stored.head.position, duration: watch.elapsed)))
    }
}

extension Session {
    /// The products of which nothing is stored that it could go on from.
    var unstored: [Product] {
        let names = zip(runtimes, stored).filter { $1 == .zero }.map(\.0.product)
        return types.registry.products.filter { names.contains($0.name) }
    }
}
