import Foundation
import TestSupport
import Testing

@Suite struct `The list of commands` {
    @Test func `has an example of each that is read, whatever comes of it`() throws {
        let tool = try Tool()
        let listed = try tool.run("\"$REPLAY\" commands --json")
        #expect(listed.lines.count > 200)
        let examples = try tool.run("\"$REPLAY\" commands --json | jq -c .example")
        let answers = try tool.run("\"$REPLAY\" submit", given: examples.output)
        #expect(answers.lines.count == listed.lines.count)
        for (line, answer) in zip(examples.lines, answers.lines)
        where answer.contains("\"code\":\"malformed\"") || answer.contains("unknown-command") {
            Issue.record("\(line)\n\(answer)")
        }
    }

    @Test func `says of each field its form and whether it may be left out`() throws {
        let tool = try Tool()
        let answer = try tool.run("\"$REPLAY\" commands examroom.session.start")
        #expect(answer.lines.count == 1)
        #expect(
            answer.output.contains(#"{"form":"id(account)","name":"account","optional":false}"#),
            "\(answer.output)")
        #expect(answer.output.contains(#""name":"ip","optional":true"#), "\(answer.output)")
        #expect(answer.output.contains(#""senders":["#), "\(answer.output)")
    }
}

@Suite struct `A present before the events` {
    private static let question = "\"$REPLAY\" show examroom.account A-1 --now"

    @Test func `is warned of, and the document is the same`() throws {
        let tool = try Tool()
        _ = try tool.run("\"$REPLAY\" submit", given: Sample.register(1))
        let early = try tool.run("\(Self.question) 2026-02-01T00:00:00Z")
        #expect(early.status == 0)
        #expect(
            early.errors.contains("warning: --now 2026-02-01T00:00:00Z is earlier than event 1"))
        #expect(early.errors.split(separator: "\n").count == 1)
        let late = try tool.run("\(Self.question) 2026-02-03T00:00:00Z")
        #expect(late.errors == "" && late.output == early.output)
    }

    @Test func `is fine with an earlier moment, and where nothing later counts`() throws {
        let tool = try Tool()
        _ = try tool.run(
            "\"$REPLAY\" submit", given: Sample.register(1) + "\n" + Sample.tick)
        let asked = try tool.run(
            "\(Self.question) 2026-02-01T00:00:00Z --as-of 2026-02-01T00:00:00Z")
        #expect(asked.errors == "" && asked.output == "null\n", "\(asked)")
        let other = try tool.run(
            "\"$REPLAY\" show examroom.exam EX-1 --now 2026-02-01T00:00:00Z")
        #expect(other.errors == "", "an exam does not rest on accounts: \(other.errors)")
    }
}
