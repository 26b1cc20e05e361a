import Engine
import Events
import Foundation
import TestSupport
import Testing

/// `snapshots/MODEL/SCENARIO.json`: what every read model shows after a scenario, byte for byte.
///
/// Of a keyed model an object of its keys that have documents; of a paged one the list of its pages.
enum Golden {
    static let folder = "snapshots"

    static func path(_ model: String, _ scenario: String) -> String {
        "\(folder)/\(model)/\(scenario).json"
    }

    /// The canonical bytes for each model.
    static func made(by scenario: Scenario) throws -> [String: [UInt8]] {
        let journal = try TemporaryJournal()
        let engine = try journal.open()
        _ = try scenario.run(on: engine)
        var made: [String: [UInt8]] = [:]
        let products = Set(try engine.allEvents().map { $0.type.prefix { $0 != "." } })
        for model in try engine.models() where isShown(model.name, products) {
            let document = try document(of: model, engine)
            made[model.name] = document.canonical + [10]
        }
        return made
    }

    /// A shared model, or one of a product that the scenario is about.
    private static func isShown(_ model: String, _ products: Set<Substring>) -> Bool {
        let product = model.prefix { $0 != "." }
        return products.contains(product) || !["examroom", "tafawoq"].contains(product)
    }

    private static func document(of model: ModelInfo, _ engine: Engine) throws -> JSON {
        guard model.key != nil else { return try shown(model, nil, engine) }
        let keys = try Documents.keys(of: model, engine).compactMap(\.self)
        var members: [(String, JSON)] = []
        for key in keys {
            let document = try shown(model, key, engine)
            if !document.isNull { members.append((key, document)) }
        }
        return .object(of: members)
    }

    private static func shown(_ model: ModelInfo, _ key: String?, _ engine: Engine) throws -> JSON {
        let pages = try Documents.pages(of: model, key, engine).map {
            try JSON(parsing: Array($0.utf8))
        }
        return model.arguments.contains("page") && !(pages.first?.isNull ?? true)
            ? .array(pages) : pages.first ?? .null
    }

    static func models() throws -> [String] {
        try TemporaryJournal().open().models().map(\.name)
    }

    static var isRewriting: Bool {
        ProcessInfo.processInfo.environment["SIJILL_SNAPSHOTS"] == "write"
    }

    static func write(_ bytes: [UInt8], to path: String) throws {
        let url = Tree.root.appending(path: path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    /// Where two texts part, with what stands around there.
    static func difference(_ old: [UInt8], _ new: [UInt8]) -> String {
        let pairs = zip(old, new).enumerated()
        let place =
            pairs.first { $0.element.0 != $0.element.1 }?.offset ?? min(old.count, new.count)
        let parts = [old, new].map {
            String(decoding: $0.dropFirst(max(0, place - 80)).prefix(200), as: UTF8.self)
        }
        return "at byte \(place):\n  kept  …\(parts[0])\n  shown …\(parts[1])"
    }
}

@Suite struct `Golden snapshots` {
    @Test(arguments: Scenarios.covered)
    func `are what every read model shows`(scenario: Scenario) throws {
        for (model, bytes) in try Golden.made(by: scenario).sorted(by: { $0.key < $1.key }) {
            let path = Golden.path(model, scenario.name)
            if Golden.isRewriting {
                try Golden.write(bytes, to: path)
                continue
            }
            guard Tree.exists(path) else {
                try Golden.write(bytes, to: path)
                Issue.record("\(path) was missing and is written now: read it, then keep it")
                continue
            }
            let kept = try Array(Data(contentsOf: Tree.root.appending(path: path)))
            if kept != bytes {
                Issue.record(
                    Comment(
                        rawValue: "\(path) \(Golden.difference(kept, bytes))\n"
                            + "SIJILL_SNAPSHOTS=write rewrites it (make snapshots)"))
            }
        }
    }

    @Test func `that no scenario and model own are an error`() throws {
        var owned: Set<String> = []
        for model in try Golden.models() {
            for scenario in Scenarios.covered { owned.insert(Golden.path(model, scenario.name)) }
        }
        for path in Tree.files(Golden.folder) where !owned.contains(path) {
            Issue.record("\(path) belongs to no scenario and model: remove it")
        }
    }
}
