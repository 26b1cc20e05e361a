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
        let found = try read { try $0.turns(question, condition, turns) }
        return try found.map { turn throws(EngineError) in
            try self.turn(turn, key: question.key ?? "")
        }
    }

    /// The key of a model whose document fulfils a condition first, and where: an invariant that was broken somewhere.
    ///
    /// Keys are those that the model has now; nil where no document ever fulfilled it.
    public func bisectAnyKey(
        of model: String, arguments: [String: String] = [:], now: Instant? = nil,
        _ condition: String
    ) throws(EngineError) -> Turn? {
        let condition = try JSONCondition(argument: condition)
        let found = try read { reader in
            var best: (change: ValueChange<Bool>, key: String)?
            for key in try reader.keys(of: model) {
                let question = DocumentQuestion(
                    model, key: key, arguments: arguments, now: now)
                // A later one is not looked for any more.
                let last = best?.change.position.previous
                let turn = try reader.turns(question, condition, .first, through: last).first
                if let turn { best = (turn, key) }
            }
            return best
        }
        return try found.map { best throws(EngineError) in try turn(best.change, key: best.key) }
    }

    private func turn(_ change: ValueChange<Bool>, key: String) throws(EngineError) -> Turn {
        Turn(
            position: change.position, holds: change.new,
            event: try events(at: [change.position]).first, key: key)
    }
}

extension Reader {
    fileprivate func turns(
        _ question: DocumentQuestion, _ condition: JSONCondition, _ turns: EventEngine.Turns,
        through last: Position? = nil
    ) throws -> [ValueChange<Bool>] {
        let snapshot = try journal.snapshot()
        let changes = ValueChanges(
            reader: self, question: question, snapshot: snapshot,
            last: last ?? snapshot.head.position,
            present: question.now.map { .fixed($0) } ?? .ofEach
        ) { condition.holds(for: try JSON(parsing: $0.bytes)) }
        switch turns {
        case .all: return try changes.find(.all)
        case .first:
            // As of no event at all, a condition such as `!$.deadline` holds of many a document.
            let start = try DocumentWalk(self, question, snapshot, through: .zero).document(
                asOf: .zero, now: question.now ?? .epoch)
            if condition.holds(for: try JSON(parsing: start.bytes)) {
                return [ValueChange(position: .zero, old: false, new: true)]
            }
            return try Array(changes.find(.first(2)).filter(\.new).prefix(1))
        case .last: return try Array(changes.find(.last(2)).filter(\.new).suffix(1))
        }
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
