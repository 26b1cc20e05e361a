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

/// States near moments, kept from one question of a trial to the next.
package final class PastTrial: Sendable {
    let pasts: KeptPasts

    /// - Parameter room: how many events before a moment a state stands.
    package init(room: UInt64) { pasts = KeptPasts(room: room) }
}

extension EventEngine {
    /// The document of an earlier moment from a state that is kept near it, whatever its basis.
    package func show(
        _ model: String, key: String?, _ request: ShowRequest, in trial: PastTrial
    ) throws(EngineError) -> Document {
        try read { try $0.show(model, key, request, in: trial) }
    }

    /// The same from a fold of all events that count.
    package func wholeShow(
        _ model: String, key: String?, _ request: ShowRequest
    ) throws(EngineError) -> Document {
        try read { reader in
            let snapshot = try reader.journal.snapshot()
            let asked = Asked(request, snapshot)
            let answer = Answering(
                session: try Reader.folded(
                    reader.journal, reader.registry, snapshot, asked.scope,
                    of: reader.registry.products(of: [
                        try reader.check(model, key, request.arguments)
                    ])),
                snapshot: snapshot, scope: asked.scope, maker: reader.maker)
            return try answer.document(
                model, key: key ?? "", request.arguments,
                now: asked.now ?? answer.lastInstant())
        }
    }
}

extension Reader {
    fileprivate func show(
        _ model: String, _ key: String?, _ request: ShowRequest, in trial: PastTrial
    ) throws -> Document {
        let products = registry.products(of: [try check(model, key, request.arguments)])
        let snapshot = try journal.snapshot()
        let asked = Asked(request, snapshot)
        return try askingNear(
            products, asked.scope.through, snapshot, in: trial.pasts, { _ in }
        ) { session, _ in
            let answer = Answering(
                session: session, snapshot: snapshot, scope: asked.scope, maker: maker)
            return try answer.document(
                model, key: key ?? "", request.arguments,
                now: asked.now ?? answer.lastInstant())
        }
    }

    func trial(
        _ request: ShowRequest, others: [String], bases: [String: Basis]?
    ) throws -> [BasisTrial] {
        let snapshot = try journal.snapshot()
        let asked = Asked(request, snapshot)
        let whole = Answering(
            session: try Self.folded(journal, registry, snapshot, asked.scope), snapshot: snapshot,
            scope: asked.scope, maker: maker)
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
                let part = Answering(
                    session: session, snapshot: snapshot, scope: asked.scope, maker: maker)
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
