public import Core
import EventLog

/// Where a condition on a document begins to hold, or ends to.
public struct Turn: Sendable, Hashable {
    /// The first position as of which it is so.
    public let position: Position
    /// Whether it holds from there on.
    public let holds: Bool
    /// The event there.
    public let event: Event?
    /// Of what the document is; empty for a model without keys.
    public let key: String
}

extension EventEngine {
    /// Which turns of a condition are wanted.
    public enum Turns: Sendable, Hashable {
        /// The first position at which it holds.
        case first
        /// The position from which on it holds, the last time that it began to.
        case last
        /// Each time that it begins or ends to hold.
        case all
    }

    /// The positions at which a condition on a document turns: what holds of `show` as of that position, and did not as of
    /// the one before.
    ///
    /// Each document is asked at its own present unless the question names one: time, too, turns conditions.
    ///
    /// - Parameter condition: JSONPath's logical expression (RFC 9535, 2.3.5), such as `$.streak < 3`.
    public func bisect(
        _ question: DocumentQuestion, _ condition: String, _ turns: Turns = .first
    ) throws(EngineError) -> [Turn] {
        let condition = try JSONCondition(argument: condition)
        return try read { try $0.turns(question, condition, turns) }
    }

    /// Whether ``bisect(_:_:_:)`` looks at every position. Of a document that rests on every event of a journal with more than
    /// 4,096 it looks at some, and what turns and turns back between two of them is not seen.
    public func looksAtEveryPosition(_ question: DocumentQuestion) throws(EngineError) -> Bool {
        try read { reader in
            let snapshot = try reader.journal.snapshot()
            return try ValueChanges(
                reader, question, snapshot, through: snapshot.head.position, .ofEach
            ) { _ in false }.isExact
        }
    }

    /// The key of a model whose document fulfils a condition first, and where: an invariant that was broken somewhere.
    ///
    /// Keys are those that the model has now, in a viewer's name those that they may see; nil where no document ever fulfilled
    /// it.
    public func bisectAnyKey(
        of model: String, arguments: [String: String] = [:], now: Instant? = nil,
        as viewer: Viewer? = nil, _ condition: String
    ) throws(EngineError) -> Turn? {
        let condition = try JSONCondition(argument: condition)
        return try read { reader in
            guard let known = registry.model(model) else { throw registry.unknownModel(model) }
            guard known.key != nil else {
                throw EngineError(.wrongUse, "\(model) has no keys; bisect its one document")
            }
            var best: Turn?
            for key in try reader.keys(of: model, arguments, seenBy: viewer)
            where best?.position != .zero {
                let question = DocumentQuestion(
                    model, key: key, arguments: arguments, now: now, as: viewer)
                // A later one is not looked for any more.
                let last = best?.position.previous
                let turns = try reader.turns(question, condition, .first, through: last)
                best = turns.first ?? best
            }
            return best
        }
    }
}

extension Reader {
    fileprivate func turns(
        _ question: DocumentQuestion, _ condition: JSONCondition, _ turns: EventEngine.Turns,
        through last: Position? = nil
    ) throws -> [Turn] {
        let snapshot = try journal.snapshot()
        let changes = try ValueChanges(
            self, question, snapshot, through: last ?? snapshot.head.position,
            question.now.map { .fixed($0) } ?? .ofEach
        ) { condition.holds(for: try JSON(parsing: $0.bytes)) }
        // As of no event at all, a condition such as `!$.deadline` holds of many a document.
        let start =
            try changes.start() ? [ValueChange(position: .zero, old: false, new: true)] : []
        let found: [ValueChange<Bool>]
        switch turns {
        case .all: found = try start + changes.find(.all)
        case .first:
            found =
                try start.isEmpty
                ? Array(changes.find(.first(2)).filter(\.new).prefix(1)) : start
        case .last:
            found = try Array((start + changes.find(.last(2))).filter(\.new).suffix(1))
        }
        let events = try self.events(
            at: found.map(\.position), changes.walk, as: question.viewer)
        return found.map { change in
            Turn(
                position: change.position, holds: change.new, event: events[change.position],
                key: question.key ?? "")
        }
    }

    /// The keys of a model, in a viewer's name those of the documents that they may see.
    fileprivate func keys(
        of name: String, _ arguments: [String: String], seenBy viewer: Viewer?
    ) throws -> [String] {
        let keys = try keys(of: name)
        guard let viewer, viewer.kind != .system, let model = registry.model(name) else {
            return keys
        }
        let snapshot = try journal.snapshot()
        let seen = try keys.filter {
            try sight(of: model, $0, arguments, from: viewer, snapshot) != nil
        }
        if seen.isEmpty { throw EngineError(.mayNotSee(viewer, name)) }
        return seen
    }

    /// The events at ascending positions, by position; in a viewer's name those that they may see, as they may see them.
    func events(
        at positions: [Position], _ walk: DocumentWalk, as viewer: Viewer?
    ) throws -> [Position: Event] {
        let whole = try walk.events(at: positions)
        let shown = try viewer.map { try seen(whole, by: $0) } ?? whole
        return Dictionary(
            uniqueKeysWithValues: shown.compactMap { Event($0) }.map { ($0.position, $0) })
    }
}

extension JSONCondition {
    /// A condition that somebody asks with; an error says what is wrong with it.
    init(argument text: String) throws(EngineError) {
        do throws(JSONError) {
            try self.init(text)
        } catch {
            throw EngineError(.wrongUse, "the condition \"\(text)\", \(error); see RFC 9535")
        }
    }
}
