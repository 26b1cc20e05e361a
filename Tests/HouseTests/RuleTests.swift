import Foundation
import TestSupport
import Testing

/// A product's page with its rules. Another product is another line in `all`.
struct RuleBook: Sendable, CustomTestStringConvertible {
    let product: String
    let page: String
    /// Rules of parts that are not built yet, each with the reason.
    let later: [String: String]

    static let all = [
        RuleBook(product: "ExamRoom", page: "examroom.md", later: Later.rules),
        RuleBook(product: "QuranFlow", page: "quranflow.md", later: [:]),
        RuleBook(product: "Learnable", page: "learnable.md", later: [:]),
        RuleBook(product: "Tafawoq", page: "tafawoq.md", later: [:]),
    ]

    var testDescription: String { page }

    /// A rule's number and text; budgets are about time and are kept by benchmarks.
    struct Rule {
        let number: Int
        let text: Substring
        var name: String { "R\(number)" }
        var isBudget: Bool { text.hasPrefix("Budgets:") }
    }

    func rules() throws -> [Rule] {
        let text = try Tree.text("docs/contract/\(page)")
        return text.matches(of: /(?m)^(?:- )?\*\*R(\d+)(?:\*\*| [^*]*\*\*),? (.*)$/).compactMap {
            match in
            Int(match.output.1).map { Rule(number: $0, text: match.output.2) }
        }
    }

    /// Files of a folder but for those of other products.
    private func files(_ folder: String) throws -> [SourceFile] {
        let others = Products.names.filter { $0 != product }
        return try SourceFile.all(folder).filter { file in
            let folders = file.path.split(separator: "/")
            return !others.contains { folders.contains(Substring($0)) }
        }
    }

    /// The rules that a text cites; not those of another product, named just before. A range
    /// stands for all that it covers.
    func cited(in text: some StringProtocol, ranges: Bool) -> Set<Int> {
        var found: Set<Int> = []
        for match in String(text).matches(of: /(?:(\w+) )?\bR(\d+)\b(?:(?:-| to )R(\d+)\b)?/) {
            let word = match.output.1.map { String($0) } ?? ""
            if word != product, Products.names.contains(word) { continue }
            guard let first = Int(match.output.2) else { continue }
            let last = match.output.3.flatMap { Int($0) } ?? first
            if last == first { found.insert(first) }
            if last > first, ranges { found.formUnion(first...last) }
        }
        return found
    }

    /// The rules cited in comments of the code.
    func citedInCode(_ folder: String = "Sources") throws -> Set<Int> {
        try files(folder).reduce(into: []) { found, file in
            for comment in file.comments {
                found.formUnion(cited(in: comment, ranges: true))
            }
        }
    }

    /// The rules cited in the name of a test, or in a comment directly above one.
    func citedByTests() throws -> Set<Int> {
        try files("Tests").filter { !$0.path.hasPrefix("Tests/HouseTests/") }
            .reduce(into: []) { found, file in
                for name in file.testNames {
                    found.formUnion(cited(in: name, ranges: false))
                }
            }
    }
}

extension SourceFile {
    /// What stands behind `//`, a line each.
    fileprivate var comments: [Substring] {
        text.split(separator: "\n").compactMap { line in
            line.range(of: "//").map { line[$0.upperBound...] }
        }
    }

    /// The names of the tests, each with the comment directly above it.
    var testNames: [String] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var names: [String] = []
        for index in lines.indices where lines[index].contains(/^\s*@Test\b/) {
            let above = lines[..<index].reversed().prefix { $0.contains(/^\s*\/\//) }
            names += above.map { String($0) }
            // Up to the function's own line: the display name, or a name between backticks.
            var head = ""
            for line in lines[index...] {
                head += line + "\n"
                if line.contains(/\bfunc\b/) { break }
            }
            if let match = head.firstMatch(of: /@Test\(\s*"((?:[^"\\]|\\.)*)"/) {
                names.append(String(match.output.1))
            }
            if let match = head.firstMatch(of: /func `([^`]+)`/) {
                names.append(String(match.output.1))
            }
        }
        return names
    }
}

@Suite struct `The rules of a page` {
    private func names(_ rules: [RuleBook.Rule]) -> String {
        rules.map(\.name).joined(separator: ", ")
    }

    @Test(arguments: RuleBook.all)
    func `are numbered without gaps`(book: RuleBook) throws {
        let numbers = try book.rules().map(\.number)
        #expect(!numbers.isEmpty)
        #expect(numbers == Array(1..<numbers.count + 1))
        let unknown = Set(book.later.keys).subtracting(try book.rules().map(\.name))
        #expect(unknown == [], "no rules of the page")
    }

    @Test(arguments: RuleBook.all)
    func `are cited where the code keeps them, and by a test that proves them`(
        book: RuleBook
    ) throws {
        let rules = try book.rules().filter { !$0.isBudget }
        let code = try book.citedInCode()
        let tests = try book.citedByTests()
        let due = rules.filter { book.later[$0.name] == nil }
        let uncoded = due.filter { !code.contains($0.number) }
        #expect(uncoded.isEmpty, "no comment under Sources cites \(names(uncoded))")
        let untested = due.filter { !tests.contains($0.number) }
        #expect(untested.isEmpty, "no test is named for \(names(untested))")
        for rule in rules where book.later[rule.name] != nil {
            let isCovered = code.contains(rule.number) && tests.contains(rule.number)
            #expect(!isCovered, "\(rule.name) is there now: take it off the list")
        }
        let unknown = code.union(tests).subtracting(try book.rules().map(\.number))
        #expect(unknown.isEmpty, "cited, but not on the page: \(unknown.sorted())")
    }

    @Test(arguments: RuleBook.all)
    func `that are budgets are measured: a benchmark and its page cite them`(
        book: RuleBook
    ) throws {
        let measured = try book.citedInCode("Benchmarks")
        let told = book.cited(in: try Tree.text("docs/benchmarks.md"), ranges: false)
        for rule in try book.rules() where rule.isBudget {
            #expect(measured.contains(rule.number), "no benchmark cites \(rule.name)")
            #expect(told.contains(rule.number), "docs/benchmarks.md does not name \(rule.name)")
        }
    }
}

@Suite struct `A citation` {
    private let book = RuleBook(product: "ExamRoom", page: "", later: [:])

    @Test func `may be a range in code, where it stands for all that it covers`() {
        let text = "merges (R38-R40, R43), ExamRoom R2 and R5 to R6"
        #expect(book.cited(in: text, ranges: true) == [2, 5, 6, 38, 39, 40, 43])
        #expect(book.cited(in: text, ranges: false) == [2, 43])
    }

    @Test func `of another product's rule does not count, nor does a word with such an end`() {
        #expect(book.cited(in: "as QuranFlow R4 says, PR12, R3x", ranges: true) == [])
    }
}
