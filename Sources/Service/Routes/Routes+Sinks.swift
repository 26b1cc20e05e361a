import Core
import Hummingbird

/// Where the tables of sinks stand (docs/sink.md).
extension Routes {
    /// Of the service as a whole: sinks of the default journal.
    var sinkStatus: [Endpoint] {
        [
            Endpoint(
                method: .get, path: "/sinks",
                summary: "Where the databases of the setting `sinks` stand.",
                right: .operate, answers: [200, 403, 503], run: tellSinks)
        ]
    }

    /// Who asks waits so long for databases at most; what has not answered says so.
    private static let sinkPatience = Duration.seconds(2)

    @Sendable private func tellSinks(_ call: Call) async throws -> Response {
        let documents = try await sinks.documents(
            within: min(Self.sinkPatience, call.patience ?? Self.sinkPatience))
        return Response(json: JSON.object(of: [("sinks", .array(documents))]).canonical)
    }
}
