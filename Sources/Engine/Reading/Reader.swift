import EventLog
import Core
import Projections

/// Answers questions: read models now, as they were, and as they are stored.
final class Reader {
    let journal: Journal
    let registry: Registry
    private var store: StoredState?
    let maker: StateMaker
    /// None has the products of another alone.
    private(set) var sessions: [Session] = []
    /// How far behind, in events, a stored state may be to be folded on for a question to another product.
    private let near: UInt64
    /// Or the others are not opened at all.
    private let opensAskedAlone: Bool
    private let observation: Observation
    /// Shared by all readers of an engine.
    private let pasts: KeptPasts

    init(
        store: StoredState?, maker: StateMaker, pasts: KeptPasts, near: UInt64 = 1 << 16,
        opensAskedAlone: Bool = false
    ) {
        self.near = near
        self.opensAskedAlone = opensAskedAlone
        journal = maker.journal
        registry = maker.registry
        self.store = store
        self.maker = maker
        self.pasts = pasts
        observation = maker.observation
    }

    /// The newest stored views that folded state lies on; zero where there is none.
    var storedPosition: Position { sessions.map(\.lastStored).max() ?? .zero }

    // MARK: Asking a model

    /// The document, and how many events were folded anew for it.
    func show(
        _ model: String, _ key: String?, _ request: ShowRequest, looks: Looks? = nil,
        progress: (Progress) throws -> Void = { _ in }
    ) throws -> (document: Document, events: UInt64) {
        let description = try check(model, key, request.arguments)
        let snapshot = try journal.snapshot()
        let hidden = try request.viewer.map {
            try self.hidden(description, key, request.arguments, from: $0, snapshot)
        }
        let asked = Asked(request, snapshot)
        let question = Question(model: description, key: key ?? "")
        let through = asked.scope.through
        func tell(_ position: Position) throws {
            try progress(Progress(done: position.number, total: through.number, what: "folding"))
        }
        var found = try asking(question, asked.scope, snapshot, tell) {
            session, before -> (document: Document, events: UInt64) in
            let answer = Answering(
                session: session, snapshot: snapshot, scope: asked.scope, maker: maker)
            var document = try answer.document(
                model, key: question.key, request.arguments,
                now: asked.now ?? answer.lastInstant(), notesOrder: request.notesOrder,
                looks: looks)
            if let hidden, !hidden.isEmpty { document = try document.hiding(hidden) }
            document.position = through
            let events = isPast(asked.scope, snapshot) ? session.foldedEvents - before : 0
            return (document: document, events: events)
        }
        found.document = try seen(found.document, of: model, by: request.viewer)
        return found
    }

    struct Question {
        let model: ModelDescription
        let key: String
    }

    /// The last event that the document rests on, of those that count: of its basis, else of all.
    func lastEvent(
        under model: String, _ key: String?, _ request: ShowRequest
    ) throws -> (position: Position, at: Instant)? {
        let description = try check(model, key, request.arguments)
        let snapshot = try journal.snapshot()
        let scope = Asked(request, snapshot).scope
        let session = try present(snapshot, registry.products(of: [description]))
        var last: (position: Position, at: Instant)?
        let positions: [Position]? = try session.lookingUp {
            // Shared models look at the history alone.
            guard let basis = description.basis, !description.product.isEmpty else { return nil }
            return try BasisSearch.positions(
                of: basis, key: key ?? "", product: description.product, session, snapshot, scope,
                limit: .max)
        }
        if let positions {
            try snapshot.forEachEvent(at: positions.suffix(1)) { event, _ in
                last = (event.position, event.at)
                return false
            }
        } else {
            try snapshot.forEachEvent(through: scope.through, reversed: true) { event, _ in
                if scope.counts(event) { last = (event.position, event.at) }
                return last == nil
            }
        }
        return last
    }

    /// All models, shared and of every product, by name.
    func models() throws -> [ModelInfo] {
        let snapshot = try journal.snapshot()
        let session = try present(snapshot, registry.products)
        let models = try session.lookingUp {
            registry.models.map { description in
                let runtime = session.runtime(with: description.name)
                return ModelInfo(
                    name: description.name, key: description.key, question: description.question,
                    arguments: description.arguments,
                    keys: description.key == nil ? nil : runtime?.keys(of: description.name).count,
                    position: session.position)
            }
        }
        try session.checkFaults()
        return models
    }

    func keys(of model: String) throws -> [String] {
        guard let description = registry.model(model) else { return [] }
        let snapshot = try journal.snapshot()
        let session = try present(snapshot, registry.products(of: [description]))
        let answering = Answering(
            session: session, snapshot: snapshot,
            scope: Scope(through: snapshot.head.position), maker: maker)
        let keys = try session.lookingUp { try answering.keys(of: description) }
        try session.checkFaults()
        return description.key == nil ? [] : keys.sorted { $0.precedes($1) }
    }

    func samples(of model: String, key: String) throws -> [[String: String]] {
        try asking(model) { $0.samples(of: model, key: key) } ?? [[:]]
    }

    /// Asks the present state of a model's product; nil for a shared one.
    private func asking<R>(_ model: String, _ body: (any ProductRuntime) -> R) throws -> R? {
        let products = registry.products.filter { $0.name == registry.model(model)?.product }
        let session = try present(journal.snapshot(), products)
        let answer = try session.lookingUp { session.runtime(with: model).map(body) }
        try session.checkFaults()
        return answer
    }

    /// The read model, if the question is one that it takes.
    func check(
        _ name: String, _ key: String?, _ arguments: [String: String]
    ) throws -> ModelDescription {
        try registry.model(named: name, taking: key, arguments)
    }

    // MARK: Sessions

    /// Fewer events count than the stored state holds.
    private func isPast(_ scope: Scope, _ snapshot: JournalSnapshot) -> Bool {
        !scope.isWhole || scope.through < snapshot.head.position
    }

    /// Calls `body` with a state that answers the question as the state with exactly the events that count does, and how many
    /// events that had folded before.
    private func asking<R>(
        _ question: Question, _ scope: Scope, _ snapshot: JournalSnapshot,
        _ progress: (Position) throws -> Void, _ body: (Session, UInt64) throws -> R
    ) throws -> R {
        guard isPast(scope, snapshot) else {
            return try body(try present(snapshot, registry.products(of: [question.model])), 0)
        }
        if let basis = question.model.basis {
            let session = try Session(
                journal: journal, registry: registry, store: nil, snapshot: snapshot,
                observation: observation)
            let limit = scope.through.number / Self.scattered
            if try fold(basis, of: question, scope, snapshot, into: session, limit: limit) {
                return try body(session, 0)
            }
        }
        let products = registry.products(of: [question.model])
        // Who asks for timers asks what the clock came to.
        guard scope.isWhole, products.count == 1 else {
            return try body(
                try maker.past(snapshot, scope, of: products, progress: progress), 0)
        }
        return try askingNear(products, scope.through, snapshot, in: pasts, progress, body)
    }

    /// Calls `body` with the products' state as of a position: with one that is kept, else one that is made and kept.
    func askingNear<R>(
        _ products: [Product], _ position: Position, _ snapshot: JournalSnapshot,
        in pasts: KeptPasts, _ progress: (Position) throws -> Void,
        _ body: (Session, UInt64) throws -> R
    ) throws -> R {
        var state = pasts.take(products.map(\.name), asOf: position)
        if let kept = state, try !kept.isStillRight(snapshot) { state = nil }
        let before = state?.foldedEvents ?? 0
        let near =
            try state
            ?? KeptPast(maker, snapshot, products, asOf: position, for: pasts, progress: progress)
        let result = try near.answer(asOf: position, snapshot, progress: progress) {
            try body($0, before)
        }
        pasts.giveBack(near)
        return result
    }

    /// An event read by its position costs about as much as this many read in a row.
    static let scattered: UInt64 = 16

    /// Folds what the basis finds; false, with nothing folded, when it finds more than `limit` events.
    func fold(
        _ basis: Basis, of question: Question, _ scope: Scope, _ snapshot: JournalSnapshot,
        into session: Session, limit: UInt64
    ) throws -> Bool {
        try session.lookingUp {
            let positions = try BasisSearch.positions(
                of: basis, key: question.key, product: question.model.product, session, snapshot,
                scope, limit: limit)
            guard let positions else { return false }
            try session.fold(at: positions, snapshot, counting: scope.counts)
            return true
        }
    }

    /// How many events each process folds anew rather than stores.
    private static let saveEvery: UInt64 = 512

    /// The present state of these products, kept for the next question and stored for the next process.
    func present(_ snapshot: JournalSnapshot, _ products: [Product]) throws -> Session {
        sessions.removeAll(where: \.isSuperseded)
        let index = sessions.firstIndex { $0.has(products) }
        let session =
            try index.map { sessions.remove(at: $0) } ?? opened(snapshot, products)
        // What fails is gone.
        try session.catchUp(snapshot)
        // A store that cannot be written to, or is being written, costs the next reader some time; so
        // do a few events more or less, and storing them costs this one a flush.
        if session.unsaved >= Self.saveEvery {
            _ = observation.attempt(.storeViews) { try session.save(snapshot) }
        }
        if index == nil { sessions.removeAll { session.has($0.products) } }
        sessions.append(session)
        return session
    }

    private func opened(_ snapshot: JournalSnapshot, _ products: [Product]) throws -> Session {
        func open(_ store: StoredState?) throws -> Session {
            try Session(
                journal: journal, registry: registry, store: store, snapshot: snapshot,
                of: opensAskedAlone ? products : nil, needing: products, orWithin: near,
                observation: observation)
        }
        return try maker.opened(snapshot, store, open)
    }

    /// A state of its own, of these products or all, folded from the first event on: by some threads, where the events
    /// are of several products.
    static func folded(
        _ journal: Journal, _ registry: Registry, _ snapshot: JournalSnapshot, _ scope: Scope,
        of products: [Product]? = nil, groups: [[Product]]? = nil,
        overflow: (@Sendable ([any ProductRuntime]) -> StateOverflow)? = nil,
        observation: Observation = .none,
        progress: (Position) throws -> Void = { _ in }
    ) throws -> Session {
        let groups =
            try groups
            ?? ProductShares(
                snapshot, scope.through, of: products ?? registry.products, registry
            ).groups(for: Processors.count)
        let through = min(scope.through, snapshot.head.position)
        let scan = groups.count > 1 ? SharedScan(visitors: groups.count) : nil
        @Sendable func folded(
            _ products: [Product], _ snapshot: JournalSnapshot,
            _ progress: (Position) throws -> Void
        ) throws -> Session {
            let session = try Session(
                journal: journal, registry: registry, store: nil, snapshot: snapshot,
                of: products, observation: observation)
            if let overflow { session.overflows = [overflow(session.runtimes)] }
            do {
                try session.catchUp(
                    snapshot, through: through, sharing: scan, counting: scope.filter,
                    progress: progress)
            } catch {
                session.dropOverflow()
                throw error
            }
            return session
        }
        let others = groups.dropFirst().map { products in
            { @Sendable () throws in
                try scan.visiting {
                    UncheckedTransfer(try folded(products, try journal.snapshot()) { _ in })
                }
            }
        }
        let (further, session) = try concurrently(others) {
            try scan.visiting { try folded(groups.first ?? [], snapshot, progress) }
        }
        for other in further { session.takeOver(other.value) }
        return session
    }

    func forget() {
        sessions = []
    }

    /// Lets go of what lies on older stored views: it keeps their pages from being used again.
    func forget(olderThan stored: Position) {
        // What was folded from the first event on keeps none, and would have to be folded again.
        sessions.removeAll { $0.lastStored > .zero && $0.lastStored < stored }
    }

    /// What is damaged can be made again from the journal; where nothing can be written, the
    /// journal alone answers.
    func forgetStored(_ damage: JournalError) {
        observation.failed(.readViews, damage)
        sessions = []
        do {
            try store?.reset()
        } catch {
            observation.failed(.openViews, error)
            store = nil
        }
    }
}

/// A request with its moments looked up.
struct Asked {
    let scope: Scope
    let now: Instant?

    init(_ request: ShowRequest, _ snapshot: JournalSnapshot) {
        var scope = Scope(through: snapshot.head.position)
        var now: Instant?
        switch request.asOf {
        case .position(let position): scope.through = min(position, scope.through)
        case .instant(let instant):
            scope.happenedBy = instant
            now = instant
        case nil: break
        }
        scope.knownBy = request.knownAt
        self.scope = scope
        self.now = request.now ?? now
    }
}

extension SharedScan? {
    /// Runs one visitor; if that fails, nobody waits for it.
    fileprivate func visiting<R>(_ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch {
            self?.fail(error)
            throw error
        }
    }
}
