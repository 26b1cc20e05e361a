import Core

/// What a read model is asked.
public struct ShowRequest: Sendable {
    /// Which events count: up to a position, or those that happened by an instant.
    public var asOf: String?
    /// Which events count: those that the journal had been told by an instant.
    public var knownAt: String?
    /// The present that the view is asked at.
    public var now: String?
    public var arguments: [String: String] = [:]

    public init() {}
}

/// A read model as it can be asked for.
public struct ModelInfo: Sendable {
    public let name: String
    /// What the key names; nil for a model without keys.
    public let key: String?
    public let question: String
    public let arguments: [String]
    /// How many keys there are; nil where they are not listed.
    public let keys: Int?
    /// The position up to which the model stands.
    public let position: UInt64
}

/// How far long work has come.
public struct Progress: Sendable {
    public let done: UInt64
    public let total: UInt64
    public let what: String
}

/// What a rebuild made.
public struct RebuildReport: Sendable {
    public struct Entry: Sendable {
        public let model: String
        /// SHA-256 over every document as `show` prints it (docs/read-models.md).
        public let digest: String
        public let keys: Int
        /// The digest of what was stored before; with `--check` only.
        public let stored: String?
    }

    public let entries: [Entry]
    /// SHA-256 over the models' names and digests.
    public let digest: String
    public let position: UInt64
    public let events: UInt64
    public let foldSeconds: Double
    public let totalSeconds: Double

    /// The models whose stored form was not what the events give.
    public var differences: [String] {
        entries.filter { $0.stored != nil && $0.stored != $0.digest }.map(\.model)
    }

    public var document: Document {
        Document(names: Names()) { output in
            output.object { output in
                output.member("digest", digest)
                output.member("events", Int(events))
                output.member("position", Int(position))
                output.member("differences", differences)
                output.array("models", entries) { output, entry in
                    output.object { output in
                        output.member("digest", entry.digest)
                        output.member("keys", entry.keys)
                        output.member("model", entry.model)
                        if let stored = entry.stored { output.member("stored", stored) }
                    }
                }
            }
        }
    }
}

/// What a verification found.
public struct VerificationReport: Sendable {
    /// The tree over all events, made anew.
    public struct Tree: Sendable {
        public let size: Int
        /// Base 64.
        public let root: String
        /// How many checkpoints it was compared with.
        public let checkpoints: Int
        /// Of which logs those are; any is taken where none is asked for.
        public let origins: [String]
    }

    public let isWhole: Bool
    public let events: UInt64
    public let streams: UInt64
    public let firstDamaged: UInt64?
    /// One line each.
    public let findings: [String]
    /// Files that others than their owner can reach: no damage, and to be mended.
    public let warnings: [String]
    /// Nil when the journal is damaged.
    public let tree: Tree?
    /// The digest of all read models; nil when the journal is damaged.
    public let digest: String?

    public var document: Document {
        Document(names: Names()) { output in
            output.object { output in
                output.member("checkpoints", tree?.checkpoints)
                output.member("digest", digest)
                output.member("events", Int(events))
                output.member("findings", findings)
                output.member("firstDamaged", firstDamaged.map { Int($0) })
                output.member("origins", tree?.origins ?? [])
                output.member("rootHash", tree?.root)
                output.member("streams", Int(streams))
                output.member("treeSize", tree?.size)
                output.member("warnings", warnings)
                output.member("whole", isWhole)
            }
        }
    }
}

/// What an import brought in.
public struct ImportReport: Sendable {
    public let events: UInt64
    public let position: UInt64

    public var document: Document {
        Document(names: Names()) { output in
            output.object { output in
                output.member("events", Int(events))
                output.member("position", Int(position))
            }
        }
    }
}
