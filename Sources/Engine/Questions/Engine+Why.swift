public import Core
import EventLog

/// An event that changed a document, and what it changed there.
public struct Cause: Sendable, Hashable {
    /// The event, whole.
    public let event: Event
    /// What it changed: the value at the path that was asked for, or each place of the document.
    public let changes: [DocumentDifference.Change]
    /// The rules of its product's page that such an event follows, such as `R12`; none where the page names none.
    public let rules: [String]
    /// Whether a viewer sees all of the event.
    let isWhole: Bool
}

/// Why a document says what it says.
public struct Explanation: Sendable, Hashable {
    /// The events that made it so, the last first.
    public let causes: [Cause]
    /// The present that every one of the documents was asked at, so that events alone make a difference.
    public let now: Instant
    /// Whether no change can have gone unseen (ADR 0041).
    public let isExact: Bool
    /// How many events the document rests on; nil where that is every event, or nearly.
    public let basis: Int?
}

extension EventEngine {
    /// The events that made a document, or the values at a path in it, what they are as of a position, the last first.
    ///
    /// - Parameters:
    ///   - path: JSONPath (RFC 9535); nil for the whole document.
    ///   - asOf: the last position that counts; nil for the head.
    ///   - limit: at most this many, the last ones.
    public func why(
        _ question: DocumentQuestion, path: String? = nil, asOf: Position? = nil, limit: Int = 20
    ) throws(EngineError) -> Explanation {
        guard limit >= 0 else { throw EngineError(.negativeLimit) }
        let query = try path.map { text throws(EngineError) in try JSONPath(argument: text) }
        return try read { reader in
            let snapshot = try reader.journal.snapshot()
            let last = asOf ?? snapshot.head.position
            try snapshot.checkReached(last)
            let now = try question.now ?? snapshot.instant(at: last)
            let looked = try ValueChanges(
                reader, question, snapshot, through: last, .fixed(now)
            ) { document in
                guard let query else { return document }
                return try Self.part(query, of: document)
            }
            // Events that the viewer may not see do not count.
            let changes = try looked.find(question.viewer == nil ? .last(limit) : .all)
            let positions = changes.map(\.position)
            let events = try reader.events(at: positions, looked.walk, as: question.viewer)
            let whole =
                question.viewer == nil
                ? events : try reader.events(at: positions, looked.walk, as: nil)
            var causes: [Cause] = []
            for change in changes.reversed() where causes.count < limit {
                guard let event = events[change.position] else { continue }
                causes.append(
                    Cause(
                        event: event, changes: try Self.differences(change, at: path),
                        rules: registry.rules(of: event.type),
                        isWhole: whole[change.position] == event))
            }
            return Explanation(
                causes: causes, now: now, isExact: looked.isExact,
                basis: looked.walk.basis.map(\.count))
        }
    }

    /// A proof, in a file that is checked alone (docs/audit.md, Proof files), that the event of a cause is in the journal as the
    /// newest kept checkpoint that covers it signed it; nil of an event that the viewer did not see whole.
    public func proof(of cause: Cause) throws(EngineError) -> String? {
        guard cause.isWhole else { return nil }
        return String(decoding: try proof(ofEventAt: cause.event.position), as: UTF8.self)
    }

    /// At the path, or at each place of the document.
    private static func differences(
        _ change: ValueChange<Document>, at path: String?
    ) throws -> [DocumentDifference.Change] {
        guard let path else {
            return try DocumentDifference(from: change.old, to: change.new).changes
        }
        let values = try [change.old, change.new].map {
            try JSON(parsing: $0.bytes).array?.first
        }
        return [.init(path: path, old: values[0], new: values[1])]
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
