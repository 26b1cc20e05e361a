import Core
import TafawoqEvents
import Foundation
import TestSupport
import Testing

@testable import Projections
@testable import TafawoqProjections

@Suite struct `Tafawoq's texts` {
    /// The rows of the page's tables of texts: name, English, Arabic.
    private func rows() throws -> [[String]] {
        let page = try Tree.text("docs/contract/tafawoq.md")
        let part = page.split(separator: "## Texts").last.map { String($0) } ?? ""
        return part.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }.filter { $0.count == 3 }
    }

    @Test func `are those of the page, byte for byte`() throws {
        var wanted: [String: [String]] = [:]
        for row in try rows() {
            let name = row[0].replacing("`", with: "")
            if wanted[name] == nil { wanted[name] = row }
        }
        let tables = [Tafawoq.Texts.labels, Tafawoq.Texts.notices]
        for table in tables {
            for (name, text) in table {
                #expect(wanted[name]?[1].isExactly(text.english) == true, "\(name)")
                #expect(wanted[name]?[2].isExactly(text.arabic) == true, "\(name)")
            }
        }
        for (name, text) in Tafawoq.Texts.advice {
            let row = wanted[
                name == "practise-category-again" ? "practise-category (practice)" : name]
            #expect(row?[1].isExactly(text.english) == true, "\(name)")
            #expect(row?[2].isExactly(text.arabic) == true, "\(name)")
        }
    }

    @Test func `name milestones in both languages`() throws {
        for row in try rows() {
            guard let match = row[0].firstMatch(of: /\(here ([a-z0-9-]+)\)/) else { continue }
            let text = Tafawoq.Texts.milestone(String(match.output.1))
            #expect(text.english.isExactly(row[1]))
            #expect(text.arabic.isExactly(row[2]))
        }
    }
}
