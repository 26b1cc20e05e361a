/// Where the tables of a sink stand.
public struct SinkStatus: Sendable {
    /// A table of a model.
    public struct Model: Sendable {
        /// The model.
        public let name: String
        /// The table.
        public let table: String
        /// `current`, `building` or `former`.
        public let state: String
        /// How many documents it holds.
        public let rows: Int
        /// Its typed columns.
        public let columns: [String]
    }

    /// The journal's identity.
    public let journal: String
    /// What the tables take in.
    public let position: UInt64
    /// The journal's last event.
    public let head: UInt64
    /// Counted up by each sink that begins.
    public let fence: Int
    /// Personal values stand in clear.
    public let isPersonal: Bool
    /// By table.
    public let models: [Model]

    /// How many events the tables do not take in yet.
    public var lag: UInt64 { head > position ? head - position : 0 }
}

/// Where a sink's tables stand, as far as that can be told at once.
public struct SinkStanding: Sendable {
    /// What the tables take in.
    public let position: UInt64
    /// The journal's last event.
    public let head: UInt64
    /// Whether what they take in is this journal's beginning.
    public let isOfThisJournal: Bool
    /// Personal values stand in clear.
    public let isPersonal: Bool
    /// The models that are read.
    public let models: [String]
    /// The models of which another version is being filled.
    public let building: [String]

    /// How many events the tables do not take in yet.
    public var lag: UInt64 { head > position ? head - position : 0 }
}

/// What a model's table and this build's documents have otherwise.
public struct SinkComparison: Sendable {
    /// The model.
    public let model: String
    /// How many rows the table has.
    public internal(set) var rows = 0
    /// The keys of the documents that differ, or that one of the two lacks, in order.
    public internal(set) var differing: [String] = []
}
