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
    /// The events between the moments that changed the document, oldest first; nil where the document rests on
    /// too many to look at.
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
    /// Of how many of them a condition holds, where one was given.
    public let holding: Holding?

    /// Of how many documents a condition holds on either side.
    public struct Holding: Sendable, Hashable {
        /// Of the first state.
        public internal(set) var old: Int
        /// Of the second state.
        public internal(set) var new: Int
    }

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
            let snapshot = try reader.journal.snapshot()
            for case .position(let position) in [old, new] { try snapshot.checkReached(position) }
            let documents = try [old, new].map { moment in
                var request = ShowRequest()
                request.arguments = question.arguments
                request.now = question.now
                request.asOf = moment
                request.viewer = question.viewer
                return try reader.show(question.model, question.key, request).document
            }
            return (documents, try reader.changes(of: question, after: old, through: new))
        }
        return DocumentComparison(
            old: found.0[0], new: found.0[1],
            difference: try DocumentDifference(from: found.0[0], to: found.0[1]),
            events: found.1)
    }

    /// Compares every document of the models at two moments, all at the present of the second one.
    ///
    /// No names: every model of every product. Shared models, which tell of the journal itself, are compared where they are named.
    ///
    /// - Parameter condition: JSONPath's logical expression; of how many documents it holds is counted.
    public func diff(
        models names: [String] = [], from old: Position, to new: Position, now: Instant? = nil,
        counting condition: String? = nil, as viewer: Viewer? = nil
    ) throws(EngineError) -> [ModelComparison] {
        let condition = try condition.map { text throws(EngineError) in
            try JSONCondition(argument: text)
        }
        return try whileOpen {
            let models = try ComparedModels(
                registry, names, counting: condition, sight: sight(of: viewer))
            let snapshot = try journal.snapshot()
            for position in [old, new] { try snapshot.checkReached(position) }
            let head = snapshot.head.position
            let now = try now ?? snapshot.instant(at: max(old, new))
            let states = try concurrently({
                UncheckedTransfer(
                    try self.comparedState(models.products, through: old, of: head))
            }) { try comparedState(models.products, through: new, of: head) }
            return try models.compare(states.other.value, states.body, now: now)
        }
    }
}

extension Reader {
    /// The events between two moments that changed a document; nil where it rests on too many.
    fileprivate func changes(
        of question: DocumentQuestion, after old: Moment, through new: Moment
    ) throws -> [Event]? {
        guard case .position(let first) = old, case .position(let last) = new, first <= last else {
            return nil
        }
        let snapshot = try journal.snapshot()
        let end = min(last, snapshot.head.position)
        let walk = try DocumentWalk(self, question, snapshot, through: end)
        guard let basis = walk.basis else { return nil }
        let now = try question.now ?? snapshot.instant(at: end)
        var document = try walk.document(asOf: first, now: now)
        let changed = try basis.filter { $0 > first }.filter { position in
            let next = try walk.document(asOf: position, now: now)
            defer { document = next }
            return next != document
        }
        let events = try events(at: changed, walk, as: question.viewer)
        return changed.compactMap { events[$0] }
    }
}
