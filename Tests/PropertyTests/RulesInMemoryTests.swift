import Core
import Engine
import LearnableCommands
import LearnableEvents
import TestSupport
import Testing

/// What a rule decides in memory is what an engine decides with its journal, each command in a commit of its own.
@Suite struct `Rules in memory` {
    @Test(arguments: Tree.files("Examples", ".jsonl"))
    func `decide as an engine on disk does`(file: String) throws {
        let lines = try Self.commands(file)
        let rules = try RulesInMemory<Learnable>(empty: ())
        let engine = try EngineOnDisk<Learnable>(empty: ())
        for line in lines {
            let wanted = try engine.submit(line).document.text
            #expect(
                try rules.submit(line).document.text == wanted,
                "\(String(decoding: line, as: UTF8.self))")
        }
        #expect(rules.head == UInt64(try engine.engine.allEvents().count))
    }

    @Test func `are told of a line that differs`() throws {
        let rules = try RulesInMemory<Learnable>(empty: ())
        let engine = try EngineOnDisk<Learnable>(empty: ())
        let own = #""student":"S-1","timeZone":"UTC""#
        let joined = try rules.decide("student:S-1", "student.join", "09:00", own)
        let other = try engine.decide("student:S-1", "student.join", "09:01", own)
        #expect(joined != other)
    }

    /// The lines that a scenario, or a file of commands, submits.
    private static func commands(_ file: String) throws -> [[UInt8]] {
        try Tree.text(file).split(separator: "\n").compactMap { line in
            let json = try JSON(parsing: Array(line.utf8))
            return json["do"]?.canonical ?? (json["command"] == nil ? nil : json.canonical)
        }
    }
}
