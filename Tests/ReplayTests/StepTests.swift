import Foundation
import TestSupport
import Testing

@Suite struct `replay step` {
    private static func journal() throws -> Tool {
        let tool = try Tool()
        _ = try tool.run("\"$REPLAY\" submit > /dev/null", given: Sample.examDay())
        return tool
    }

    @Test func `in a pipe lists the events that why names, oldest first, and what they changed`()
        throws
    {
        let tool = try Self.journal()
        for question in [
            "examroom.exam EX-1", "examroom.result AT-1", "examroom.leaderboard points",
            "journal.summary", "examroom.result AT-1 --as student:S-1",
            "audit.log --arg by=student:S-1",
        ] {
            let why = try tool.run("\"$REPLAY\" why \(question) --limit 10000 | tac")
            let step = try tool.run("\"$REPLAY\" step \(question) --json")
            #expect(step.status == 0 && !step.output.isEmpty, "\(step)")
            #expect(step.output == why.output, "\(question)")
        }
        let listed = try tool.run("\"$REPLAY\" step examroom.exam EX-1")
        #expect(
            listed.output.hasSuffix(
                "21  2026-02-02T10:00:00Z  examroom.results.published (R21, R40) by admin:A-1, command c-23\n"
                    + "    $.resultsPublished: false → true\n"), "\(listed.output)")
        #expect(!listed.output.contains("…") && !listed.output.contains("\u{1B}"))
    }

    @Test func `begins where it is told`() throws {
        let tool = try Self.journal()
        for from in ["10", "9.5", "2026-02-02T08:05:00Z", "11"] {
            let answer = try tool.run("\"$REPLAY\" step examroom.exam EX-1 \(from)")
            let places = answer.lines.filter { !$0.hasPrefix(" ") }.map { $0.prefix { $0 != " " } }
            switch from {
            case "9.5": #expect(answer.status == 64)
            case "11": #expect(places == ["21"])
            default: #expect(places == ["10", "21"], "\(from): \(answer)")
            }
        }
        // A model without keys takes the moment in the key's place.
        let summary = try tool.run("\"$REPLAY\" step journal.summary 20 --json | head -1")
        #expect(summary.output.contains(#""position":20,"#), "\(summary)")
        let later = try tool.run("\"$REPLAY\" step examroom.exam EX-1 2030-01-01T00:00:00Z")
        #expect(later.status == 0 && later.output.isEmpty)
        #expect(later.errors == "replay: no event changed it from there on\n", "\(later.errors)")
    }

    @Test(arguments: [
        ("step", 64, "missing expected argument"),
        ("step examroom.exxam EX-1", 64, "did you mean examroom.exam?"),
        ("step examroom.exam", 64, "key"),
        ("step journal.summary key 1", 64, "key"),
        ("step examroom.exam EX-1 99999", 64, "position 99999 is not reached yet"),
        ("step examroom.exam EX-1 noon", 64, "neither a position nor an RFC 3339 instant"),
        ("step examroom.exam EX-1 1 2", 64, "a moment are taken"),
        ("step examroom.exam EX-1 --now noon", 64, "--now"),
        ("step examroom.exam EX-1 --arg colour=red", 64, "colour"),
        ("step examroom.result AT-1 --as student:S-404", 77, "may not"),
        ("step examroom.exam EX-1 --journal nowhere", 66, "nowhere"),
    ])
    func `answers bad input in a line`(command: String, status: Int, says: String) throws {
        let tool = try Self.journal()
        let answer = try tool.run("\"$REPLAY\" \(command)")
        #expect(Int(answer.status) == status, "\(answer)")
        #expect(answer.output.isEmpty)
        #expect(answer.errors.contains(says), "\(answer.errors)")
        #expect(answer.errors.split(separator: "\n").count == 1, "\(answer.errors)")
    }

    @Test func `of a key that nothing changed says so`() throws {
        let tool = try Self.journal()
        let answer = try tool.run("\"$REPLAY\" step examroom.exam EX-404")
        #expect(answer.status == 0 && answer.output.isEmpty)
        #expect(answer.errors == "replay: no event changed it\n", "\(answer.errors)")
    }

    @Test func `needs keys from a terminal and a cursor on one, and lists without`() throws {
        let tool = try Self.journal()
        for command in [
            "\"$REPLAY\" step examroom.exam EX-1 < /dev/null",
            "TERM=dumb \"$REPLAY\" step examroom.exam EX-1",
            "\"$REPLAY\" step examroom.exam EX-1 --json",
        ] {
            let answer = try tool.onTerminal(command)
            #expect(answer.status == 0 && !answer.output.contains("\u{1B}[?1049h"), "\(answer)")
            #expect(answer.output.contains("examroom.results.published"), "\(answer)")
        }
    }

    @Test(arguments: ["keys", "resizing", "ending", "stopping"])
    func `on a terminal takes keys, and gives the terminal back as it was`(scenario: String) throws
    {
        let tool = try Self.journal()
        let script = Tree.root.appending(path: "Tests/Terminal/step.py").path
        let answer = try tool.run(
            "python3 '\(script)' \"$REPLAY\" \(scenario) examroom.exam EX-1")
        #expect(answer.status == 0, "\(answer.errors)")
    }
}
