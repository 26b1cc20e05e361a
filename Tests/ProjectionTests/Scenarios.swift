import Engine
import Core
import TestSupport
import Testing

/// The example scenarios of the contract (Examples/, docs/contract/scenarios.py), run in this process.
enum Scenarios {
    /// What the engine cannot run yet, each with the reason. A file that it can run must leave this
    /// list: a test says so.
    static let notYet: [String: String] = [:]

    /// The folders of `Examples` that hold scenarios, each named after its product.
    static let products = ["examroom", "learnable", "quranflow", "tafawoq"]

    static let all: [Scenario] = products.flatMap { product in
        Tree.files("Examples/\(product)", ".jsonl").compactMap { try? Scenario(file: $0) }
    }

    static let covered = all.filter { notYet[$0.name] == nil }

    /// The command types of the scenario that the engine has never heard of.
    static func unknownCommands(of scenario: Scenario) throws -> Set<String> {
        let journal = try TemporaryJournal()
        let engine = try journal.open()
        return try scenario.commands.filter { command in
            let outcome = try engine.run([
                TestCommand("probe", command, at: Instant("2026-01-01T00:00:00Z"), by: "system")
            ])[0]
            return outcome.code == "unknown-command"
        }
    }
}

extension Scenario: CustomTestStringConvertible {
    public var testDescription: String { name }
}

@Suite struct `Every example scenario` {
    @Test func `can be read`() {
        let files = Scenarios.products.flatMap { Tree.files("Examples/\($0)", ".jsonl") }
        #expect(Scenarios.all.count == files.count)
        #expect(Scenarios.all.count >= 19)
    }

    @Test(arguments: Scenarios.covered)
    func `holds`(scenario: Scenario) throws {
        let journal = try TemporaryJournal()
        for problem in try scenario.run(on: journal.open()) {
            Issue.record(Comment(rawValue: "\(scenario.name), \(problem)"))
        }
        let report = try journal.open().rebuild(isCheck: true)
        #expect(report.differences == [], "stored otherwise than rebuilt")
    }

    @Test(arguments: Scenarios.notYet.keys.sorted())
    func `that is set aside waits for commands that there are not`(name: String) throws {
        let scenario = try #require(Scenarios.all.first { $0.name == name }, "no such file")
        // `examroom.exam.invent` is no command on purpose.
        let missing = try Scenarios.unknownCommands(of: scenario)
            .subtracting(["examroom.exam.invent"])
        #expect(!missing.isEmpty, "\(name) can be run now: take it off the list")
    }
}
