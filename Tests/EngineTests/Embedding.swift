// The examples of docs/embedding.md, compiled: `EmbeddingTests` compares them with the page.

// begin: a service
import Engine
import Products

/// A service with the engine inside: any number of callers, each answered when it is durable.
struct ExamService: Sendable {
    let engine: EventEngine

    init(journal: String) throws {
        engine = try EventEngine(at: journal)
    }

    /// Records an answer to a question; false if a rule refuses it.
    func save(
        _ option: String, of question: String, in attempt: String, by student: String, id: String
    )
        async throws -> Bool
    {
        let outcome = try await engine.submit(
            Command(
                "examroom.answer.save", id: id, by: .student(student),
                data: [
                    "attempt": .string(attempt), "question": .string(question),
                    "chosen": [.string(option)], "seconds": 9,
                ]))
        if outcome.status == .rejected {
            print("refused:", outcome.code ?? "", outcome.message ?? "")
        }
        return outcome.status != .rejected
    }

    /// Takes a command as JSON, and answers in JSON.
    func handle(_ command: String) async throws -> String {
        try await engine.submit(command).document.text
    }

    /// The board, and the position that it stands at.
    func leaders() async throws -> (board: Document.Value, position: Position?) {
        let document = try await engine.show("examroom.leaderboard", key: "points")
        return (document.value, document.position)
    }

    /// Hands on every attempt that was closed, and each that will be, until the task is cancelled.
    func follow(_ handOn: (Event) async -> Void) async throws {
        var filter = EventFilter()
        filter.type = "examroom.attempt.submitted"
        for try await event in try engine.events(filter, isFollowing: true) { await handOn(event) }
    }

    func shutDown() async { await engine.close() }
}
// end

// begin: another process
/// Reads beside a running writer: prints the overview whenever it changes, until `print` returns false.
func watch(journal: String, _ print: (String) -> Bool) async throws {
    var options = EventEngine.Options()
    options.isReadOnly = true  // nothing is written, not even stored views
    let engine = try EventEngine(at: journal, options: options)
    for try await overview in engine.changes(of: "examroom.overview") {
        guard print(overview.text) else { break }
    }
    await engine.close()
}
// end

// begin: logs and metrics
import EngineObservability
import Logging

func observed(journal: String, _ logger: Logger) throws -> EventEngine {
    var options = EventEngine.Options()
    options.observer = EngineTelemetry(logger: logger)
    return try EventEngine(at: journal, options: options)
}
// end
