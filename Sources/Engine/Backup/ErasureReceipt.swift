import EventLog
import Core

/// What is left of a person after an erasure, and where.
public struct ErasureReceipt: Sendable {
    /// What was found of the person in a directory, or below it.
    public struct Backup: Sendable {
        /// Its path.
        public let directory: String
        /// It holds the sealed fields, up to a position; nil if it is no backup of this journal.
        public let position: UInt64?
        /// The files in it that hold a key to them.
        public let keyFiles: [String]
    }

    /// Another node that has the journal (docs/cluster.md).
    public struct Node: Sendable {
        /// What the node is called.
        public let name: String
        /// Whether it has said that the erasure is carried out there.
        public let isCarriedOut: Bool

        /// As the node has said it.
        public init(name: String, isCarriedOut: Bool) {
            self.name = name
            self.isCarriedOut = isCarriedOut
        }
    }

    /// `PRODUCT/ID`.
    public let person: String
    /// Of the event that records the erasure.
    public let position: UInt64
    /// When it happened.
    public let erasedAt: String
    /// The files in the journal's directory that hold a key of the person.
    public let keyFiles: [String]
    /// What was found in the directories that were named.
    public let backups: [Backup]
    /// The other nodes that have the journal; none where it stands alone.
    public var nodes: [Node] = []

    /// Nothing in the journal's directory opens the person's fields any more.
    public var isKeyDestroyed: Bool { keyFiles.isEmpty }

    /// The receipt as JSON.
    public var document: Document {
        Document(names: Names()) { output in
            output.object { output in
                output.array("backups", backups) { output, backup in
                    output.object { output in
                        output.member("canBeRead", !backup.keyFiles.isEmpty)
                        output.member("directory", backup.directory)
                        output.member("keyFiles", backup.keyFiles)
                        output.member("position", backup.position.map { Int($0) })
                    }
                }
                output.member("erasedAt", erasedAt)
                output.member("keyDestroyed", isKeyDestroyed)
                output.member("keyFiles", keyFiles)
                if !nodes.isEmpty {
                    output.array("nodes", nodes) { output, node in
                        output.object { output in
                            output.member("carriedOut", node.isCarriedOut)
                            output.member("name", node.name)
                        }
                    }
                }
                output.member("person", person)
                output.member("position", Int(position))
            }
        }
    }
}

extension EventEngine {
    /// The receipts of erasures, of one person or of all: what was destroyed, and in which of the
    /// directories the person's key still is, be they backups, backups of keys or copies of the journal.
    public func erasureReceipts(
        of person: String?, backups: [String]
    ) throws(EngineError) -> [ErasureReceipt] {
        try whileOpen {
            var newest: [String: Erasure] = [:]
            let log = try OpenLog(journal, registry)
            let recorded = try KeyEnd.all(
                log.snapshot, from: Position(1), log.history.types, log.history.names)
            for erasure in try ErasureList(journal.path).all() + recorded.map(\.erasure)
            where erasure.ended == nil {
                newest[erasure.person] = erasure
            }
            if let person {
                newest = newest.filter { $0.key == person }
                if newest.isEmpty {
                    throw EngineError(
                        .checkFailed,
                        "\(person) is not erased; the command account.erase does that (PRODUCT/ID)")
                }
            }
            for directory in backups where try PlainFiles.names(in: directory).isEmpty {
                throw EngineError(.wrongUse, "\(directory): there is nothing; name a backup")
            }
            let erasures = newest.values.sorted { $0.position < $1.position }
            let search = KeySearch(erasures.map(\.keys), of: journal.identity)
            let own = try search.files(under: journal.path)
            let others = try backups.map { directory in
                let manifest = try BackupManifest(in: directory)
                return (
                    directory: directory, keyFiles: try search.files(under: directory),
                    position: manifest?.journal == journal.identity ? manifest?.last.number : nil
                )
            }
            return erasures.enumerated().map { index, erasure in
                ErasureReceipt(
                    person: erasure.person, position: erasure.position.number,
                    erasedAt: "\(erasure.at)", keyFiles: own[index],
                    backups: others.map {
                        ErasureReceipt.Backup(
                            directory: $0.directory, position: $0.position,
                            keyFiles: $0.keyFiles[index])
                    })
            }
        }
    }
}
