import Core
import EventLog
import Projections

/// Read models whose documents are compared, all of them, as two states have them.
struct ComparedModels {
    let models: [ModelDescription]
    /// Whose state they stand on.
    let products: [Product]

    /// The documents of a model by key, with the arguments of each.
    typealias Documents = [String: [(arguments: [String: String], document: Document)]]

    /// No names: every model of every product.
    init(_ registry: Registry, _ names: [String]) throws {
        let named = try names.map { name in
            guard let model = registry.model(name) else { throw registry.unknownModel(name) }
            return model
        }
        let models = named.isEmpty ? registry.models.filter { !$0.product.isEmpty } : named
        let wanted = Set(models.map(\.product))
        self.models = models
        products = registry.products.filter { wanted.contains("") || wanted.contains($0.name) }
    }

    /// Every document of the models, in their order.
    func documents(
        _ session: Session, _ snapshot: JournalSnapshot, _ scope: Scope, now: Instant
    ) throws -> [Documents] {
        let answering = Answering(session: session, snapshot: snapshot, scope: scope)
        return try models.map { model in
            let runtime = session.runtime(with: model.name)
            let keys = model.key == nil ? [""] : runtime?.keys(of: model.name) ?? []
            var documents: Documents = [:]
            for key in keys {
                let samples =
                    model.key == nil ? [[:]] : runtime?.samples(of: model.name, key: key) ?? []
                documents[key] = try samples.map { arguments in
                    (arguments, try answering.document(model.name, key: key, arguments, now: now))
                }
            }
            return documents
        }
    }

    func compare(_ old: [Documents], _ new: [Documents]) throws -> [ModelComparison] {
        try zip(models, zip(old, new)).map { model, documents in
            try Self.comparison(of: model, documents.0, documents.1)
        }
    }

    private static func comparison(
        of model: ModelDescription, _ old: Documents, _ new: Documents
    ) throws -> ModelComparison {
        let keys = Set(old.keys).union(new.keys).sorted { $0.precedes($1) }
        var differing: [ModelComparison.Differing] = []
        for key in keys {
            let before = old[key] ?? []
            let after = new[key] ?? []
            for sample in samples(before.map(\.arguments) + after.map(\.arguments)) {
                let pair = [before, after].map { documents in
                    documents.first { $0.arguments == sample }?.document ?? .null
                }
                guard pair[0] != pair[1] else { continue }
                differing.append(
                    ModelComparison.Differing(
                        key: key, arguments: sample,
                        difference: try DocumentDifference(from: pair[0], to: pair[1])))
            }
        }
        return ModelComparison(model: model.name, documents: keys.count, differing: differing)
    }

    /// Each once, in the order in which they come.
    private static func samples(_ all: [[String: String]]) -> [[String: String]] {
        var seen: Set<[String: String]> = []
        return all.filter { seen.insert($0).inserted }
    }
}
