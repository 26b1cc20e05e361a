package import Engine
package import Core
import Foundation

/// A scenario file (docs/contract/scenarios.py): commands with the outcomes that they must have,
/// and questions with their answers, run in this process on a fresh journal.
package struct Scenario: Sendable {
    package let name: String
    /// The folder that it stands in, such as `examroom`.
    package let product: String
    package let steps: [Step]

    package struct Step: Sendable {
        package let line: Int
        package let kind: Kind
    }

    package enum Kind: Sendable {
        case submit(JSON, expect: JSON)
        case show(String, key: String?, ShowRequest, expect: JSON)
        case note
    }

    /// What `recordedAt` says in every scenario and property.
    package static let clock = "2026-06-01T00:00:00Z"

    /// Reads a file of the checkout.
    package init(file: String) throws {
        let url = URL(filePath: file)
        name = url.deletingPathExtension().lastPathComponent
        product = url.deletingLastPathComponent().lastPathComponent
        let lines = try Tree.text(file).split(separator: "\n", omittingEmptySubsequences: false)
        steps = try lines.enumerated().compactMap { index, line in
            if line.allSatisfy(\.isWhitespace) { return nil }
            let json = try JSON(parsing: Array(line.utf8))
            return Step(line: index + 1, kind: try Self.kind(json, index + 1))
        }
    }

    private static func kind(_ json: JSON, _ line: Int) throws -> Kind {
        if let command = json["do"] {
            // What is submitted is the canonical form of what stands in the file; a number that
            // this would rewrite (`5.0`) needs another way to be told.
            guard try JSON(parsing: command.canonical) == command else {
                throw Unreadable(line: line, what: "its canonical form is another command")
            }
            return .submit(command, expect: json["expect"] ?? .object([]))
        }
        guard let model = json["show"]?.string else { return .note }
        var request = ShowRequest()
        for member in json["args"]?.members ?? [] {
            request.arguments[member.name] = member.value.string ?? member.value.description
        }
        request.asOf = json["asOf"].flatMap {
            $0.isNull ? nil : Moment($0.string ?? $0.description)
        }
        request.now = json["now"]?.string.flatMap { Instant(rfc3339: $0) }
        guard let expect = json["expect"] else {
            throw Unreadable(line: line, what: "a question without its answer")
        }
        return .show(model, key: json["key"]?.string, request, expect: expect)
    }

    package struct Unreadable: Error, CustomStringConvertible {
        let line: Int
        let what: String
        package var description: String { "line \(line): \(what)" }
    }

    /// The command types that it submits.
    package var commands: Set<String> {
        Set(
            steps.compactMap {
                guard case .submit(let command, _) = $0.kind else { return nil }
                return command["command"]?.string
            })
    }

    /// What a question of a scenario was answered.
    package struct Shown: Sendable {
        package let line: Int
        package let model: String
        package let key: String?
        package let now: Instant?
        package let document: JSON
    }

    /// Everything that does not hold, a line each. The engine stands as the scenario left it.
    package func run(on engine: EventEngine, shown: (Shown) -> Void = { _ in }) throws -> [String] {
        var problems: [String] = []
        for step in steps {
            switch step.kind {
            case .submit(let command, let expect):
                let outcomes = try engine.submit([command.canonical], clock: Self.clock)
                let outcome = try JSON(parsing: outcomes[0].document.bytes)
                if let found = Matching.difference(expect, outcome) {
                    let type = command["command"]?.string ?? "?"
                    problems.append("line \(step.line): \(type): \(found) in \(outcome)")
                }
            case .show(let model, let key, let request, let expect):
                do throws(EngineError) {
                    let document = try engine.show(model, key: key, request)
                    guard let json = try? JSON(parsing: document.bytes) else { continue }
                    shown(
                        Shown(
                            line: step.line, model: model, key: key, now: request.now,
                            document: json))
                    if let found = Matching.difference(expect, json) {
                        problems.append("line \(step.line): show \(model) \(key ?? ""): \(found)")
                    }
                } catch {
                    problems.append("line \(step.line): show \(model) \(key ?? ""): \(error)")
                }
            case .note: break
            }
        }
        return problems
    }
}
