public import Core

/// What might have come otherwise.
public struct Alternative: Sendable {
    /// Values of policies by product, such as `examroom`, in force from the first event on whatever was adopted: an object
    /// of names and values.
    public var policies: [String: Document.Value] = [:]
    /// Positions of events that did not come.
    public var without: Set<Position> = []
    /// Ids of commands that did not come: none of their events did.
    public var withoutCommands: Set<String> = []
    /// Events that said something else.
    public var changes: [Change] = []
    /// Commands that come behind the last event, one JSON object each; an id that the journal knows counts as new. Empty
    /// ones count as lines and are passed over.
    public var commands: [String] = []
    /// How far the clock goes on behind them: what is due by then happens.
    public var until: Instant?
    /// The commands come, and the clock goes on, in what did come, too: what differs is the doing of the rest.
    public var commandsComeAnyway = false
    /// The present that documents are asked at, both as they are and as they would be; nil for the last instant of either.
    public var now: Instant?

    /// What events said otherwise.
    public struct Change: Sendable {
        /// Which events.
        public enum Events: Sendable, Hashable {
            /// The one at this position.
            case at(Position)
            /// Those of a type; of these those with a tag, such as `exam:EX-1`, where one is named.
            case ofType(String, tag: String? = nil)
        }

        /// Which events.
        public let events: Events
        /// What becomes of their data: a JSON Merge Patch (RFC 7396).
        public let patch: Document.Value

        /// These events, otherwise.
        public init(_ events: Events, _ patch: Document.Value) {
            self.events = events
            self.patch = patch
        }
    }

    /// What did come.
    public init() {}

    /// Whether anything is otherwise that did come: else all of it is behind the last event.
    var changesThePast: Bool {
        !(policies.isEmpty && without.isEmpty && withoutCommands.isEmpty && changes.isEmpty)
    }
}
