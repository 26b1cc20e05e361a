import Core
import Engine
import TestSupport
import Testing

@Suite struct `Export, then import` {
    /// A history of each product, by its name.
    private static let histories:
        [(product: String, commands: @Sendable (UInt64) -> [TestCommand])] =
            [
                ("examroom", { ExamRoomHistory.commands(seed: $0) }),
                ("learnable", { LearnableHistory.commands(seed: $0) }),
                ("quranflow", { QuranFlowHistory.commands(seed: $0) }),
                ("tafawoq", { TafawoqHistory.commands(seed: $0) }),
            ]

    /// What nobody sends who means well, and what stands at the borders of the ranges.
    private static let hostile: [Int64] = [
        0, 1, 7, 1_440, 36_500, 36_525, 52_596_000, 1_000_000_000, 1_000_000_001, 3_155_760_000,
        3_155_760_001, 9_007_199_254_740_991,
    ]

    private static func difference(after commands: [TestCommand]) throws -> String? {
        let journal = try TemporaryJournal.after(commands)
        let lines = try journal.open().exported()
        let copy = try EventEngine.imported(lines)
        return PropertyTests.difference(lines, try copy.open().exported())
    }

    @Test(arguments: 0..<4, UInt64(0)..<4)
    func `gives the same journal, whatever was done`(product: Int, seed: UInt64) throws {
        let (name, commands) = Self.histories[product]
        #expect(try Self.difference(after: commands(900 + seed)) == nil, "\(name) \(900 + seed)")
    }

    @Test(arguments: 0..<4, UInt64(0)..<6)
    func `gives the same journal, whatever numbers were sent`(product: Int, seed: UInt64) throws {
        let (name, commands) = Self.histories[product]
        var random = SplitMix64(seed: 950 + seed)
        let honest = commands(950 + seed)
        let policies = try TemporaryJournal.after(Array(honest.prefix(3))).open()
            .show("\(name).policy").text
        let names = (try JSON(parsing: Array(policies.utf8))).members?.filter {
            if case .number = $0.value["value"] ?? .null { true } else { false }
        }
        let values = try #require(names)
        #expect(values.count > 5)
        var hostile: [TestCommand] = []
        for (index, command) in honest.enumerated() {
            if index > 6, index.isMultiple(of: 5) {
                let value = values[Int(random.next() % UInt64(values.count))].name
                hostile.append(
                    TestCommand(
                        "h-\(index)", "\(name).policy.adopt", at: command.at, by: "system",
                        [("changes", .object(of: [(value, Self.number(&random))]))]))
            }
            var command = command
            if random.next().isMultiple(of: 4) {
                command.data = Self.spoiled(command.data, &random)
            }
            hostile.append(command)
        }
        #expect(try Self.difference(after: hostile) == nil, "\(name) \(950 + seed)")
    }

    private static func number(_ random: inout SplitMix64) -> JSON {
        .integer(hostile[Int(random.next() % UInt64(hostile.count))])
    }

    /// The same with some of its numbers replaced.
    private static func spoiled(_ json: JSON, _ random: inout SplitMix64) -> JSON {
        switch json {
        case .number: random.next().isMultiple(of: 2) ? number(&random) : json
        case .array(let items): .array(items.map { spoiled($0, &random) })
        case .object(let members):
            .object(
                members.map { JSON.Member(name: $0.name, value: spoiled($0.value, &random)) })
        default: json
        }
    }
}
