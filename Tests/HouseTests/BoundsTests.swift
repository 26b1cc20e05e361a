import Commands
import Core
import ExamRoomCommands
import ExamRoomEvents
import LearnableCommands
import LearnableEvents
import QuranFlowCommands
import QuranFlowEvents
import TafawoqCommands
import TafawoqEvents
import Testing

@testable import Engine

/// What can be asked of any command of a product, whatever its Swift type.
private struct SentCommand: Sendable {
    let name: String
    /// Data of its form: the smallest, the fullest, and what lies between.
    let examples: [JSON]
    /// Why the data are refused; nil if they can be read.
    let problem: @Sendable (JSON) -> String?

    static func all<P: Rules>(of rules: P.Type) -> [SentCommand] {
        P.commands.map { command in
            SentCommand(name: command.name, examples: examples(of: command.type)) { data in
                var input = JSONInput(names: Names(), path: "data")
                guard command.read(data, &input) == nil else { return nil }
                return input.problem ?? "not of the form"
            }
        }
    }

    private static func examples<C: ProductCommand>(of type: C.Type) -> [JSON] {
        let others = (otherData[C.type] ?? []).compactMap { try? JSON(parsing: Array($0.utf8)) }
        return SchemaText.examples(of: C.schema) + others
    }

    /// Data with fields that only go with some value of another one.
    private static let otherData: [String: [String]] = {
        let blocks = #""blocks":[{"kind":"code","language":"swift","text":"1"}]"#
        let free = #"{"format":"free-text","text":"?","answer":"a","explanation":"e"}"#
        let choice =
            #"{"format":"multiple-choice","text":"?","options":["a","b"],"correct":1,"explanation":"e"}"#
        let topic = #""subject":"S","topic":"1.1""#
        return [
            "learnable.tone.deliver-preview": [#"{"draft":"D","request":1,\#(blocks)}"#],
            "learnable.topic.deliver": [
                "{\(topic),\(blocks),\"engagement\":\(free)}",
                "{\(topic),\(blocks),\"engagement\":\(choice)}",
            ],
            "learnable.engagement.ask-another": [
                "{\(topic),\"question\":\(free)}", "{\(topic),\"question\":\(choice)}",
            ],
            "learnable.chat.send": [#"{\#(topic),"message":"M",\#(blocks)}"#],
            "learnable.chat.reply": [#"{"subject":"S","message":"M",\#(blocks)}"#],
            "learnable.question.pool": [
                #"{\#(topic),"questions":[{"question":"Q","variants":[{"level":1,\#(free.dropFirst())]}]}"#
            ],
            "examroom.export.make": [
                #"{"export":"E","scope":"audit","format":"csv","filters":{"from":"2026-02-01","to":"2026-02-02","user":"u","action":"a","exam":"e","search":"s"}}"#
            ],
            "quranflow.font.choose": [#"{"student":"S-1","font":"f","size":20}"#],
            "tafawoq.otp.request": [
                #"{"email":"a@example.org","purpose":"reset","otpDigest":"\#(String(repeating: "0", count: 64))"}"#
            ],
        ]
    }()

    /// The places of texts and numbers in the data of its form, by their paths.
    var places: [String: Leaf] {
        var found: [String: Leaf] = [:]
        for example in examples where problem(example) == nil {
            for leaf in Leaf.all(of: example) where found[leaf.path] == nil {
                found[leaf.path] = leaf
            }
        }
        return found
    }
}

/// A text or a number in data, and the data with another one in its place.
private struct Leaf {
    let path: String
    let value: JSON
    let with: (JSON) -> JSON

    /// Whether a reason says which field it is; of an object with names of its own, the object.
    func isNamed(in problem: String) -> Bool {
        path.replacing("[]", with: "").split(separator: ".").suffix(2)
            .contains { problem.contains($0) }
    }

    static func all(of json: JSON) -> [Leaf] {
        all(of: json, path: "") { $0 }
    }

    private static func all(
        of json: JSON, path: String, _ put: @escaping (JSON) -> JSON
    ) -> [Leaf] {
        switch json {
        case .string, .number: [Leaf(path: path, value: json, with: put)]
        case .array(let items):
            items.indices.flatMap { index in
                all(of: items[index], path: "\(path)[]") { new in
                    var items = items
                    items[index] = new
                    return put(.array(items))
                }
            }
        case .object(let members):
            members.indices.flatMap { index in
                let name = members[index].name
                return all(of: members[index].value, path: "\(path).\(name)") { new in
                    var members = members
                    members[index].value = new
                    return put(.object(members))
                }
            }
        default: []
        }
    }
}

@Suite struct `The data of every command` {
    private static let commands =
        SentCommand.all(of: Learnable.self) + SentCommand.all(of: QuranFlow.self)
        + SentCommand.all(of: Tafawoq.self) + SentCommand.all(of: ExamRoom.self)

    /// Whose values are judged by what they mean: a policy's by its entries (`policy-value-invalid`), a position
    /// by the journal's end (`seen-unknown`), a percentage by its own code, seconds on a question by what is possible
    /// (R18), the score of a former attempt by its highest, and what has any form by what reads it.
    private static func isJudgedElsewhere(_ command: String, _ path: String) -> Bool {
        command.hasSuffix(".policy.adopt") && path.hasPrefix(".changes")
            || [
                "examroom.device.merge.seen", "examroom.sync.complete.through",
                "examroom.answer.save.seconds", "examroom.time.log.seconds",
                "examroom.attempt.import.score", "examroom.attempt.import.maxScore",
                "examroom.exam.create.passPercent", "examroom.exam.revise.changes.passPercent",
                "examroom.import.apply.document.name", "examroom.item.import.content.name",
                "examroom.device.merge.commands[].data.name",
            ].contains(command + path)
    }

    @Test func `has a longest length for each text and a range for each number`() {
        let long = JSON.string(String(repeating: "x", count: Bounds.text.upperBound + 1))
        // Above every span and size that a page allows.
        let large = JSON.integer(Int64(ExamRoom.Storage.sizes.upperBound) + 1)
        var places = 0
        for command in Self.commands {
            for (path, leaf) in command.places.sorted(by: { $0.key < $1.key })
            where !Self.isJudgedElsewhere(command.name, path) {
                places += 1
                let isText = leaf.value.string != nil
                let problem = command.problem(leaf.with(isText ? long : large))
                #expect(
                    problem.map { leaf.isNamed(in: $0) } == true,
                    "\(command.name)\(path): \(problem ?? "taken")")
            }
        }
        #expect(places > 500)
    }

    @Test func `can be read in one of the examples of its form, with each of its fields`() {
        for command in Self.commands where !command.name.hasSuffix(".policy.adopt") {
            let there = Set(command.places.keys)
            let wanted = Set(command.examples.flatMap { Leaf.all(of: $0) }.map(\.path))
            #expect(wanted.subtracting(there).sorted() == [], "\(command.name)")
        }
    }
}
