import Foundation
import TestSupport
import Testing

/// README.md: what is asked there of the demo's journal is answered so.
@Suite struct `The README` {
    struct Example: Sendable, CustomTestStringConvertible {
        let command: String
        /// What a terminal shows: `…` at the end of a line stands for the rest of it, alone for more lines.
        let answer: [String]

        var testDescription: String { command }
    }

    static let examples: [Example] = {
        let text = (try? Tree.text("README.md")) ?? ""
        return text.matches(of: /```console\n([^`]*)```/).flatMap { block in
            block.output.1.split(separator: "$ replay ").map { example in
                var lines = example.split(separator: "\n").map { String($0) }
                return Example(command: "replay " + lines.removeFirst(), answer: lines)
            }
        }
    }()

    /// Whether the lines shown are those expected; says the first that is not.
    private static func difference(_ shown: [String], _ expected: [String]) -> String? {
        var rest = shown[...]
        var mayFollow = false
        for line in expected {
            if line == "…" {
                mayFollow = true
                continue
            }
            func fits(_ other: String) -> Bool {
                line.hasSuffix("…") ? other.hasPrefix(line.dropLast()) : other == line
            }
            guard let found = mayFollow ? rest.firstIndex(where: fits) : rest.indices.first,
                fits(rest[found])
            else { return line }
            rest = rest[(found + 1)...]
            mayFollow = false
        }
        return rest.isEmpty || mayFollow ? nil : rest.first
    }

    @Test func `answers as it says, for each way to ask`() throws {
        let tool = try Tool()
        let lsat = Tree.root.appending(path: "Examples/lsat").path
        let made = try tool.run(
            """
            "$REPLAY" init --journal demo-journal > /dev/null
            awk -f '\(lsat)/commands.awk' '\(lsat)/lsat6.csv' |
                "$REPLAY" submit --journal demo-journal --clock 2026-02-08T00:00:00Z > /dev/null
            """)
        try #require(made.status == 0, "\(made)")
        for example in Self.examples {
            let command = """
                export SIJILL_JOURNAL=demo-journal NO_COLOR=1; replay() { "$REPLAY" "$@"; }
                {
                    \(example.command)
                } 2> notes || cat notes
                """
            let answer = try tool.onTerminal(command, columns: 100).output
            let shown = answer.split(whereSeparator: \.isNewline).map { String($0) }
            let different = Self.difference(shown, example.answer.filter { !$0.isEmpty })
            #expect(different == nil, "\(example.command): \(different ?? "")\n\(answer)")
        }
        for way in [
            "diff ", "why ", "step ", "bisect ", "what-if ", "explain ", "rebuild --against",
            "diff --exported", "submit --explain",
        ] {
            let isThere = Self.examples.contains { $0.command.contains("replay \(way)") }
            #expect(isThere, "no example of \(way)")
        }
    }

    @Test func `is compared line by line`() {
        let shown = ["a", "b long", "c", "d"]
        for fitting in [shown, ["a", "b…", "…"], ["…", "d"], ["a", "…", "c", "d"], ["…"]] {
            #expect(Self.difference(shown, fitting) == nil, "\(fitting)")
        }
        for other in [[], ["a", "b long", "c"], ["a", "…", "x"], ["b…", "…"], shown + ["e"]] {
            #expect(Self.difference(shown, other) != nil, "\(other)")
        }
    }
}
