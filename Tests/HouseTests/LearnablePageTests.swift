import Commands
import LearnableCommands
import Engine
import Core
import LearnableEvents
import Folding
import LearnableFacts
import Projections
import LearnableProjections
import TestSupport
import Testing

@Suite struct `The page of Learnable` {
    private let page: ContractPage

    init() throws { page = try ContractPage("learnable.md") }

    private static let prefix = "learnable."

    @Test func `lists the commands that there are`() {
        let wanted = Set(
            page.rows("Commands").compactMap { ContractPage.quoted($0[0]).first }
                .filter { $0.hasPrefix(Self.prefix) })
        #expect(wanted.count >= 50)
        // The shared page has this one for every product.
        let there = Set(Learnable.commands.map(\.name)).subtracting(["learnable.policy.adopt"])
        #expect(there == wanted)
    }

    @Test func `lists the rejections of these commands, and no other is there`() {
        let there = Set(Learnable.Rejection.allCases.map(\.rawValue))
        var wanted: Set<String> = [
            // Every product's
            "forbidden", "not-found", "already-exists", "clock-behind",
            // Order of checks
            "confirmation-required", "subscription-required", "daily-quiz-first",
            // learnable.policy.adopt
            "unknown-policy", "policy-value-invalid",
        ]
        for row in page.rows("Commands") where row[0].hasPrefix("`learnable.") {
            guard row.count >= 6, let cell = row.last else { continue }
            wanted.formUnion(ContractPage.quoted(ContractPage.withoutParentheses(cell)))
        }
        #expect(wanted.subtracting(there) == [], "not in Rejection")
        #expect(there.subtracting(wanted) == [], "not on the page")
    }

    @Test func `lists the events that there are, each with a route`() {
        let wanted = Set(
            page.rows("Events").flatMap { ContractPage.quoted($0[0]) }.filter {
                $0.contains(".") && $0 != "account.erased"
            }.map { Self.prefix + $0 })
        #expect(wanted.count >= 70)
        #expect(Set(Learnable.payloads.map(\.name)) == wanted)
        for type in wanted {
            #expect(Learnable.State.routes.payloads[type] != nil, "\(type) has no route")
        }
    }

    @Test func `describes the read models that there are`() {
        let described = Set(
            page.section("Read models").filter { $0.hasPrefix("### ") }
                .flatMap { ContractPage.quoted($0).prefix(1) })
        let there = Set(Learnable.readModels.map(\.name)).subtracting(["learnable.policy"])
        #expect(there == described)
    }

    @Test func `names the policies that there are`() {
        var wanted: Set<String> = []
        for row in page.rows("Policy") {
            for name in ContractPage.quoted(row[0]) {
                if name.hasPrefix("levels.L.") {
                    wanted.formUnion((1...4).map { name.replacing(".L.", with: ".\($0).") })
                } else {
                    wanted.insert(name)
                }
            }
        }
        #expect(wanted.count >= 50)
        #expect(Set(Learnable.Policy.entries.map(\.name)) == wanted)
    }

    @Test func `leads every requirement to something that is there, or out of the engine`() throws {
        var known = Set(Learnable.commands.map(\.name)).union(Learnable.payloads.map(\.name))
            .union(Learnable.readModels.map(\.name))
        known = known.union(known.map { String($0.dropFirst(Self.prefix.count)) })
        known.formUnion(Learnable.Policy.entries.map(\.name))
        known.formUnion(Learnable.Rejection.allCases.map(\.rawValue))
        known.formUnion(Learnable.Notification.Kind.allCases.map(\.rawValue))
        known.formUnion(["levels.*", "wizard.curriculumPresets", "addOns.*"])
        let rules = try RuleBook.all.first { $0.product == "Learnable" }?.rules().map(\.name) ?? []
        let rows = page.section("Where each requirement went").filter {
            $0.hasPrefix("| ") && !$0.hasPrefix("| source") && !$0.hasPrefix("| ---")
        }
        #expect(rows.count >= 75)
        for row in rows {
            let place = row.split(separator: "|").last.map { String($0) } ?? ""
            let isOutside = ["client", "AI service", "taken as FR-005"].contains {
                place.contains($0)
            }
            let isThere =
                ContractPage.quoted(place).contains { known.contains($0) }
                || place.matches(of: /R\d+/).contains { rules.contains(String($0.output)) }
                || ["canProceed", "extraQuestion", "questionsWanted", "landing", "blocks"].contains
                {
                    place.contains($0)
                } || place.contains("events")
            #expect(isThere || isOutside, "\(row)")
        }
    }
}
