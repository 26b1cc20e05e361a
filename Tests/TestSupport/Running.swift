import Products
package import Engine
package import Core

extension TemporaryJournal {
    /// The outcomes of the commands, all submitted at once by an engine of its own.
    @discardableResult
    package func run(_ commands: [TestCommand]) throws -> [Outcome] {
        try open().run(commands)
    }

    /// A journal in which the commands have happened.
    package static func after(_ commands: [TestCommand]) throws -> TemporaryJournal {
        let journal = try TemporaryJournal()
        try journal.run(commands)
        return journal
    }
}

extension EventEngine {
    /// The outcomes of the commands, with the tests' fixed clock.
    @discardableResult
    package func run(_ commands: [TestCommand]) throws -> [Outcome] {
        try submit(commands.map(\.line), clock: Scenario.clock)
    }

    /// The outcomes of lines at a fixed clock.
    package func submit(
        _ lines: [[UInt8]], firstLine: Int = 1, clock: String, isDryRun: Bool = false
    ) throws(EngineError) -> [Outcome] {
        try submit(lines, firstLine: firstLine, clock: Instant(clock), isDryRun: isDryRun)
    }

    /// Every event, oldest first.
    package func allEvents() throws -> [PastFact] {
        var found: [PastFact] = []
        try events { document in
            found.append(PastFact(document))
            return true
        }
        return found
    }

    /// The lines of an export.
    package func exported() throws -> [String] {
        var bytes: [UInt8] = []
        try export { bytes += $0 }
        return bytes.split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The lines of an export without what hangs on the persons' keys, which are random: what two journals
    /// have in common to which the same was told.
    package func told() throws -> [String] {
        try exported().filter { !$0.hasPrefix("{\"key\"") }.map { line in
            line.replacing(#/"sealed":\{[^}]*\},|"mac":"[^"]*",/#, with: "")
        }
    }

    /// Makes a journal of the lines of an export.
    package static func imported(_ lines: [String]) throws -> TemporaryJournal {
        let journal = try TemporaryJournal.unmade()
        var rest = lines[...]
        _ = try EventEngine.importJournal(at: journal.path) {
            rest.popFirst().map { Array($0.utf8) }
        }
        return journal
    }
}

/// An event as the journal lists it.
package struct PastFact: Sendable {
    package let text: String
    package let json: JSON

    package init(_ document: Document) {
        text = document.text
        json = (try? JSON(parsing: document.bytes)) ?? .null
    }

    /// The same with other words, for tests of tests.
    package init(_ json: JSON) {
        text = json.description
        self.json = json
    }

    package var type: String { json["type"]?.string ?? "" }
    package var stream: String { json["stream"]?.string ?? "" }
    package var position: Int64 { json["position"]?.wholeNumber ?? 0 }
    package var revision: Int64 { json["revision"]?.wholeNumber ?? -1 }
    package var command: String? { json["command"]?.string }
    package var at: Instant { Instant(json["at"]?.string ?? "") }
    package var data: JSON { json["data"] ?? .null }

    package func text(_ field: String) -> String { data[field]?.string ?? "" }
    package func number(_ field: String) -> Int { Int(data[field]?.wholeNumber ?? 0) }
    package func instant(_ field: String) -> Instant { Instant(text(field)) }
}

extension Outcome {
    package var json: JSON { (try? JSON(parsing: document.bytes)) ?? .null }
    /// The events that it lists.
    package var events: [JSON] { json["events"]?.array ?? [] }
}
