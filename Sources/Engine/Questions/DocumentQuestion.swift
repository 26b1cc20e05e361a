public import Core

/// One document of a read model, asked for at several moments.
public struct DocumentQuestion: Sendable {
    /// The read model's name.
    public var model: String
    /// Whose, or of what; nil for a model without keys.
    public var key: String?
    /// The model's arguments, by name.
    public var arguments: [String: String]
    /// The present that it is asked at; nil for the one that fits the moment.
    public var now: Instant?
    /// In whose name it is asked, which decides what of the document and which events are shown; nil for the operator.
    public var viewer: Viewer?

    /// Asks for a document.
    public init(
        _ model: String, key: String? = nil, arguments: [String: String] = [:], now: Instant? = nil,
        as viewer: Viewer? = nil
    ) {
        self.model = model
        self.key = key
        self.arguments = arguments
        self.now = now
        self.viewer = viewer
    }
}
