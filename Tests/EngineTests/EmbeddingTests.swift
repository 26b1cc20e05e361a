import Foundation
import Testing

// page: service
import Engine

func serve(_ directory: String, _ lines: [String]) async throws -> String {
    try Engine.create(at: directory)
    let engine = try Engine(at: directory)
    for line in lines {
        let outcome = try await engine.submit(line)
        if outcome.status == .rejected { print("refused:", outcome.code ?? "") }
    }
    var halfway = ShowRequest()
    halfway.asOf = "2"
    _ = try engine.show("examroom.exam", key: "EX-1", halfway)
    return try engine.show("examroom.exam", key: "EX-1").text
}
// page: end

// page: reader
import Engine

func watch(_ directory: String, until enough: Int) throws -> [String] {
    var options = Engine.Options()
    options.isReadOnly = true
    let engine = try Engine(at: directory, options: options)
    var filter = EventFilter()
    filter.type = "examroom.exam.*"
    var seen: [String] = []
    try engine.follow(filter) { event in
        if let event { seen.append(event.text) }
        return seen.count < enough
    }
    return seen
}
// page: end

@Suite("Embedding the engine") struct EmbeddingTests {
    private let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test func `works as docs/embedding.md shows`() async throws {
        let directory = NSTemporaryDirectory() + "embedding-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let script = try String(
            contentsOf: root.appending(path: "Examples/first-steps.jsonl"), encoding: .utf8)
        let exam = try await serve(directory, script.split(separator: "\n").map(String.init))
        #expect(exam.contains(#""state":"published""#))
        let seen = try watch(directory, until: 2)
        #expect(seen.count == 2)
        #expect(seen.last?.contains("examroom.exam.published") == true)
    }

    @Test(arguments: ["service", "reader"])
    func `the code of the page is the code that is compiled`(name: String) throws {
        let page = try String(
            contentsOf: root.appending(path: "docs/embedding.md"), encoding: .utf8)
        let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        let from = try #require(source.range(of: "// page: \(name)\n"))
        let rest = source[from.upperBound...]
        let to = try #require(rest.range(of: "// page: end"))
        #expect(page.contains("```swift\n\(rest[..<to.lowerBound])```"))
    }
}
