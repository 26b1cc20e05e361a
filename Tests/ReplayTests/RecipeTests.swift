import Foundation
import TestSupport
import Testing

/// docs/recipes.md: what stands there can be typed, and answers so.
@Suite struct `Every recipe` {
    struct Recipe: Sendable, CustomTestStringConvertible {
        let scenario: String
        /// How many of its commands; nil for all.
        let count: Int?
        let script: String
        let answer: String

        var testDescription: String { String(script.prefix(60)) }
    }

    static let all: [Recipe] = {
        let text = (try? Tree.text("docs/recipes.md")) ?? ""
        let form = /<!-- (\S+), (\w+) -->\n```sh\n([^`]*)```\n\n```json\n([^`]*)\n```/
        return text.matches(of: form).map {
            Recipe(
                scenario: String($0.1), count: Int($0.2), script: String($0.3),
                answer: String($0.4))
        }
    }()

    @Test func `is found on the page`() throws {
        let blocks = try Tree.text("docs/recipes.md").matches(of: /```sh/).count
        #expect(Self.all.count == blocks && blocks >= 3)
    }

    @Test(arguments: all)
    func `answers as the page says`(recipe: Recipe) throws {
        let tool = try Tool()
        let commands = try Sample.commands(recipe.scenario).split(separator: "\n")
        let some = commands.prefix(recipe.count ?? .max).joined(separator: "\n") + "\n"
        _ = try tool.run("\"$REPLAY\" submit > /dev/null", given: some)
        let answer = try tool.run("replay() { \"$REPLAY\" \"$@\"; }\n\(recipe.script)")
        #expect(answer.status == 0, "\(answer.errors)")
        #expect(answer.output.contains(recipe.answer), "\(answer.output)")
    }
}
