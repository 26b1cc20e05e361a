import Engine
import Core
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

    /// The scenarios of which the answers on the way are kept as well, as `SCENARIO.on-the-way.json`:
    /// those that tell how a screen changes.
    static let tellingOnTheWay: Set = ["11-first-semester", "12-today-states"]

    static func pathOnTheWay(_ model: String, _ scenario: String) -> String {
        path(model, scenario + ".on-the-way")
    }

    /// The canonical bytes for each path.
    static func made(by scenario: Scenario) throws -> [String: [UInt8]] {
        let journal = try TemporaryJournal()
        let engine = try journal.open()
        var shown: [Scenario.Shown] = []
        _ = try scenario.run(on: engine) { shown.append($0) }
        var made: [String: [UInt8]] = [:]
        for model in try engine.models() where isShown(model.name, in: scenario) {
            let document = try document(of: model, engine)
            made[path(model.name, scenario.name)] = document.canonical + [10]
            let answers = shown.filter { $0.model == model.name }
            if tellingOnTheWay.contains(scenario.name), !answers.isEmpty {
                made[pathOnTheWay(model.name, scenario.name)] = lines(of: answers)
            }
        }
        return made
    }

    /// One answer a line, so that a difference is read as one.
    private static func lines(of answers: [Scenario.Shown]) -> [UInt8] {
        let lines = answers.map { answer in
            JSON.object(of: [
                ("document", answer.document), ("key", .string(answer.key ?? "")),
                ("line", .integer(Int64(answer.line))),
                ("now", answer.now.map { .string("\($0)") } ?? .null),
            ]).description
        }
        return Array(("[" + lines.joined(separator: ",\n") + "]\n").utf8)
    }

    /// A product's own models; those that all products share once, in the first product's scenarios.
    static func isShown(_ model: String, in scenario: Scenario) -> Bool {
        let owner = Scenarios.products.first { model.hasPrefix("\($0).") }
        return (owner ?? Scenarios.products[0]) == scenario.product
    }

    private static func document(of model: ModelInfo, _ engine: EventEngine) throws -> JSON {
        guard model.key != nil else { return try shown(model, nil, engine) }
        let keys = try Documents.keys(of: model, engine).compactMap(\.self)
        var members: [(String, JSON)] = []
        for key in keys {
            let document = try shown(model, key, engine)
            if !document.isNull { members.append((key, document)) }
        }
        return .object(of: members)
    }

    private static func shown(_ model: ModelInfo, _ key: String?, _ engine: EventEngine) throws
        -> JSON
    {
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
        for (path, bytes) in try Golden.made(by: scenario).sorted(by: { $0.key < $1.key }) {
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
            for scenario in Scenarios.covered where Golden.isShown(model, in: scenario) {
                owned.insert(Golden.path(model, scenario.name))
                if Golden.tellingOnTheWay.contains(scenario.name) {
                    owned.insert(Golden.pathOnTheWay(model, scenario.name))
                }
            }
        }
        for path in Tree.files(Golden.folder) where !owned.contains(path) {
            Issue.record("\(path) belongs to no scenario and model: remove it")
        }
    }
}
