import Core
import Projections

/// The products that an engine runs, and what follows from them: every event type and every read model, by name.
final class Registry: Sendable {
    let products: [Product]
    /// Every event type that the engine knows.
    let payloads: [PayloadType]
    /// All read models, shared and of every product, by name.
    let models: [ModelDescription]
    /// The types whose events destroy the key of their subject.
    let keyDestroying: [String]
    private let byName: [String: PayloadType]

    /// - Throws: `wrongUse` where two products, event types or read models have one name, or tables would meet.
    init(_ products: [Product]) throws(EngineError) {
        self.products = products
        payloads = [PayloadType(AccountErased.self)] + products.flatMap(\.payloads)
        let shared = SharedReadModel.all.map {
            ModelDescription(
                name: $0.name, product: "", question: $0.question, key: $0.key,
                arguments: $0.arguments, basis: $0.basis)
        }
        models = (shared + products.flatMap(\.models)).sorted { $0.name.precedes($1.name) }
        keyDestroying = payloads.filter { $0.payload.destroysKey }.map(\.name)
        byName = Dictionary(payloads.map { ($0.name, $0) }) { first, _ in first }
        try Self.check(products.map(\.name), "product")
        try Self.check(payloads.map(\.name), "event type")
        try Self.check(models.map(\.name), "read model")
        let tables = products.map { Int($0.firstTable) }.sorted()
        for (table, next) in zip(tables, tables.dropFirst()) where next - table < Self.tablesEach {
            throw EngineError(
                .wrongUse, "the tables of two products meet at \(next); give one another number")
        }
    }

    /// How many table numbers a product has.
    private static let tablesEach = 1000

    private static func check(_ names: [String], _ kind: String) throws(EngineError) {
        var known: Set<String> = []
        for name in names where !known.insert(name).inserted {
            throw EngineError(
                .wrongUse, "there are two of the \(kind) \(name); give the engine one of them")
        }
    }

    /// The products whose state the models are shown from: all, where one of them asks for what is due in every product.
    func products(of models: [ModelDescription]) -> [Product] {
        let names = Set(models.filter { !$0.asksHistoryAlone }.map(\.product))
        return names.contains("") ? products : products.filter { names.contains($0.name) }
    }

    func product(_ name: String) -> Product? { products.first { $0.name == name } }

    func payload(_ name: String) -> PayloadType? { byName[name] }

    /// The rules of its product's page that an event of the type follows, such as `R12`.
    func rules(of type: String) -> [String] {
        payload(type).map { $0.payload.rules.map { "R\($0)" } } ?? []
    }

    func model(_ name: String) -> ModelDescription? { models.first { $0.name == name } }

    func unknownModel(_ name: String) -> EngineError {
        EngineError(
            .unknownModel(name, nearest: NearestName.of(name, in: models.map(\.name))))
    }

    /// The read model, if the question is one that it takes.
    func model(
        named name: String, taking key: String?, _ arguments: [String: String]
    ) throws(EngineError) -> ModelDescription {
        guard let model = model(name) else { throw unknownModel(name) }
        if let wanted = model.key, key == nil {
            throw EngineError(.wrongUse, "\(model.name) needs a key: the id of the \(wanted)")
        }
        if model.key == nil, let key {
            throw EngineError(.wrongUse, "\(model.name) has no keys; leave out \"\(key)\"")
        }
        for name in arguments.keys.sorted(by: { $0.precedes($1) })
        where !model.arguments.contains(name) {
            let known = model.arguments.joined(separator: ", ")
            let advice =
                NearestName.of(name, in: model.arguments).map { "did you mean \($0)?" }
                ?? "it takes \(known.isEmpty ? "none" : known)"
            throw EngineError(
                .wrongUse, "\(model.name) has no argument \"\(name)\"; \(advice)")
        }
        return model
    }
}
