import Commands
import QuranFlowCommands
import Engine
import Core
import QuranFlowEvents
import Folding
import QuranFlowFacts
import Foundation
import Projections
import QuranFlowProjections
import TestSupport
import Testing

/// The page of QuranFlow against the code: what the one lists the other has, and the other way round.
@Suite struct `The page of QuranFlow` {
    private let page: ContractPage

    init() throws { page = try ContractPage("quranflow.md") }

    @Test func `names the policies that there are, with their defaults`() throws {
        var output = JSONOutput(names: Names())
        QuranFlow.Policy.write([], to: &output)
        let book = try JSON(parsing: output.json.bytes)
        var wanted: [String: String] = [:]
        for row in page.rows("Policy") {
            let name = ContractPage.quoted(row[0]).first ?? ""
            wanted[name] = ContractPage.quoted(row[1]).first ?? row[1]
        }
        #expect(wanted.count == 39)
        for (name, value) in wanted.sorted(by: { $0.key < $1.key }) {
            let there = try #require(book[name], "no policy \(name)")
            #expect(there["default"] == (try JSON(parsing: Array(value.utf8))), "\(name)")
            #expect(there["value"] == there["default"], "\(name)")
        }
        #expect(Set((book.members ?? []).map(\.name)).subtracting(wanted.keys) == [])
    }

    private var commandRows: [(name: String, codes: [String])] {
        page.rows("Commands").filter { $0.count == 5 }.compactMap { row in
            ContractPage.quoted(row[0]).first.map {
                ($0, ContractPage.quoted(ContractPage.withoutParentheses(row[4])))
            }
        }
    }

    @Test func `lists the commands that there are`() {
        let wanted = Set(commandRows.map(\.name))
        #expect(wanted.count == 59)
        #expect(Set(QuranFlow.commands.map(\.name)) == wanted)
    }

    @Test func `lists the rejections of these commands, and no other is there`() {
        let shared = ["forbidden", "not-found", "already-exists", "clock-behind"]
        let wanted = Set(commandRows.flatMap(\.codes) + shared)
        #expect(Set(QuranFlow.Rejection.allCases.map(\.rawValue)) == wanted)
    }

    private var eventTypes: Set<String> {
        Set(page.rows("Events").flatMap { ContractPage.quoted($0[0]) }.map { "quranflow.\($0)" })
    }

    @Test func `lists the events that there are`() {
        #expect(Set(QuranFlow.payloads.map(\.name)) == eventTypes)
    }

    @Test(arguments: QuranFlow.payloads.map(\.name))
    func `has for every event that there is a route and a frozen payload`(type: String) throws {
        #expect(QuranFlow.State.routes.payloads[type] != nil, "no route")
        let frozen = try Tree.text("Tests/EventTests/Fixtures/frozen-payloads.jsonl")
        #expect(frozen.contains("\"type\":\"\(type)\""), "no frozen payload")
    }

    @Test func `names the fields of every event, and no other`() throws {
        for row in page.rows("Events") {
            let names = ContractPage.quoted(row[0])
            // Two types in a row share their fields, or say after a semicolon that the second has none.
            let parts = row[2].split(separator: ";").map { String($0) }
            for (place, name) in names.enumerated() {
                let cell = place < parts.count ? parts[place] : parts[0]
                let type = try #require(QuranFlow.payloads.first { $0.name == "quranflow.\(name)" })
                let wanted = Self.fields(cell)
                let switches = [
                    "announcements", "deadlines", "email", "feedback", "push", "sessions",
                ]
                let expected = name == "notifications.chosen" ? Set(switches) : wanted.all
                #expect(Set(Self.names(inSchema: type.schema)) == expected, "\(name)")
                #expect(Set(type.personalFields) == wanted.personal, "\(name)")
            }
        }
    }

    private static func fields(_ cell: String) -> (all: Set<String>, personal: Set<String>) {
        let plain = ContractPage.withoutParentheses(cell)
        let found = plain.matches(of: /`([A-Za-z]+)`(\*?)/)
        return (
            Set(found.map { String($0.output.1) }),
            Set(found.filter { $0.output.2 == "*" }.map { String($0.output.1) })
        )
    }

    /// The names at the top level of `{name:form,…}`.
    private static func names(inSchema schema: String) -> [String] {
        var names: [String] = []
        var name = ""
        var depth = 0
        var isName = true
        for character in schema.dropFirst().dropLast() {
            switch character {
            case "{", "[", "(":
                depth += 1
                isName = false
            case "}", "]", ")": depth -= 1
            case ":" where depth == 0:
                names.append(name.filter { $0.isLetter })
                isName = false
            case "," where depth == 0:
                name = ""
                isName = true
            default: if isName, depth == 0 { name.append(character) }
            }
        }
        return names
    }

    @Test func `describes the read models that there are`() {
        let headed = page.section("Read models").filter { $0.hasPrefix("### ") }
            .flatMap { ContractPage.quoted($0) }
        let staff = page.section("Read models").filter { $0.hasPrefix("- `quranflow.") }
            .compactMap { ContractPage.quoted($0).first }
        let wanted = Set((headed + staff).filter { $0.hasPrefix("quranflow.") })
        let there = Set(QuranFlow.readModels.map(\.name)).subtracting(["quranflow.policy"])
        #expect(there == wanted)
    }

    @Test func `names the timers that there are`() {
        let wanted = page.rows("Timers").compactMap { ContractPage.quoted($0[0]).first }
        #expect(wanted.count == 12)
        for name in wanted {
            let example = name.replacing(":NN", with: ":07").replacing(":HHH", with: ":048")
            #expect(QuranFlow.TimerName(example)?.text == example)
        }
    }

    @Test func `lists the notifications that there are`() {
        var wanted: Set<String> = []
        for row in page.rows("Notifications") {
            var names = ContractPage.quoted(row[0])
            let first = names.first ?? ""
            let start = first.prefix { $0 != "-" }
            for (place, name) in names.enumerated() where name.hasPrefix("-") {
                names[place] = start + name
            }
            wanted.formUnion(names)
        }
        #expect(Set(QuranFlow.Notification.Kind.allCases.map(\.rawValue)) == wanted)
    }

    // MARK: Where each requirement went

    private static let requirements = "Where each requirement went"

    private var requirementRows: [(source: String, place: String)] {
        page.section(Self.requirements).filter { $0.hasPrefix("| ") }.compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 2, cells[0] != "source", cells[0] != "---" else { return nil }
            return (cells[0], cells[1])
        }
    }

    @Test func `says of every requirement where it went, in words that the page defines`() throws {
        let book = try #require(RuleBook.all.first { $0.product == "QuranFlow" })
        let rules = try Set(book.rules().map(\.number))
        let table = Set(page.section(Self.requirements))
        let rest = page.lines.filter { !table.contains($0) }.joined(separator: "\n")
        let words = Set(rest.matches(of: /[A-Za-z]+/).map { String($0.output) })
        #expect(requirementRows.count > 100)
        for row in requirementRows {
            #expect(!row.place.isEmpty, "\(row.source) went nowhere")
            let unknown = book.cited(in: row.place, ranges: true).subtracting(rules)
            #expect(unknown.isEmpty, "\(row.source): R\(unknown)")
            for name in ContractPage.quoted(row.place) where !name.contains(" ") {
                let strange = name.matches(of: /[A-Za-z]+/).map { String($0.output) }
                    .filter { !words.contains($0) && $0 != "NN" && $0 != "HHH" }
                #expect(strange.isEmpty, "\(row.source): `\(name)`")
            }
        }
    }
}
