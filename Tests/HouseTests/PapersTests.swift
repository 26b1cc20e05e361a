import Engine
import Foundation
import TestSupport
import Testing

@Suite struct `The papers of the house` {
    @Test func `list every decision in the ADR's index`() throws {
        guard Tree.exists("ADR/README.md") else {
            Issue.record("ADR/README.md is missing")
            return
        }
        let index = try Tree.text("ADR/README.md")
        let files = Tree.files("ADR", ".md").map { String($0.dropFirst("ADR/".count)) }
        for file in files where file != "README.md" && file != "TEMPLATE.md" {
            #expect(index.contains(file), "\(file) is not in the index")
        }
        let numbers = files.compactMap { Int($0.prefix(4)) }.sorted()
        #expect(
            numbers.first == 1 && Set(numbers).count == numbers.count, "numbered from 1, each once")
        for link in index.matches(of: /\((\d{4}-[a-z0-9-]+\.md)\)/) {
            #expect(files.contains(String(link.output.1)), "\(link.output.1) is no file")
        }
    }

    @Test func `hold no snapshot whose scenario or model is gone`() throws {
        let scenarios = Set(
            Tree.files("Examples", ".jsonl").map {
                URL(filePath: $0).deletingPathExtension().lastPathComponent
            })
        let models = Set(try TemporaryJournal().open().models().map(\.name))
        for path in Tree.files("snapshots") {
            let parts = path.split(separator: "/")
            let scenario = parts.last.map { String($0.prefix { $0 != "." }) } ?? ""
            let isOwned =
                parts.count == 3 && models.contains(String(parts[1]))
                && scenarios.contains(scenario) && path.hasSuffix(".json")
            #expect(isOwned, "\(path) belongs to nothing")
        }
    }
}
