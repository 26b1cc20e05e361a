import Core
import EventLog
import Projections
import Proofs

/// Every document of some read models, as they are digested (ADR 0031): first all of them, then each that what came since may
/// have changed.
///
/// Whoever keeps copies of the documents, such as tables of a database, goes along with it: ``catchUp()``, then ``changes(of:_:)``
/// of every model, then ``finish()``. For one thread at a time.
package final class DocumentFeed {
    /// Up to where the documents of a step take everything in.
    package struct Step: Sendable {
        package let position: Position
        /// The `at` of the last event: the present that the documents are asked at.
        package let at: Instant
        /// Somebody's personal values read null from here on, wherever they stand.
        package let isErasure: Bool
    }

    /// A document that says something else than the copy of it.
    package struct Change: Sendable {
        /// The key, with the arguments of the document behind it, as the line of a digest has it.
        package let name: String
        /// Nil where there is none of this name any more.
        package let document: Document?
        /// What a digest's line says of the document, in hex; empty where there is none.
        package let digest: String
    }

    /// What is known of a document whose copy is kept.
    private struct Row {
        var digest: [UInt8]
        /// Something may have changed it since it was made.
        var isStruck = true
        /// Any event of its product may change it.
        var restsOnProduct = false
        /// Any event at all may change it, or the present does.
        var restsOnJournal = false
        /// The last step that it was there in.
        var step = 0
    }

    private final class Model {
        let description: ModelDescription
        /// The numbers of its documents, by name.
        var rows: [String: Int] = [:]
        /// Every key is to be gone through.
        var isStruck = true
        /// The present changes some of them.
        var hasPresent = false

        init(_ description: ModelDescription) {
            self.description = description
        }
    }

    private let engine: EventEngine
    private var session: Session?
    private var models: [String: Model] = [:]
    private var rows: [Row] = []
    /// The documents that hang on a place; some may not any more.
    private var striking: [String: Set<Int>] = [:]
    private var number = 0
    private var position = Position.zero
    /// While a step goes on.
    private var answering: Answering?
    private var now = Instant.epoch
    /// The products of the events of this step; nil for all.
    private var touched: Set<String>?

    /// More places than this are not worth keeping with a document.
    private static let mostPlaces: UInt64 = 4096
    /// More events than this are not looked at one by one: all documents are made again.
    private static let mostEvents: UInt64 = 200_000

    /// Behind so many events it is looked whether others stored a later state.
    private static let mostUnsaved: UInt64 = 8192

    /// - Parameters:
    ///   - names: of read models of products.
    ///   - position: where the copies stand that are there already.
    package init(
        _ engine: EventEngine, models names: [String], after position: Position
    ) throws(EngineError) {
        self.engine = engine
        self.position = position
        for name in names {
            models[name] = Model(try Self.description(name, engine))
        }
    }

    private static func description(
        _ name: String, _ engine: EventEngine
    ) throws(EngineError) -> ModelDescription {
        guard let description = engine.registry.model(name) else {
            throw engine.registry.unknownModel(name)
        }
        guard !description.product.isEmpty else {
            throw EngineError(
                .wrongUse,
                "\(name) is a question to the whole journal, and has no documents to keep; name others"
            )
        }
        return description
    }

    /// What a stored state of the model hangs on: its product's fold, and what its events hold.
    package func fingerprint(of model: String) throws(EngineError) -> [UInt8] {
        try engine.whileOpen {
            let snapshot = try engine.journal.snapshot()
            return try opened(snapshot).runtime(with: model)?.fingerprint ?? []
        }
    }

    /// A copy is there already: it is made again, and is a change where it differs.
    package func know(_ name: String, of model: String, digest: String) {
        models[model]?.rows[name] = rows.count
        rows.append(Row(digest: Hex.bytes(digest) ?? []))
    }

    private func opened(_ snapshot: JournalSnapshot) throws -> Session {
        if let session, !session.isSuperseded { return session }
        session = nil
        let store = engine.observation.attempt(.openViews) {
            try StoredState(
                journal: engine.journal, registry: engine.registry, isReadOnly: true,
                observation: engine.observation)
        }
        let made = try Session(
            journal: engine.journal, registry: engine.registry, store: store, snapshot: snapshot,
            observation: engine.observation)
        if engine.maker.isLarge(snapshot.head.position) {
            made.limit = engine.maker.limit.fromHere
        }
        session = made
        return made
    }

    // MARK: A step

    /// Takes in what came since; the first time, everything.
    package func catchUp() throws(EngineError) -> Step {
        try engine.whileOpen {
            let snapshot = try engine.journal.snapshot()
            let head = snapshot.head.position
            let isErasure = try strike(snapshot)
            let session = try opened(snapshot)
            try session.catchUp(snapshot)
            // The views that others store grow as long as somebody stands on former ones.
            if session.unsaved >= Self.mostUnsaved {
                _ = engine.observation.attempt(.storeViews) { try session.save(snapshot) }
            }
            if number == 0, session.limit == nil { session.loadWholeTables() }
            number += 1
            let answering = Answering(
                session: session, snapshot: snapshot, scope: Scope(through: head),
                maker: engine.maker)
            now = try answering.lastInstant()
            self.answering = answering
            position = head
            return Step(position: head, at: now, isErasure: isErasure)
        }
    }

    /// Whether there is something to take in.
    package var isBehind: Bool {
        get throws(EngineError) {
            try engine.whileOpen { try engine.journal.head().position > position || number == 0 }
        }
    }

    /// Lets go of the journal's pages until the next step.
    package func finish() {
        answering = nil
    }

    /// Marks what the events behind `position` may have changed; whether somebody was erased.
    private func strike(_ snapshot: JournalSnapshot) throws -> Bool {
        let head = snapshot.head.position
        touched = []
        guard head > position || number == 0 else { return false }
        let types = try JournalTypes(snapshot.types(), engine.registry)
        let isErasure = try engine.registry.keyDestroying.flatMap { types.numbers(matching: $0) }
            .contains { number in
                try !snapshot.positions(
                    of: .type, UInt32(number), from: position + 1, limit: 1
                ).isEmpty
            }
        if number == 0 || isErasure || head.number > position.number + Self.mostEvents {
            strikeAll()
            return isErasure
        }
        let names = Names(
            source: JournalSymbols(engine.journal), stored: snapshot.head.symbolCount)
        var places: Set<String> = []
        try snapshot.forEachEvent(from: position + 1, through: head) { event, _ in
            places.insert(Place.stream(names.text(event.stream)))
            for tag in event.tags { places.insert(Place.tag(names.text(tag))) }
            if let type = types[event.type]?.payload {
                places.insert(Place.type(type.name))
                touched?.insert(type.product)
            }
            return true
        }
        if let fault = names.fault { throw fault }
        for place in places {
            for row in striking.removeValue(forKey: place) ?? [] { rows[row].isStruck = true }
        }
        return false
    }

    private func strikeAll() {
        touched = nil
        striking = [:]
        for index in rows.indices { rows[index].isStruck = true }
        for model in models.values { model.isStruck = true }
    }

    // MARK: Changes

    /// Goes through the documents of a model that are not what was kept of them; what `body` throws ends it.
    package func changes(
        of name: String, _ body: (Change) throws -> Void
    ) throws(EngineError) {
        try engine.whileOpen {
            guard let answering, let model = models[name] else { return }
            let isTouched = touched?.contains(model.description.product) ?? true
            guard isTouched || model.isStruck || model.hasPresent else { return }
            var count = 0
            for (document, key, arguments) in try named(model.description, answering) {
                let index = model.rows[document] ?? rows.count
                if index == rows.count {
                    rows.append(Row(digest: []))
                    model.rows[document] = index
                }
                rows[index].step = number
                let row = rows[index]
                guard row.isStruck || row.restsOnJournal || row.restsOnProduct && isTouched else {
                    continue
                }
                if count % Answering.relieving == 0 { answering.session.relieve() }
                count += 1
                let made = try make(model.description, key, arguments, answering)
                note(made, index)
                if made.looks.atPresent || made.looks.atJournal { model.hasPresent = true }
                let digest = Answering.lineDigest(of: made.document)
                if rows[index].digest != digest {
                    rows[index].digest = digest
                    try body(
                        Change(name: document, document: made.document, digest: Hex.text(digest)))
                }
            }
            for (document, index) in model.rows where rows[index].step != number {
                model.rows[document] = nil
                try body(Change(name: document, document: nil, digest: ""))
            }
            model.isStruck = false
        }
    }

    private func named(
        _ model: ModelDescription, _ answering: Answering
    ) throws -> [(name: String, key: String, arguments: [String: String])] {
        guard model.key != nil else { return [("", "", [:])] }
        let runtime = answering.session.runtime(with: model.name)
        return (runtime?.keys(of: model.name) ?? []).flatMap { key in
            (runtime?.samples(of: model.name, key: key) ?? []).map {
                (Answering.lineName(key, $0), key, $0)
            }
        }
    }

    private typealias Made = (document: Document, looks: Looks, places: Set<String>?)

    private func make(
        _ model: ModelDescription, _ key: String, _ arguments: [String: String],
        _ answering: Answering
    ) throws -> Made {
        let looks = Looks()
        let document = try answering.document(
            model.name, key: key, Answering.lineArguments(model, arguments), now: now,
            withRoot: false, looks: looks)
        var places: Set<String>?
        if let basis = model.basis, !looks.atJournal, !looks.atPresent {
            places = try answering.session.lookingUp {
                try BasisSearch.places(
                    of: basis, key: key, product: model.product, answering.session,
                    answering.snapshot, answering.scope, limit: Self.mostPlaces)
            }
        }
        return (document, looks, places)
    }

    private func note(_ made: Made, _ index: Int) {
        rows[index].isStruck = false
        rows[index].restsOnJournal = made.looks.atPresent || made.looks.atJournal
        rows[index].restsOnProduct = made.places == nil
        for place in made.places ?? [] { striking[place, default: []].insert(index) }
    }
}

extension EventEngine {
    /// The read models of the products, by name: those that have documents to keep.
    package var documentModels: [String] {
        registry.models.filter { !$0.product.isEmpty }.map(\.name)
    }

    /// Root of the tree (RFC 6962) over the first events, in hex: two journals that have the same root hold the same events.
    package func root(through position: Position) throws(EngineError) -> String {
        try whileOpen {
            let root = try JournalTree(journal, registry, journal.snapshot()).root(
                size: Int(position.number))
            return Hex.text(root.bytes)
        }
    }

    /// What `body` makes of every document of some models as of a position, by model and by the name that a digest's line gives
    /// the document.
    package func documents<Made>(
        of names: [String], through position: Position, _ body: (Document) -> Made
    ) throws(EngineError) -> [String: [String: Made]] {
        try whileOpen {
            let head = try journal.head().position
            let models = try ComparedModels(registry, names)
            let state = try comparedState(models.products, through: position, of: head)
            let answering = Answering(
                session: state.session, snapshot: state.snapshot, scope: state.scope, maker: maker)
            let now = try answering.lastInstant()
            var made: [String: [String: Made]] = [:]
            for model in models.models {
                for (name, document) in try answering.documents(of: model, now: now) {
                    made[model.name, default: [:]][name] = body(document)
                }
            }
            return made
        }
    }

    /// What a line of a digest says of a document, in hex.
    package static func lineDigest(of document: Document) -> String {
        Hex.text(Answering.lineDigest(of: document))
    }
}

extension EventEngine {
    /// The last event's position.
    package func position() throws(EngineError) -> Position {
        try whileOpen { try journal.head().position }
    }

    /// 32 hexadecimal digits, made when the journal was.
    package var identity: String { journal.identity }
}
