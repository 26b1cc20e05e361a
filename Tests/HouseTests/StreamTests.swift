import Core
import ExamRoomEvents
import QuranFlowEvents
import LearnableEvents
import TafawoqEvents
import TestSupport
import Testing

/// An import holds each event to the streams of its type (`ImportCheck`): they are those of the pages.
@Suite struct `The streams of events` {
    static let payloads = [
        "examroom": ExamRoom.payloads, "learnable": Learnable.payloads,
        "quranflow": QuranFlow.payloads, "tafawoq": Tafawoq.payloads,
    ]

    @Test(arguments: ["examroom", "learnable", "quranflow", "tafawoq"])
    func `are those that the product's page names`(product: String) throws {
        let rows = try ContractPage("\(product).md").rows("Events")
            .filter { $0.count == 4 && !$0[1].isEmpty }
        var nouns: [String: [String]] = [:]
        for row in rows {
            let types = Self.types(in: row[0], of: product)
            let named = ContractPage.quoted(ContractPage.withoutParentheses(row[1]))
            // `product/noun/ID`, `noun/ID`, or in words: "exam or practice" each, "exam, practice" in turn.
            let found =
                named.isEmpty
                ? row[1].matches(of: /[a-z]{4,}/).map { String($0.output) }
                : named.map {
                    $0.split(separator: "/").first { $0 != product }.map(String.init) ?? ""
                }
            for (index, type) in types.enumerated() {
                nouns[type] = row[1].contains(",") ? [found[index]] : found.sorted()
            }
        }
        let payloads = try #require(Self.payloads[product])
        for payload in payloads {
            #expect(
                nouns[payload.name] == payload.streams.sorted(),
                "\(payload.name): the page says \(nouns[payload.name] ?? [])")
        }
    }

    /// Whole names, or what differs from the name before: "`exam.archived`, `.unarchived`".
    static func types(in cell: String, of product: String) -> [String] {
        var types: [String] = []
        for name in ContractPage.quoted(cell) {
            if name.hasPrefix("."), let last = types.last?.lastIndex(of: ".") {
                types.append(types[types.count - 1][..<last] + name)
            } else if name.hasPrefix("\(product).") || name == "account.erased" {
                types.append(name)
            } else {
                types.append("\(product).\(name)")
            }
        }
        return types
    }
}
