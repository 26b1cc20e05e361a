import Foundation
import TestSupport
import Testing

/// The pages of `docs/contract/traceability/`: what each specification asks for, the rule that keeps it, and what shows it.
///
/// A row: `| FR-012 | what is asked, in a phrase | R4, R7 | what shows it |`. What shows it are files of `Examples/` and `Tests/`
/// in backticks, and names of tests in quotes; or `outside:` and why, where the matter is a screen's own.
private struct Requirement {
    let page: String
    let cells: [String]

    var number: String { cells[0] }
    var rules: String { cells[2] }
    var shown: String { cells[3] }
    var isOutside: Bool { shown.hasPrefix("outside: ") }

    static func all(of page: String) throws -> [Requirement] {
        try Tree.text(page).split(separator: "\n").compactMap { line in
            guard line.hasPrefix("| "), !line.hasPrefix("| number "), !line.hasPrefix("| ---")
            else {
                return nil
            }
            let cells = line.dropFirst().dropLast(line.hasSuffix("|") ? 1 : 0)
                .split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            return Requirement(page: page, cells: cells)
        }
    }

    /// What is wrong with the row; nothing if all that it names is there.
    func problems(rules known: Set<String>, tests: Set<String>) -> [String] {
        guard cells.count == 4, !cells.contains("") else {
            return ["has an empty cell, or not four"]
        }
        var problems: [String] = []
        for match in rules.matches(of: /\bR\d+\b/) where !known.contains(String(match.output)) {
            problems.append("there is no rule \(match.output)")
        }
        if isOutside { return problems }
        let files = shown.matches(of: /`([^`]+)`/).map { String($0.output.1) }
        for file in files where !Tree.exists(file) { problems.append("there is no \(file)") }
        let names = shown.matches(of: /"([^"]+)"/).map { String($0.output.1) }
        for name in names where !tests.contains(name) {
            problems.append("there is no test \"\(name)\"")
        }
        if files.isEmpty, names.isEmpty { problems.append("nothing shows it") }
        return problems
    }
}

@Suite struct `Traceability` {
    private static let pages = ["examroom", "quranflow", "learnable", "tafawoq"].map {
        "docs/contract/traceability/\($0).md"
    }

    @Test(arguments: pages)
    func `names rules, files and tests that are there`(page: String) throws {
        let product = String(page.split(separator: "/").last ?? "").prefix { $0 != "." }
        let book = try #require(RuleBook.all.first { $0.page == "\(product).md" })
        let known = Set(try book.rules().map(\.name))
        let tests = Set(try SourceFile.all("Tests").flatMap(\.testNames))
        for requirement in try Requirement.all(of: page) {
            let problems = requirement.problems(rules: known, tests: tests)
            #expect(problems.isEmpty, "\(page), \(requirement.number): \(problems)")
        }
    }

    @Test(arguments: pages)
    func `says of each requirement once where it went`(page: String) throws {
        let numbers = try Requirement.all(of: page).map(\.number)
        #expect(numbers.count > 50)
        #expect(Set(numbers).count == numbers.count, "a number comes twice")
    }

    @Test func `a row that names nothing that is there is found out`() {
        func problems(_ rules: String, _ shown: String) -> [String] {
            Requirement(page: "", cells: ["1.1", "asked", rules, shown])
                .problems(rules: ["R1"], tests: ["R1: is so"])
        }
        #expect(problems("R1", "\"R1: is so\"").isEmpty)
        #expect(problems("–", "outside: drawn by the screen").isEmpty)
        #expect(problems("R2", "\"R1: is so\"") == ["there is no rule R2"])
        #expect(problems("R1", "\"R1: is not so\"").count == 1)
        #expect(problems("R1", "`Examples/none.jsonl`").count == 1)
        #expect(problems("R1", "shown by hand") == ["nothing shows it"])
        #expect(problems("R1", "") == ["has an empty cell, or not four"])
    }
}
