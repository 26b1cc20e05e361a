import Core

/// What a read model is asked.
public struct ShowRequest: Sendable {
    /// Which events count: up to a position, or those that happened by an instant. All of them if nil.
    public var asOf: Moment?
    /// Which events count: those that were recorded by an instant.
    public var knownAt: Instant?
    /// The present that the view is asked at; that of ``asOf``, or of the last event that counts, if nil.
    public var now: Instant?
    /// In whose name it is asked: they are shown what they may see. All of it if nil.
    public var viewer: Viewer?
    /// Whether the document says in which order its view lists the members.
    package var notesOrder = false
    /// What else the model is asked, by the names that ``ModelInfo/arguments`` lists.
    public var arguments: [String: String] = [:]

    /// Asks for all that is known now.
    public init() {}
}

/// A read model as it can be asked for.
public struct ModelInfo: Sendable {
    /// As it is asked for: `PRODUCT.MODEL`.
    public let name: String
    /// What the key names; nil for a model without keys.
    public let key: String?
    /// What it answers, as a sentence.
    public let question: String
    /// The names of the arguments that it takes.
    public let arguments: [String]
    /// How many keys there are; nil where they are not listed.
    public let keys: Int?
    /// The position up to which the model stands.
    public let position: Position
}

/// How far long work has come.
public struct Progress: Sendable {
    /// So much of ``total``.
    public let done: UInt64
    /// What there is to do.
    public let total: UInt64
    /// What is being done, in a word or two.
    public let what: String
}

/// What a rebuild made.
public struct RebuildReport: Sendable {
    /// A read model that was made again.
    public struct Entry: Sendable {
        /// Its name.
        public let model: String
        /// SHA-256 over every document as `show` prints it (docs/read-models.md).
        public let digest: String
        /// How many keys have documents; 1 for a model without keys.
        public let keys: Int
        /// The digest of what was stored before; nil unless that was compared.
        public let stored: String?
    }

    /// What was made, by the models' names.
    public let entries: [Entry]
    /// SHA-256 over the models' names and digests.
    public let digest: String
    /// Of the last event that counts.
    public let position: Position
    /// How many events that are.
    public let events: UInt64
    /// The products whose state was folded, by name; none where all models ask the history alone.
    public let foldedProducts: [String]
    /// How long folding took.
    public let foldSeconds: Double
    /// How long all of it took.
    public let totalSeconds: Double

    /// The models whose stored form was not what the events give.
    public var differences: [String] {
        entries.filter { $0.stored != nil && $0.stored != $0.digest }.map(\.model)
    }

    /// The report as JSON, without what it took.
    public var document: Document {
        Document(names: Names()) { output in
            output.object { output in
                output.member("digest", digest)
                output.member("events", Int(events))
                output.member("position", position)
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
        /// How many events it is over.
        public let size: Int
        /// Base 64.
        public let root: String
        /// How many checkpoints it was compared with.
        public let checkpoints: Int
        /// Of which logs those are; any is taken where none is asked for.
        public let origins: [String]
    }

    /// Nothing was found.
    public let isWhole: Bool
    /// How many events there are.
    public let events: UInt64
    /// How many streams they are of.
    public let streams: UInt64
    /// The first position that cannot be read, if that is known.
    public let firstDamaged: Position?
    /// What does not hold.
    public let found: [Finding]
    /// What does not hold, one line each.
    public var findings: [String] { found.map(\.text) }
    /// Files that others than their owner can reach: no damage, and to be mended.
    public let warned: [Finding]
    /// The same, one line each.
    public var warnings: [String] { warned.map(\.text) }
    /// Nil when the journal is damaged.
    public let tree: Tree?
    /// The digest of all read models; nil when the journal is damaged.
    public let digest: String?

    /// The report as JSON.
    public var document: Document { document { $0.text } }

    /// The report as JSON, its findings in the caller's words.
    public func document(_ words: (Finding) -> String) -> Document {
        Document(names: Names()) { output in
            output.object { output in
                output.member("checkpoints", tree?.checkpoints)
                output.member("digest", digest)
                output.member("events", Int(events))
                output.member("findings", found.map(words))
                output.member("firstDamaged", firstDamaged)
                output.member("origins", tree?.origins ?? [])
                output.member("rootHash", tree?.root)
                output.member("streams", Int(streams))
                output.member("treeSize", tree?.size)
                output.member("warnings", warned.map(words))
                output.member("whole", isWhole)
            }
        }
    }
}

/// What an import brought in.
public struct ImportReport: Sendable {
    /// How many events.
    public let events: UInt64
    /// Of the last of them.
    public let position: Position

    /// The report as JSON.
    public var document: Document {
        Document(names: Names()) { output in
            output.object { output in
                output.member("events", Int(events))
                output.member("position", position)
            }
        }
    }
}
