import Core

extension EventEngine {
    /// A read model's document, and where it stands; `null` for a key that the events know nothing of.
    ///
    /// It is of one moment: all that was durable when it was asked. It is made on a thread of the engine's.
    public func show(
        _ model: String, key: String? = nil, _ request: ShowRequest = ShowRequest()
    ) async throws(EngineError) -> Document {
        try await read { try $0.show(model, key, request).document }
    }

    /// A read model's document, made on the calling thread.
    public func show(
        _ model: String, key: String? = nil, _ request: ShowRequest = ShowRequest()
    ) throws(EngineError) -> Document {
        try read { try $0.show(model, key, request).document }
    }

    /// The same, telling how far the fold for an earlier moment is; what `progress` throws ends it.
    package func show(
        _ model: String, key: String?, _ request: ShowRequest,
        progress: (Progress) throws -> Void
    ) throws(EngineError) -> Document {
        try read { try $0.show(model, key, request, progress: progress).document }
    }

    /// Throws what `show` would of a question that no read model takes, whatever the events say.
    package func checkQuestion(
        _ model: String, key: String?, arguments: [String: String]
    ) throws(EngineError) {
        try read { _ = try $0.check(model, key, arguments) }
    }

    /// The same on a thread of the engine's.
    package func checkQuestion(
        _ model: String, key: String?, arguments: [String: String]
    ) async throws(EngineError) {
        try await read { _ = try $0.check(model, key, arguments) }
    }

    /// Whether there is such a read model, and it has a document for each key.
    package func takesKey(_ model: String) -> Bool { registry.model(model)?.key != nil }

    /// The read models, by name.
    public func models() async throws(EngineError) -> [ModelInfo] {
        try await read { try $0.models() }
    }

    /// The read models, by name, listed on the calling thread.
    public func models() throws(EngineError) -> [ModelInfo] {
        try read { try $0.models() }
    }

    /// The read models, by name, without the number of their keys: nothing is counted for it.
    package var listedModels: [ModelInfo] {
        get throws(EngineError) {
            let position = try head()
            return registry.models.map {
                ModelInfo(
                    name: $0.name, key: $0.key, question: $0.question, arguments: $0.arguments,
                    keys: nil, position: position)
            }
        }
    }

    /// The keys of a model that have documents, in order of code point; none for one without keys.
    package func keys(of model: String) throws(EngineError) -> [String] {
        try read { try $0.keys(of: model) }
    }

    /// The arguments under which the documents of a key are gone through; one empty set for most models.
    package func samples(of model: String, key: String) throws(EngineError) -> [[String: String]] {
        try read { try $0.samples(of: model, key: key) }
    }

    /// The last event that the document of a question rests on; nil if there is none.
    package func lastEvent(
        under model: String, key: String?, _ request: ShowRequest
    ) throws(EngineError) -> (position: Position, at: Instant)? {
        try read { try $0.lastEvent(under: model, key, request) }
    }
}
