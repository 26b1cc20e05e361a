import HTTPTypes

extension HTTPRequest.Method {
    /// For labels and spans: the methods that OpenTelemetry names; others are whatever somebody sent.
    var knownName: String { Self.known.contains(self) ? rawValue : "_OTHER" }

    private static let known: Set<HTTPRequest.Method> = [
        .get, .head, .post, .put, .delete, .connect, .options, .trace, .patch,
    ]
}
