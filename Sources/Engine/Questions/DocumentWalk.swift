import Core
import EventLog
import Folding
import Projections

/// One document at ascending positions, from one fold of what it rests on.
final class DocumentWalk {
    private let model: ModelDescription
    private let key: String
    private let arguments: [String: String]
    private let snapshot: JournalSnapshot
    private let session: Session
    private let maker: StateMaker
    /// Members that the viewer does not see.
    private let hidden: [String]
    /// Takes away what the viewer does not see of the events that a document lists.
    private let seen: (Document) throws -> Document
    /// The events that the document rests on, ascending; nil where that is every event, or nearly.
    let basis: [Position]?
    /// A shared model that looks at the history alone: every event may change it, and none is folded for it.
    let needsNoState: Bool
    /// How many of the basis are folded.
    private var folded = 0
    /// Whether the documents say in which order their page lists their members.
    var notesOrder = false

    init(
        _ reader: Reader, _ question: DocumentQuestion, _ snapshot: JournalSnapshot,
        through last: Position
    ) throws {
        let model = try reader.check(question.model, question.key, question.arguments)
        let key = question.key ?? ""
        hidden =
            try question.viewer.map {
                try reader.hidden(model, question.key, question.arguments, from: $0, snapshot)
            } ?? []
        let viewer = question.viewer
        seen = { try reader.seen($0, of: model.name, by: viewer) }
        let product = reader.registry.products.filter { $0.name == model.product }
        let session = try reader.maker.blank(
            snapshot, of: product.isEmpty ? reader.registry.products : product)
        needsNoState = model.product.isEmpty && model.basis != nil
        basis = try (model.product.isEmpty ? nil : model.basis).flatMap { basis in
            try session.lookingUp {
                try BasisSearch.positions(
                    of: basis, key: key, product: model.product, session, snapshot,
                    Scope(through: last), limit: max(64, last.number / Reader.scattered))
            }
        }
        self.model = model
        self.key = key
        self.session = session
        self.snapshot = snapshot
        maker = reader.maker
        arguments = question.arguments
    }

    /// The document as of a position, which is not before the one that was asked for last.
    func document(asOf position: Position, now: Instant) throws -> Document {
        if let basis {
            let end = basis[folded...].firstIndex { $0 > position } ?? basis.endIndex
            if end > folded {
                try session.lookingUp {
                    try session.fold(at: Array(basis[folded..<end]), snapshot) { _ in true }
                }
                folded = end
            }
        } else if !needsNoState {
            try session.catchUp(snapshot, through: position)
        }
        let document = try Answering(
            session: session, snapshot: snapshot, scope: Scope(through: position), maker: maker
        ).document(model.name, key: key, arguments, now: now, notesOrder: notesOrder)
        return try seen(hidden.isEmpty ? document : try document.hiding(hidden))
    }
}

extension DocumentWalk {
    /// The events at these ascending positions as the journal lists them.
    func events(at positions: [Position]) throws -> [Document] {
        let history = JournalHistory(
            snapshot: snapshot, types: session.types, keys: session.persons.keys,
            names: session.names, scope: Scope(through: snapshot.head.position),
            faults: TableSpace())
        return try session.lookingUp { try history.documents(at: positions) }
    }
}

extension JournalSnapshot {
    /// Nobody can say what is so as of a position that is not reached yet.
    func checkReached(_ position: Position) throws(EngineError) {
        guard position <= head.position else {
            throw EngineError(.pastTheEnd(position, last: head.position))
        }
    }

    /// When the events at these ascending positions happened.
    func instants(at positions: [Position]) throws -> [Instant] {
        var instants: [Instant] = []
        instants.reserveCapacity(positions.count)
        try forEachEvent(at: positions) { event, _ in
            instants.append(event.at)
            return true
        }
        return instants
    }

    /// When the event at a position happened: the present of what is asked as of then.
    func instant(at position: Position) throws -> Instant {
        try instants(at: position > .zero ? [position] : []).first ?? .epoch
    }
}
