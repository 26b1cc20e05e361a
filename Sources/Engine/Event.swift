import Core
import Projections

/// An event, as it is recorded.
public struct Event: Sendable, Hashable {
    /// Its place in the journal.
    public let position: Position
    /// What happened, such as `examroom.attempt.submitted`.
    public let type: String
    /// When it happened.
    public let at: Instant
    /// What it happened to, such as `examroom/attempt/AT-1`.
    public let stream: String
    /// How many events of its stream came before it.
    public let revision: Int
    /// All of it as JSON.
    public let document: Document

    package init?(_ document: Document) {
        self.init(document, document.value)
    }

    init(_ event: EventEnvelope, _ names: Names) {
        position = event.metadata.position
        type = event.type.name
        at = event.metadata.at
        stream = names.text(event.metadata.stream)
        revision = event.revision
        var document = Document(names: names) { EventDocument.write(event, to: &$0) }
        document.position = position
        self.document = document
    }

    init?(_ document: Document, _ value: Document.Value) {
        guard let position = value["position"].integer.flatMap({ UInt64(exactly: $0) }),
            let type = value["type"].string,
            let at = value["at"].string.flatMap({ Instant(recorded: $0) })
        else { return nil }
        self.position = Position(position)
        self.type = type
        self.at = at
        stream = value["stream"].string ?? ""
        revision = value["revision"].integer ?? 0
        var document = document
        document.position = self.position
        self.document = document
    }

    /// All of it as a value, parsed anew each time.
    public var value: Document.Value { document.value }

    /// What it says, by the fields of its type, parsed anew each time.
    public var data: Document.Value { value["data"] }

    /// Whether they are the same event, said the same way.
    public static func == (left: Event, right: Event) -> Bool { left.document == right.document }

    /// By its document.
    public func hash(into hasher: inout Hasher) { hasher.combine(document) }
}
