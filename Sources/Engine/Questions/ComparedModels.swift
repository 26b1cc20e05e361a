import Core
import EventLog
import Projections

/// A state whose documents are compared with another's: of the journal, of an earlier position, or of what might have been.
///
/// Belongs to one thread at a time, as its session does.
struct ComparedState {
    let session: Session
    let snapshot: JournalSnapshot
    let scope: Scope
    let maker: StateMaker

    init(
        _ session: Session, _ snapshot: JournalSnapshot, through last: Position, _ maker: StateMaker
    ) {
        self.session = session
        self.snapshot = snapshot
        scope = Scope(through: last)
        self.maker = maker
    }

    var answering: Answering {
        Answering(session: session, snapshot: snapshot, scope: scope, maker: maker)
    }
}

/// Read models whose documents are compared, all of them, as two states have them.
struct ComparedModels {
    let models: [ModelDescription]
    /// Whose state they stand on.
    let products: [Product]
    /// Products of which nothing can differ: their documents are counted, not looked at.
    var untouched: Set<String> = []
    /// Of how many documents it holds is counted.
    var condition: JSONCondition?
    /// What somebody sees in whose name they are compared.
    private let sight: DocumentSight?
    /// The models are those that were asked for by name.
    private let areNamed: Bool

    /// The documents of a model by key, with the arguments of each.
    typealias Documents = [String: [(arguments: [String: String], document: Document)]]

    /// No names: every model of every product.
    init(
        _ registry: Registry, _ names: [String], counting condition: JSONCondition? = nil,
        sight: DocumentSight? = nil
    ) throws {
        let named = try names.map { name in
            guard let model = registry.model(name) else { throw registry.unknownModel(name) }
            return model
        }
        let models = named.isEmpty ? registry.models.filter { !$0.product.isEmpty } : named
        let wanted = Set(models.map(\.product))
        self.models = models
        self.condition = condition
        self.sight = sight
        areNamed = !named.isEmpty
        products = registry.products.filter { wanted.contains("") || wanted.contains($0.name) }
    }

    /// Compares every document of the models, in their order; each side is made on a thread of its own.
    func compare(
        _ old: ComparedState, _ new: ComparedState, now: Instant,
        _ progress: (Progress) throws -> Void = { _ in }
    ) throws -> [ModelComparison] {
        try models.enumerated().map { index, model in
            try progress(
                Progress(done: UInt64(index), total: UInt64(models.count), what: "comparing"))
            if condition == nil, sight == nil, untouched.contains(model.product) {
                return ModelComparison(
                    model: model.name, documents: try old.answering.keys(of: model).count,
                    differing: [], holding: nil)
            }
            let other = UncheckedTransfer((state: old, model: model))
            let documents = try concurrently({ [self] in
                try self.documents(of: other.value.model, other.value.state, now: now)
            }) { try self.documents(of: model, new, now: now) }
            if let sight, areNamed, documents.other.isEmpty, documents.body.isEmpty {
                throw EngineError(.mayNotSee(sight.viewer, model.name))
            }
            return try comparison(
                of: model.name, documents.other, documents.body,
                unknown: (
                    try unknown(documents.other, documents.body, of: model, old, now: now),
                    try unknown(documents.body, documents.other, of: model, new, now: now)
                ))
        }
    }

    /// Those that may be seen, without what is hidden.
    func documents(
        of model: ModelDescription, _ state: ComparedState, now: Instant
    ) throws -> Documents {
        let answering = state.answering
        let runtime = state.session.runtime(with: model.name)
        var documents: Documents = [:]
        for (index, key) in try answering.keys(of: model).enumerated() {
            if index % Answering.relieving == 0 { state.session.relieve() }
            let samples =
                model.key == nil ? [[:]] : runtime?.samples(of: model.name, key: key) ?? [[:]]
            let shown = try shown(of: model, key, samples, answering, now: now)
            if sight == nil || !shown.isEmpty { documents[key] = shown }
        }
        return documents
    }

    private func shown(
        of model: ModelDescription, _ key: String, _ samples: [[String: String]],
        _ answering: Answering, now: Instant
    ) throws -> [(arguments: [String: String], document: Document)] {
        try samples.compactMap { arguments in
            var hidden: [String] = []
            if let sight {
                guard
                    let found = try sight.hidden(model, model.key == nil ? nil : key, arguments)
                else { return nil }
                hidden = found
            }
            let document = try answering.document(model.name, key: key, arguments, now: now)
            let shown = hidden.isEmpty ? document : try document.hiding(hidden)
            return (arguments, try sight?.seen(shown, model) ?? shown)
        }
    }

    /// What a state says to the keys and arguments that another one has alone: null, or a document of what is not known.
    func unknown(
        _ documents: Documents, _ other: Documents, of model: ModelDescription,
        _ state: ComparedState, now: Instant
    ) throws -> Documents {
        let answering = state.answering
        var found: Documents = [:]
        for (key, asked) in other {
            let known = documents[key] ?? []
            let missing = asked.map(\.arguments).filter { arguments in
                !known.contains { $0.arguments == arguments }
            }
            if missing.isEmpty { continue }
            if found.count % Answering.relieving == 0 { state.session.relieve() }
            found[key] = try shown(of: model, key, missing, answering, now: now)
        }
        return found
    }

    /// - Parameter unknown: what the sides say of what the other one has alone; null where they say nothing.
    func comparison(
        of model: String, _ old: Documents, _ new: Documents,
        unknown: (old: Documents, new: Documents)
    ) throws -> ModelComparison {
        let keys = Set(old.keys).union(new.keys).sorted { $0.precedes($1) }
        var differing: [ModelComparison.Differing] = []
        var holding = ModelComparison.Holding(old: 0, new: 0)
        for key in keys {
            let before = old[key] ?? []
            let after = new[key] ?? []
            for sample in Self.samples(before.map(\.arguments) + after.map(\.arguments)) {
                func document(_ unknown: Documents) -> Document {
                    (unknown[key] ?? []).first { $0.arguments == sample }?.document ?? .null
                }
                let found = [before, after].map { documents in
                    documents.first { $0.arguments == sample }?.document
                }
                if let condition {
                    // What is not there does not fulfil anything.
                    func count(_ document: Document?) throws -> Int {
                        guard let document else { return 0 }
                        return try condition.holds(for: JSON(parsing: document.bytes)) ? 1 : 0
                    }
                    holding.old += try count(found[0])
                    holding.new += try count(found[1])
                }
                let (old, new) = (
                    found[0] ?? document(unknown.old), found[1] ?? document(unknown.new)
                )
                guard old != new else { continue }
                differing.append(
                    ModelComparison.Differing(
                        key: key, arguments: sample,
                        difference: try DocumentDifference(from: old, to: new)))
            }
        }
        return ModelComparison(
            model: model, documents: keys.count, differing: differing,
            holding: condition == nil ? nil : holding)
    }

    /// Each once, in the order in which they come.
    private static func samples(_ all: [[String: String]]) -> [[String: String]] {
        var seen: Set<[String: String]> = []
        return all.filter { seen.insert($0).inserted }
    }
}

/// What somebody sees of documents, as it is so at present.
struct DocumentSight: Sendable {
    let viewer: Viewer
    /// Which members of a document stay hidden, by its model, key and arguments; nil where all of it does.
    let hidden: @Sendable (ModelDescription, String?, [String: String]) throws -> [String]?
    /// A model's document, with what they see of the events that it lists.
    let seen: @Sendable (Document, ModelDescription) throws -> Document

    /// What is hidden of a document by either.
    func and(_ other: DocumentSight?) -> DocumentSight {
        guard let other else { return self }
        return DocumentSight(
            viewer: viewer,
            hidden: { [hidden] model, key, arguments in
                guard let here = try hidden(model, key, arguments),
                    let there = try other.hidden(model, key, arguments)
                else { return nil }
                return here + there.filter { !here.contains($0) }
            },
            seen: { [seen] document, model in try other.seen(seen(document, model), model) })
    }
}

extension EventEngine {
    /// Nil for a viewer who sees everything.
    func sight(of viewer: Viewer?) -> DocumentSight? {
        guard let viewer, viewer.kind != .system else { return nil }
        return DocumentSight(
            viewer: viewer,
            hidden: { model, key, arguments in
                try self.readers.read { reader in
                    try reader.sight(
                        of: model, key, arguments, from: viewer, reader.journal.snapshot())
                }
            },
            seen: { document, model in
                try self.readers.read { try $0.seen(document, of: model.name, by: viewer) }
            })
    }

    /// What is so as of a position, folded from the first event on, or taken from the stored views where that is the last one.
    func comparedState(
        _ products: [Product], through last: Position, of head: Position
    ) throws -> ComparedState {
        let snapshot = try journal.snapshot()
        guard last == head, let state = try storedState(snapshot, through: last) else {
            return try foldedState(products, snapshot, through: last)
        }
        maker.prepareForAll(state.session, at: last)
        return state
    }

    /// What is so behind the last event, of all products: for who decides on it, and looks at few rows.
    func presentState() throws -> ComparedState {
        // Others may store a later state between the two looks; a newer look finds that.
        for _ in 0..<2 {
            let snapshot = try journal.snapshot()
            let head = snapshot.head.position
            if let state = try storedState(snapshot, through: head) { return state }
        }
        return try foldedState(at: journal.snapshot())
    }

    /// The same, of what the snapshot has, without what is stored.
    func foldedState(at snapshot: JournalSnapshot) throws -> ComparedState {
        try foldedState(registry.products, snapshot, through: snapshot.head.position)
    }

    /// What is stored was found to be damaged by somebody who reads it for themselves. One of those who answer questions throws it
    /// away as if it had found that, so that what it folds next is stored in its place.
    func forgetStored(_ damage: JournalError) {
        if isReadOnly { return observation.failed(.readViews, damage) }
        _ = observation.attempt(.readViews) { try readers.read { $0.forgetStored(damage) } }
    }

    private func foldedState(
        _ products: [Product], _ snapshot: JournalSnapshot, through last: Position
    ) throws -> ComparedState {
        let session = try maker.blank(snapshot, of: products)
        try session.catchUp(snapshot, through: last)
        try session.writeOut()
        return ComparedState(session, snapshot, through: last, maker)
    }

    /// Nil where nothing of use is stored, or what is stored is found to be damaged.
    private func storedState(
        _ snapshot: JournalSnapshot, through last: Position
    ) throws -> ComparedState? {
        let store = observation.attempt(.openViews) {
            try StoredState(
                journal: journal, registry: registry, isReadOnly: true, observation: observation)
        }
        guard let store else { return nil }
        do {
            let session = try Session(
                journal: journal, registry: registry, store: store, snapshot: snapshot,
                observation: observation)
            guard session.storedPosition > .zero, session.furthest <= last else { return nil }
            try session.catchUp(snapshot, through: last)
            return ComparedState(session, snapshot, through: last, maker)
        } catch let error as JournalError where error.kind == .viewsDamaged {
            forgetStored(error)
            return nil
        }
    }
}
