import Core

/// An event, as it is recorded.
public struct Event: Sendable, Hashable {
    /// Its place in the journal.
    public let position: Position
    /// What happened, such as `examroom.attempt.submitted`.
    public let type: String
    /// When it happened.
    public let at: Instant
    /// All of it as JSON.
    public let document: Document
    /// The same as a value.
    public let value: Document.Value

    package init?(_ document: Document) {
        self.init(document, document.value)
    }

    init?(_ document: Document, _ value: Document.Value) {
        guard let position = value["position"].integer.flatMap({ UInt64(exactly: $0) }),
            let type = value["type"].string,
            let at = value["at"].string.flatMap({ Instant(recorded: $0) })
        else { return nil }
        self.position = Position(position)
        self.type = type
        self.at = at
        var document = document
        document.position = self.position
        self.document = document
        self.value = value
    }

    /// What it says, by the fields of its type.
    public var data: Document.Value { value["data"] }

    /// What it happened to, such as `examroom/attempt/AT-1`.
    public var stream: String { value["stream"].string ?? "" }

    /// How many events of its stream came before it.
    public var revision: Int { value["revision"].integer ?? 0 }

    /// Whether they are the same event, said the same way.
    public static func == (left: Event, right: Event) -> Bool { left.document == right.document }

    /// By its document.
    public func hash(into hasher: inout Hasher) { hasher.combine(document) }
}
