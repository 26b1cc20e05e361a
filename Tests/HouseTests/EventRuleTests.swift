import Core
import TestSupport
import Testing

/// What `why` says behind an event's type.
@Suite struct `The rules that events follow` {
    @Test(arguments: RuleBook.all)
    func `are those that the page names in its table of events`(book: RuleBook) throws {
        let product = book.product.lowercased()
        var named: [String: [Int]] = [:]
        for row in try ContractPage(book.page).rows("Events") where row.count == 4 {
            let types = `The streams of events`.types(in: row[0], of: product)
            // One list for all types of the row, or one for each in turn.
            let lists = row[3].split(separator: ";", omittingEmptySubsequences: false).map {
                book.cited(in: $0, ranges: true).sorted()
            }
            try #require(lists.count == 1 || lists.count == types.count, "\(row[0])")
            for (index, type) in types.enumerated() {
                named[type] = lists[lists.count == 1 ? 0 : index]
            }
        }
        let payloads = try #require(`The streams of events`.payloads[product])
        for payload in payloads {
            let rules = payload.payload.rules
            #expect(named[payload.name] == rules, "\(payload.name)")
        }
        let used = Set(payloads.flatMap { $0.payload.rules })
        #expect(used.count > 20)
        let unknown = used.subtracting(try book.rules().map(\.number))
        #expect(unknown.isEmpty, "no rules of the page: \(unknown.sorted())")
    }

    /// A second witness: who wrote the event's comment thought of the same rules.
    @Test(arguments: RuleBook.all)
    func `are those that the comment of the event cites`(book: RuleBook) throws {
        let payloads = try #require(`The streams of events`.payloads[book.product.lowercased()])
        let rules = Dictionary(uniqueKeysWithValues: payloads.map { ($0.name, $0.payload.rules) })
        var checked = 0
        for file in try SourceFile.all("Sources/Events/\(book.product)") {
            var comment = ""
            var cited: [Int] = []
            for line in file.text.split(separator: "\n") {
                if line.contains(/^\s*\/\/\//) {
                    comment += line + " "
                } else if line.contains(/\bstruct\b/) {
                    cited = book.cited(in: comment, ranges: true).sorted()
                    comment = ""
                } else if let match = line.firstMatch(of: /static let type = "([^"]*)"/) {
                    let type = String(match.output.1)
                    #expect(rules[type] == cited, "\(type)")
                    checked += 1
                    comment = ""
                } else {
                    comment = ""
                }
            }
        }
        #expect(checked >= payloads.count - 1, "policy.adopted is every product's")
    }
}
