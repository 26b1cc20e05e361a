package import Engine
import Core

/// Every document that an engine can show, for comparing one engine with another.
package enum Documents {
    /// By model, key and page: `examroom.exams EX-1 p2`, the key empty for models without keys.
    package static func all(
        of engine: EventEngine, _ request: ShowRequest = ShowRequest()
    ) throws -> [String: String] {
        var found: [String: String] = [:]
        for model in try engine.models() {
            for key in try keys(of: model, engine) {
                let pages = try pages(of: model, key, engine, request)
                for (index, page) in pages.enumerated() {
                    found["\(model.name) \(key ?? "") p\(index + 1)"] = page
                }
            }
        }
        return found
    }

    /// The keys that have documents; one nil for a model without keys.
    package static func keys(of model: ModelInfo, _ engine: EventEngine) throws -> [String?] {
        guard model.key != nil else { return [nil] }
        // The people whom the shared models know are the accounts of the products.
        if model.name.hasPrefix("person.") || model.name.hasPrefix("audit.") {
            return try ["examroom", "learnable"].flatMap { product in
                try engine.keys(of: "\(product).account").map { "\(product)/\($0)" }
            }
        }
        return try engine.keys(of: model.name)
    }

    /// One document, or the pages of a paged one.
    package static func pages(
        of model: ModelInfo, _ key: String?, _ engine: EventEngine,
        _ request: ShowRequest = ShowRequest()
    ) throws -> [String] {
        guard let key else { return try pages(of: model, nil, [:], engine, request) }
        return try engine.samples(of: model.name, key: key).flatMap {
            try pages(of: model, key, $0, engine, request)
        }
    }

    private static func pages(
        of model: ModelInfo, _ key: String?, _ sample: [String: String], _ engine: EventEngine,
        _ request: ShowRequest
    ) throws -> [String] {
        var pages: [String] = []
        var count = 1
        while pages.count < count {
            var asked = request
            asked.arguments.merge(sample) { given, _ in given }
            if !pages.isEmpty { asked.arguments["page"] = "\(pages.count + 1)" }
            let document = try engine.show(model.name, key: key, asked)
            pages.append(withoutRoot(document.text))
            if pages.count == 1, model.arguments.contains("page") {
                let json = try JSON(parsing: document.bytes)
                count = json["pages"]?.wholeNumber.map { Int($0) } ?? 1
            }
        }
        return pages
    }

    /// The root of the tree hangs on the persons' keys, which are random.
    package static func withoutRoot(_ document: String) -> String {
        document.replacing(#/"rootHash":"[^"]*"/#, with: "\"rootHash\":null")
    }

    /// What the one has and the other has not or has otherwise; nil when they are the same.
    package static func difference(
        _ left: [String: String], _ right: [String: String]
    ) -> String? {
        for name in Set(left.keys).union(right.keys).sorted() where left[name] != right[name] {
            return "\(name):\n  \(left[name] ?? "nothing")\n  \(right[name] ?? "nothing")"
        }
        return nil
    }
}
