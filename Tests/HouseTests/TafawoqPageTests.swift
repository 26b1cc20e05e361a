import Commands
import TafawoqCommands
import Core
import TafawoqEvents
import Folding
import TafawoqFacts
import Projections
import TafawoqProjections
import TestSupport
import Testing

@Suite struct `The page of Tafawoq` {
    private let page: ContractPage

    init() throws { page = try ContractPage("tafawoq.md") }

    private static let prefix = "tafawoq."

    private func names(_ heading: String) -> Set<String> {
        Set(
            page.rows(heading).flatMap { ContractPage.quoted($0[0]) }.filter { $0.contains(".") }
                .map { Self.prefix + $0 })
    }

    @Test func `lists the commands that there are`() {
        #expect(names("Commands").count >= 40)
        #expect(Set(Tafawoq.commands.map(\.name)) == names("Commands"))
    }

    @Test func `lists the codes of the commands, each of which has its texts`() {
        let there = Set(Tafawoq.Rejection.allCases.map(\.rawValue))
        var wanted: Set<String> = []
        for row in page.rows("Commands") where row.count >= 5 {
            guard let cell = row.last else { continue }
            wanted.formUnion(
                ContractPage.quoted(ContractPage.withoutParentheses(cell))
                    .filter { !$0.contains(".") })
        }
        #expect(wanted.count >= 50)
        #expect(wanted.subtracting(there) == [])
    }

    @Test func `lists the events that there are, each with a frozen payload`() throws {
        #expect(names("Events").count >= 55)
        #expect(Set(Tafawoq.payloads.map(\.name)) == names("Events"))
        let frozen = try Tree.text("Tests/EventTests/Fixtures/frozen-payloads.jsonl")
        for type in Tafawoq.payloads {
            #expect(frozen.contains("\"type\":\"\(type.name)\""), "\(type.name)")
            #expect(Tafawoq.State.routes.handler(of: type.name) != nil, "\(type.name)")
        }
    }

    @Test func `names the policies that there are, with their defaults`() throws {
        var output = JSONOutput(names: Names())
        Tafawoq.Policy.write([], to: &output)
        let book = try JSON(parsing: output.json.bytes)
        var wanted: Set<String> = []
        for row in page.rows("Policy").prefix(100) where row.count >= 4 {
            guard let name = ContractPage.quoted(row[0]).first, row[0] == "`\(name)`" else {
                continue
            }
            wanted.insert(name)
            guard !["bands", "tour"].contains(name) else { continue }
            #expect(book[name]?["default"] == (try JSON(parsing: Array(row[1].utf8))), "\(name)")
        }
        #expect(wanted.count == Tafawoq.Policy.entries.count)
        #expect(Set((book.members ?? []).map(\.name)) == wanted)
    }

    @Test func `describes the read models that there are`() {
        let described = Set(
            page.section("Read models").flatMap { line in
                line.matches(of: /\*\*`([a-z-]+)`\*\*/).map { String($0.output.1) }
            })
        #expect(
            Set(Tafawoq.readModels.map { $0.name.replacing(Self.prefix, with: "") })
                == described.union(["policy"]))
    }

    @Test func `has the codes' messages in both languages, as they are said`() {
        let rows = page.rows("Texts").filter { $0.count == 3 }
        for rejection in Tafawoq.Rejection.allCases {
            let row = rows.last { $0[0] == "`\(rejection.rawValue)`" }
            #expect(row?[1] == rejection.message, "\(rejection.rawValue)")
            #expect(row?[2] == rejection.messageAr, "\(rejection.rawValue)")
        }
    }

    @Test func `leads every requirement to something that is there, or out of the engine`() throws {
        var known = Set(Tafawoq.commands.map(\.name)).union(Tafawoq.payloads.map(\.name))
            .union(Tafawoq.readModels.map(\.name))
        known = Set(known.map { String($0.dropFirst(Self.prefix.count)) })
        known.formUnion(Tafawoq.Policy.entries.map(\.name))
        known.formUnion(Tafawoq.Rejection.allCases.map(\.rawValue))
        known.formUnion(Tafawoq.Notification.Kind.allCases.map(\.rawValue))
        let rules = try RuleBook.all.first { $0.product == "Tafawoq" }?.rules().map(\.name) ?? []
        let rows = page.section("Where each requirement went").filter {
            $0.hasPrefix("| M ") || $0.hasPrefix("| D ")
        }
        #expect(rows.count >= 250)
        for row in rows {
            let place = row.split(separator: "|").last.map { String($0) } ?? ""
            let isOutside = [
                "client", "outside", "operation of the service", "no rule", "provider",
            ]
            .contains { place.contains($0) }
            let isThere =
                ContractPage.quoted(place).contains { quoted in
                    known.contains { quoted.hasPrefix($0) } || quoted.hasPrefix("free.")
                        || quoted.hasPrefix("premium.")
                } || place.matches(of: /R\d+/).contains { rules.contains(String($0.output)) }
            #expect(
                isThere || isOutside || place.contains("stream") || place.contains("labels")
                    || place.contains("question objects") || place.contains("Arabic")
                    || place.contains("image") || place.contains("passages")
                    || place.contains("events are kept") || place.contains("difficulty")
                    || place.contains("timer") || place.contains("track")
                    || place.contains("text of") || place.contains("Seconds"), "\(row)")
        }
    }
}
