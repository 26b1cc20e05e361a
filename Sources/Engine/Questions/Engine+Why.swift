public import Core
import EventLog

/// An event that changed a document, and what it changed there.
public struct Cause: Sendable, Hashable {
    /// The event, whole.
    public let event: Event
    /// What it changed: the value at the path that was asked for, or each place of the document.
    public let changes: [DocumentDifference.Change]
}

/// Why a document says what it says.
public struct Explanation: Sendable, Hashable {
    /// The events that made it so, the last first.
    public let causes: [Cause]
    /// The present that every one of the documents was asked at, so that events alone make a difference.
    public let now: Instant
    /// Whether no change can have gone unseen (ADR 0041).
    public let isExact: Bool
}

extension EventEngine {
    /// The events that made a document, or the values at a path in it, what they are as of a position, the last first.
    ///
    /// - Parameters:
    ///   - path: JSONPath (RFC 9535); nil for the whole document.
    ///   - asOf: the last position that counts; nil for the head.
    ///   - limit: at most so many, the last ones.
    public func why(
        _ question: DocumentQuestion, path: String? = nil, asOf: Position? = nil, limit: Int = 20
    ) throws(EngineError) -> Explanation {
        guard limit >= 0 else { throw EngineError(.negativeLimit) }
        let query = try path.map { text throws(EngineError) in try JSONPath(argument: text) }
        let found = try read { reader in
            let snapshot = try reader.journal.snapshot()
            let last = asOf ?? snapshot.head.position
            try snapshot.checkReached(last)
            let now = try question.now ?? snapshot.instant(at: last)
            let changes = ValueChanges(
                reader: reader, question: question, snapshot: snapshot, last: last,
                present: .fixed(now)
            ) { document in
                guard let query else { return document }
                return try Self.part(query, of: document)
            }
            return (
                changes: try changes.find(.last(limit)), now: now, isExact: try changes.isExact()
            )
        }
        var causes: [Cause] = []
        for change in found.changes.reversed() {
            guard let event = try events(at: [change.position]).first else { continue }
            let changes: [DocumentDifference.Change]
            if let path {
                let values = try engineErrors {
                    try [change.old, change.new].map { try JSON(parsing: $0.bytes).array?.first }
                }
                changes = [.init(path: path, old: values[0], new: values[1])]
            } else {
                changes = try DocumentDifference(from: change.old, to: change.new).changes
            }
            causes.append(Cause(event: event, changes: changes))
        }
        return Explanation(causes: causes, now: found.now, isExact: found.isExact)
    }

    /// What a path names, in an array: nothing, the value, or the list of values where it may name several.
    private static func part(_ path: JSONPath, of document: Document) throws -> Document {
        let values = path.nodes(in: try JSON(parsing: document.bytes)).map(\.value)
        return Document(names: Names()) {
            $0.json.value(.array(path.isSingular ? values : [.array(values)]))
        }
    }
}

extension JSONPath {
    /// A path that somebody asks with; an error says what is wrong with it.
    init(argument text: String) throws(EngineError) {
        do throws(JSONError) {
            try self.init(text)
        } catch {
            throw EngineError(.wrongUse, "the path \"\(text)\", \(error); see RFC 9535")
        }
    }
}
