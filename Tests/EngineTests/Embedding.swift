// The examples of docs/embedding.md, compiled: `EmbeddingTests` compares them with the page.

// begin: a service
import Engine

/// A service with the engine inside: any number of callers, each answered when it is durable.
struct ExamService: Sendable {
    let engine: Engine

    init(journal: String) throws {
        engine = try Engine(at: journal)
    }

    func handle(_ command: String) async throws -> String {
        let outcome = try await engine.submit(command)
        if outcome.status == .rejected { print("refused:", outcome.code ?? "") }
        return outcome.document.text
    }

    func leaders() throws -> String { try engine.show("examroom.leaderboard", key: "points").text }

    /// Hands on every attempt that is closed, past and future, until `handOn` returns false.
    func follow(_ handOn: (String) -> Bool) throws {
        var filter = EventFilter()
        filter.type = "examroom.attempt.submitted"
        try engine.follow(filter) { event in event.map { handOn($0.text) } ?? true }
    }
}
// end

// begin: another process
/// Reads beside a running writer: prints the overview anew whenever something has happened.
func watch(journal: String, _ print: (String) -> Bool) throws {
    var options = Engine.Options()
    options.isReadOnly = true  // nothing is written, not even stored views
    let engine = try Engine(at: journal, options: options)
    var hasNews = true
    try engine.follow { event throws(EngineError) in
        hasNews = hasNews || event != nil
        guard event == nil, hasNews else { return true }  // nil: nothing more just now
        hasNews = false
        return print(try engine.show("examroom.overview").text)
    }
}
// end
