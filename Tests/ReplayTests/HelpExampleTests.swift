import Foundation
import TestSupport
import Testing

/// What stands under EXAMPLE in a help text can be typed as it stands.
@Suite struct `Every example of a help text` {
    private static let journal = """
        replay init --simulated --journal exams
        replay submit --journal exams commands.jsonl
        """
    private static let signed = """
        replay key new school.key --name school.example/journal
        replay key new witness.key --name witness.example/w1 --witness
        replay checkpoint --key school.key --journal exams > today.checkpoint
        """
    private static let backedUp = """
        mkdir -p mnt/backup mnt/keys
        replay backup mnt/backup/exams --keys mnt/keys/exams --journal exams
        replay backup old-backup --journal exams
        echo '{"id":"e","command":"account.erase","at":"2026-03-01T00:00:00Z","by":"system","data":{"subject":"examroom/S-1"}}' | replay submit --journal exams
        """

    private static let sink = "replay sink run sqlite:exams.db --journal exams"

    /// Those of a log want a server: Tests/Log has one.
    private static let names = [""] + Help.names.filter { !$0.hasPrefix("log ") }

    /// What must be there before the examples of a sub-command; the journal, unless something else is said.
    private static let before: [String: String] = [
        "": "true",
        "init": "true",
        "backup": journal + "\nmkdir -p mnt/backup mnt/keys",
        "checkpoint": journal + "\nreplay key new school.key --name school.example/journal",
        "cosign": """
        replay init --simulated --journal exams; head -n 9 commands.jsonl | replay submit --journal exams
        \(signed)
        replay events --journal exams | wc -l > first
        replay cosign today.checkpoint --key witness.key --log-key school.key.vkey
        replay submit --journal exams commands.jsonl
        replay checkpoint --key school.key --journal exams > today.checkpoint
        replay prove --from $(cat first) --journal exams > from-10.consistency-proof
        """,
        "prove": """
        replay init --simulated --journal exams; tail -n 10 commands.jsonl | replay submit --journal exams
        \(signed)
        replay submit --journal exams commands.jsonl
        replay checkpoint --key school.key --journal exams
        """,
        "check-proof": journal + "\n\(signed)\nreplay prove 42 --journal exams > 42.tlog-proof",
        "key renew": """
        replay init --simulated --journal exams; head -n 3 commands.jsonl | replay submit --journal exams
        rm exams/master.key
        """,
        "restore": journal + "\n" + backedUp,
        "erase": journal + "\n" + backedUp,
        "import": journal + "\nreplay export --journal exams > exams.jsonl",
        "verify": journal
            + "\n\(signed)\ncp today.checkpoint mine.checkpoint; cp school.key.vkey school.vkey",
        "submit": journal + "\ncp commands.jsonl inbox.jsonl",
        "diff": journal + "\nreplay export --documents --journal exams > answers.jsonl",
        "sink status": journal + "\n\(sink)",
        "sink check": journal + "\n\(sink)",
        "sink columns": journal + "\n\(sink)",
        "sink forget": journal + "\n\(sink)",
        "rebuild": journal + "\nreplay rebuild --json --journal exams > digests.json",
    ]

    @Test(arguments: names)
    func `is run as it stands`(name: String) throws {
        let tool = try Tool()
        try Sample.examDay().write(
            to: tool.directory.appending(path: "commands.jsonl"), atomically: true, encoding: .utf8)
        let examples = try Self.examples(of: name, tool)
        #expect(!examples.isEmpty)
        let start =
            "replay() { \"$REPLAY\" \"$@\"; }; export -f replay\n"
            + (name == "restore" ? "export SIJILL_MASTER_KEY_FILE=exams/master.key\n" : "")
        let prepared = try tool.run(
            "set -e\n\(start)\(Self.before[name] ?? Self.journal)")
        #expect(prepared.status == 0, "\(prepared.errors)")
        for example in examples {
            let answer = try tool.run(start + Self.ended(example))
            // What differs is no failure.
            let isFine = answer.status == 0 || name == "diff" && answer.status == 1
            #expect(isFine, "\(example)\n\(answer.errors)")
        }
    }

    /// The lines under EXAMPLE; one that ends with a backslash goes on.
    private static func examples(of name: String, _ tool: borrowing Tool) throws -> [String] {
        let help = try tool.run("COLUMNS=1000 \"$REPLAY\" \(name) --help").output
        let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(of: "EXAMPLE") else { return [] }
        let found = lines[(start + 1)...].prefix { $0.hasPrefix("  ") }.joined(separator: "\n")
        return found.replacing("\\\n", with: " ").replacing("/mnt/", with: "mnt/")
            .split(separator: "\n").map { String($0) }.filter { !$0.contains("postgres://") }
    }

    /// What goes on until somebody ends it is ended, and went well until then.
    private static func ended(_ example: String) -> String {
        guard example.contains("--follow") || example.contains("tail -f") else {
            return "set -o pipefail\n" + example
        }
        let quoted = example.replacing("'", with: "'\\''")
        return "timeout 3 bash -c '\(quoted)'; [ $? = 124 ]"
    }
}
