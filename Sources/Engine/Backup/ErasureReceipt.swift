import EventLog
import Events

/// What is left of a person after an erasure, and where.
public struct ErasureReceipt: Sendable {
    public struct Backup: Sendable {
        public let directory: String
        /// It holds the sealed fields, up to a position; nil if it is no backup of this journal.
        public let position: UInt64?
        /// It holds a key to them.
        public let holdsKey: Bool
    }

    public let person: String
    public let position: UInt64
    public let erasedAt: String
    /// No key of the person is in the journal's directory.
    public let isKeyDestroyed: Bool
    public let backups: [Backup]

    public var document: Document {
        Document(names: Names()) { output in
            output.object { output in
                output.array("backups", backups) { output, backup in
                    output.object { output in
                        output.member("canBeRead", backup.holdsKey)
                        output.member("directory", backup.directory)
                        output.member("position", backup.position.map { Int($0) })
                    }
                }
                output.member("erasedAt", erasedAt)
                output.member("keyDestroyed", isKeyDestroyed)
                output.member("person", person)
                output.member("position", Int(position))
            }
        }
    }
}

extension Engine {
    /// The receipts of erasures, of one person or of all: what was destroyed, and in which of the
    /// directories the person's key still is, be they backups, backups of keys or copies of the journal.
    public func erasureReceipts(
        of person: String?, backups: [String]
    ) throws(EngineError) -> [ErasureReceipt] {
        try engineErrors {
            var newest: [String: Erasure] = [:]
            let log = try OpenLog(journal)
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
            return try newest.values.sorted { $0.position < $1.position }.map { erasure in
                ErasureReceipt(
                    person: erasure.person, position: erasure.position.number,
                    erasedAt: "\(erasure.at)",
                    isKeyDestroyed: try !holdsKey(of: erasure, journal.path),
                    backups: try backups.map { try backup($0, of: erasure) })
            }
        }
    }

    private func backup(
        _ directory: String, of erasure: Erasure
    ) throws -> ErasureReceipt.Backup {
        let manifest = try BackupManifest(in: directory)
        return ErasureReceipt.Backup(
            directory: directory,
            position: manifest?.journal == journal.identity ? manifest?.last.number : nil,
            holdsKey: try holdsKey(of: erasure, directory))
    }

    /// Looks at every file of the directory: a key may lie in one that a rotation left.
    private func holdsKey(of erasure: Erasure, _ directory: String) throws -> Bool {
        for name in try PlainFiles.names(in: directory) {
            guard
                let copy = try PersonKeys.fileOfKeys(directory + "/" + name),
                PersonKeys.holds(erasure.keys, copy, of: journal.identity)
            else { continue }
            return true
        }
        return false
    }
}
