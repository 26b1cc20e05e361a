import EventLog
package import Projections

/// One document made twice: of all events that count, and of those alone that the basis finds.
package struct BasisTrial: Sendable {
    package let model: String
    package let key: String
    package let whole: String
    package let fromBasis: String
    /// How many events were folded for the second one.
    package let events: UInt64
}

extension EventEngine {
    /// Holds the bases of read models to their law (ADR 0020) at the moment that the request names: for
    /// every key that has a document now, and for `others` that have none.
    ///
    /// - Parameter bases: what is tried instead of the models' own bases, by model; no other model then.
    package func trial(
        _ request: ShowRequest, others: [String], bases: [String: Basis]? = nil
    ) throws(EngineError) -> [BasisTrial] {
        try read { try $0.trial(request, others: others, bases: bases) }
    }

    /// A document with the number of events that were folded for it; zero for what is stored.
    package func countingShow(
        _ model: String, key: String? = nil, _ request: ShowRequest
    ) throws(EngineError) -> (document: Document, events: UInt64) {
        try read { try $0.show(model, key, request) }
    }
}

extension Reader {
    func trial(
        _ request: ShowRequest, others: [String], bases: [String: Basis]?
    ) throws -> [BasisTrial] {
        let snapshot = try journal.snapshot()
        let asked = Asked(request, snapshot)
        let whole = Answering(
            session: try Self.folded(journal, registry, snapshot, asked.scope), snapshot: snapshot,
            scope: asked.scope)
        let now = try asked.now ?? whole.lastInstant()
        var trials: [BasisTrial] = []
        for model in registry.models {
            guard let basis = bases.map({ $0[model.name] }) ?? model.basis else { continue }
            let arguments = request.arguments.filter { model.arguments.contains($0.key) }
            for key in model.key == nil ? [""] : try keys(of: model.name) + others {
                let question = Question(model: model, key: key)
                let session = try Session(
                    journal: journal, registry: registry, store: nil, snapshot: snapshot)
                _ = try fold(
                    basis, of: question, asked.scope, snapshot, into: session, limit: .max)
                let part = Answering(session: session, snapshot: snapshot, scope: asked.scope)
                trials.append(
                    BasisTrial(
                        model: model.name, key: key,
                        whole: try whole.document(model.name, key: key, arguments, now: now).text,
                        fromBasis: try part.document(model.name, key: key, arguments, now: now)
                            .text,
                        events: session.foldedEvents))
            }
        }
        return trials
    }
}
