import Commands
import ExamRoomCommands
import Engine
import Core
import ExamRoomEvents
import Folding
import ExamRoomFacts
import Foundation
import TestSupport
import Testing

/// A product's page, as far as tests read it.
struct ContractPage {
    private let text: String

    init(_ file: String) throws { text = try Tree.text("docs/contract/\(file)") }

    var lines: [Substring] { text.split(separator: "\n") }

    /// The lines between one heading and the next of its rank.
    func section(_ heading: String) -> [Substring] {
        let lines = text.split(separator: "\n")
        guard let start = lines.firstIndex(where: { $0 == "## \(heading)" }) else { return [] }
        return Array(lines[(start + 1)...].prefix { !$0.hasPrefix("## ") })
    }

    /// The cells of the table rows of a section.
    func rows(_ heading: String) -> [[String]] {
        section(heading).filter { $0.hasPrefix("| `") }.map { line in
            // A bar inside a cell is written `\|`.
            line.replacing("\\|", with: "\u{1}").split(separator: "|").map {
                $0.trimmingCharacters(in: .whitespaces).replacing("\u{1}", with: "|")
            }
        }
    }

    /// The paragraph that begins so.
    func paragraph(_ beginning: String) -> String {
        text.split(separator: "\n").first { $0.hasPrefix(beginning) }.map { String($0) } ?? ""
    }

    /// What stands between backticks.
    static func quoted(_ cell: some StringProtocol) -> [String] {
        String(cell).matches(of: /`([^`]*)`/).map { String($0.output.1) }
    }

    static func withoutParentheses(_ cell: String) -> String {
        cell.replacing(/\([^()]*(\([^()]*\)[^()]*)*\)/, with: "")
    }
}

@Suite struct `The page of ExamRoom` {
    private let page: ContractPage

    init() throws { page = try ContractPage("examroom.md") }

    // MARK: Policies

    private func pagePolicies() -> [String: String] {
        var policies: [String: String] = [:]
        for row in page.rows("Policy") {
            let names = ContractPage.quoted(row[0])
            let values = ContractPage.quoted(row[1])
            #expect(names.count == values.count, "\(row[0])")
            for (name, value) in zip(names, values) { policies[name] = value }
        }
        return policies
    }

    @Test func `names the policies that there are, with their defaults`() throws {
        var output = JSONOutput(names: Names())
        ExamRoom.Policy.write([], to: &output)
        let book = try JSON(parsing: output.json.bytes)
        let wanted = pagePolicies()
        #expect(wanted.count >= 40)
        for (name, value) in wanted.sorted(by: { $0.key < $1.key }) {
            let there = try #require(book[name], "no policy \(name)")
            #expect(there["default"] == (try JSON(parsing: Array(value.utf8))), "\(name)")
            #expect(there["value"] == there["default"], "\(name)")
            #expect(there["position"]?.isNull == true, "\(name)")
        }
        let names = Set((book.members ?? []).map(\.name))
        #expect(names.subtracting(wanted.keys) == [], "not on the page")
    }

    // MARK: Commands and rejections

    /// Codes of the page that belong to a part which is not built yet, with the reason.
    private static let later: [String: String] = [:]

    private func pageCommands() -> [String: [String]] {
        let details = codes(page.paragraph("*Details codes*"), upTo: "`attempts-open`:")
        let questions = codes(page.paragraph("*Question codes*"), upTo: nil)
        var commands: [String: [String]] = [:]
        for row in page.rows("Commands") where row.count >= 5 {
            guard let name = ContractPage.quoted(row[0]).first, let cell = row.last else {
                continue
            }
            let text = ContractPage.withoutParentheses(cell)
            var codes = ContractPage.quoted(text)
            if text.contains("*details codes*") { codes += details }
            if text.contains("*question codes*") { codes += questions }
            commands[name] = codes
        }
        return commands
    }

    private func codes(_ paragraph: String, upTo end: String?) -> [String] {
        var text = ContractPage.withoutParentheses(paragraph)
        if let end, let range = text.range(of: end) { text = String(text[..<range.lowerBound]) }
        return ContractPage.quoted(text)
    }

    @Test func `lists the commands that there are`() {
        let wanted = pageCommands()
        #expect(wanted.count >= 50)
        // The shared page has this one for every product.
        let there = Set(ExamRoom.commands.map(\.name)).subtracting(["examroom.policy.adopt"])
        #expect(there.subtracting(wanted.keys) == [], "not on the page")
    }

    @Test func `lists the rejections of these commands, and no other is there`() {
        let there = Set(ExamRoom.Rejection.allCases.map(\.rawValue))
        let known = Set(ExamRoom.commands.map(\.name))
        var wanted: Set<String> = [
            "forbidden", "not-found", "already-exists", "clock-behind",  // every product
            "session-required", "credential-change-required",  // Order of checks
            "unknown-policy", "policy-value-invalid",  // examroom.policy.adopt
        ]
        for (command, codes) in pageCommands() where known.contains(command) {
            wanted.formUnion(codes)
        }
        #expect(wanted.subtracting(there).subtracting(Self.later.keys) == [], "not in Rejection")
        #expect(there.subtracting(wanted) == [], "not on the page for a command that there is")
        for code in Self.later.keys where there.contains(code) {
            Issue.record("\(code) is there now: take it off the list")
        }
    }

    // MARK: Events

    /// Types without a route in Facts: no state and no view looks at them, each with the reason.
    private static let ignored: [String: String] = [:]

    @Test func `lists the events that there are`() {
        let wanted = Set(page.eventTypes)
        #expect(wanted.count >= 60)
        #expect(Set(ExamRoom.payloads.map(\.name)).subtracting(wanted) == [], "not on the page")
    }

    @Test(arguments: ExamRoom.payloads.map(\.name))
    func `has for every event that there is a route and a frozen payload`(type: String) throws {
        // Every event is watched; a route is what reads its payload.
        let isRouted = ExamRoom.State.routes.payloads[type] != nil
        #expect(isRouted != (Self.ignored[type] != nil), "a route, or a reason for none")
        let frozen = try Tree.text("Tests/EventTests/Fixtures/frozen-payloads.jsonl")
        #expect(frozen.contains("\"type\":\"\(type)\""), "no frozen payload")
    }

    @Test func `describes the read models that there are`() throws {
        let pages = [page, try ContractPage("learnable.md")]
        let described = Set(
            pages.flatMap { $0.section("Read models") }.filter { $0.hasPrefix("### ") }.flatMap {
                ContractPage.quoted($0)
            })
        let shared = try Tree.text("docs/contract/shared.md")
        let others = RuleBook.all.map { $0.product.lowercased() + "." }.filter { $0 != "examroom." }
        for model in try TemporaryJournal().open().models()
        where !others.contains(where: { model.name.hasPrefix($0) }) {
            let isThere =
                described.contains(model.name) || shared.contains("`\(model.name)`")
                || ["examroom.policy", "learnable.policy"].contains(model.name)
            #expect(isThere, "\(model.name) is on no page")
        }
    }
}
