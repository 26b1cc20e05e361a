public import Core
import EventLog
import Projections

/// What differs in one document between two moments, and which events made it differ.
public struct DocumentComparison: Sendable {
    /// The document at the first moment.
    public let old: Document
    /// The document at the second.
    public let new: Document
    /// What differs between them.
    public let difference: DocumentDifference
    /// The events between the moments that changed the document, oldest first; nil where the document rests on so many that
    /// they were not looked at.
    public let events: [Event]?
}

/// What differs in the documents of one read model between two moments.
public struct ModelComparison: Sendable, Hashable {
    /// The read model's name.
    public let model: String
    /// How many documents there are at either moment.
    public let documents: Int
    /// Those that differ, in order of code point of their keys.
    public let differing: [Differing]

    /// A document that differs.
    public struct Differing: Sendable, Hashable {
        /// Whose, or of what; empty for a model without keys.
        public let key: String
        /// The arguments that it was asked with.
        public let arguments: [String: String]
        /// What differs.
        public let difference: DocumentDifference
    }
}

extension EventEngine {
    /// Compares one document at two moments, each at its own present unless the question names one.
    public func diff(
        _ question: DocumentQuestion, from old: Moment, to new: Moment
    ) throws(EngineError) -> DocumentComparison {
        let found = try read { reader in
            let documents = try [old, new].map { moment in
                var request = ShowRequest()
                request.arguments = question.arguments
                request.now = question.now
                request.asOf = moment
                return try reader.show(question.model, question.key, request).document
            }
            return (documents, try reader.changes(of: question, after: old, through: new))
        }
        return DocumentComparison(
            old: found.0[0], new: found.0[1],
            difference: try DocumentDifference(from: found.0[0], to: found.0[1]),
            events: try found.1.map { positions throws(EngineError) in try events(at: positions) })
    }

    /// Compares every document of the models at two moments, all at the present of the second one.
    ///
    /// No names: every model of every product. Shared models, which tell of the journal itself, are compared where they are named.
    public func diff(
        models names: [String] = [], from old: Position, to new: Position, now: Instant? = nil
    ) throws(EngineError) -> [ModelComparison] {
        try whileOpen {
            let models = try ComparedModels(registry, names)
            let snapshot = try journal.snapshot()
            let head = snapshot.head.position
            let (first, last) = (min(old, new, head), min(max(old, new), head))
            let now = try now ?? snapshot.instant(at: last)
            // Folded once: up to the first moment, and on to the second.
            let session = try Session(
                journal: journal, registry: registry, store: nil, snapshot: snapshot,
                of: models.products, observation: observation)
            var found = try [first, last].map { position in
                try session.catchUp(snapshot, through: position)
                return try models.documents(session, snapshot, Scope(through: position), now: now)
            }
            if old > new { found.reverse() }
            return try models.compare(found[0], found[1])
        }
    }

    /// The events at these positions.
    func events(at positions: [Position]) throws(EngineError) -> [Event] {
        var found: [Event] = []
        for position in positions {
            if let event = try event(at: position).flatMap({ Event($0) }) { found.append(event) }
        }
        return found
    }
}

extension Reader {
    /// The positions between two moments at which events changed a document; nil where it rests on too many.
    fileprivate func changes(
        of question: DocumentQuestion, after old: Moment, through new: Moment
    ) throws -> [Position]? {
        guard case .position(let first) = old, case .position(let last) = new, first <= last else {
            return nil
        }
        let snapshot = try journal.snapshot()
        let end = min(last, snapshot.head.position)
        let walk = try DocumentWalk(self, question, snapshot, through: end)
        guard let basis = walk.basis else { return nil }
        let now = try question.now ?? snapshot.instant(at: end)
        var document = try walk.document(asOf: first, now: now)
        return try basis.filter { $0 > first }.filter { position in
            let next = try walk.document(asOf: position, now: now)
            defer { document = next }
            return next != document
        }
    }
}
