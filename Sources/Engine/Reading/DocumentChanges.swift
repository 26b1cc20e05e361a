import Core

/// What a read model says, now and each time that it says something else.
///
/// What changes while a document is being used is not queued: the next one is the newest. It ends when the task is
/// cancelled, and when the engine is closed.
public struct DocumentChanges: AsyncSequence, Sendable {
    /// What the model says, and where that stands.
    public typealias Element = Document
    /// What keeps the model from being asked.
    public typealias Failure = EngineError

    let engine: EventEngine
    let model: String
    let key: String?
    let request: ShowRequest

    /// Begins with what the model says now.
    public func makeAsyncIterator() -> Iterator {
        Iterator(changes: self)
    }

    /// A place in a sequence of documents.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        private let changes: DocumentChanges
        private var last: Document?
        /// What the last look was at.
        private var seen: Position?
        private var isOver = false

        init(changes: DocumentChanges) {
            self.changes = changes
        }

        /// The next document that differs from the last; nil at the end.
        public mutating func next() async throws(EngineError) -> Document? {
            try await next(isolation: nil)
        }

        /// The next document that differs from the last; nil at the end.
        public mutating func next(
            isolation actor: isolated (any _Concurrency.Actor)?
        ) async throws(EngineError) -> Document? {
            while !isOver, !Task.isCancelled, try await isMore() {
                do throws(EngineError) {
                    let document = try await changes.engine.show(
                        changes.model, key: changes.key, changes.request)
                    seen = document.position
                    if document == last { continue }
                    last = document
                    return document
                } catch {
                    isOver = true
                    if error.kind == .closed { break }
                    throw error
                }
            }
            isOver = true
            last = nil
            return nil
        }

        private mutating func isMore() async throws(EngineError) -> Bool {
            guard let seen else { return true }
            switch await changes.engine.tail.news(after: seen) {
            case .news: return true
            case .over: return false
            case .failed(let error):
                isOver = true
                throw error
            }
        }
    }
}

extension EventEngine {
    /// What a read model says of a key, now and each time that it says something else.
    ///
    /// It is asked again when something was appended: a present that moves on by itself changes nothing.
    public func changes(
        of model: String, key: String? = nil, arguments: [String: String] = [:],
        as viewer: Viewer? = nil
    ) -> DocumentChanges {
        var request = ShowRequest()
        request.arguments = arguments
        request.viewer = viewer
        return DocumentChanges(engine: self, model: model, key: key, request: request)
    }
}
