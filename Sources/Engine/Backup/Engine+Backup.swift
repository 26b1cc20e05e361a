import EventLog
import Core
import Proofs

/// What a backup took up.
public struct BackupReport: Sendable {
    /// Added by this run.
    public let events: UInt64
    /// All that the backup holds.
    public let position: Position
    /// Of the tree over all that, in base 64.
    public let rootHash: String
    /// The persons' keys were copied, or put back.
    public let hasKeys: Bool
    /// What ought to be mended about where it lies: one line each.
    public internal(set) var warnings: [String] = []

    /// The report as JSON.
    public var document: Document {
        Document(names: Names()) { output in
            output.object { output in
                output.member("events", Int(events))
                output.member("keys", hasKeys)
                output.member("position", position)
                output.member("rootHash", rootHash)
            }
        }
    }
}

extension EventEngine {
    /// Writes what a backup does not hold yet: sealed lines of an export, in parts, with the erasures and
    /// checkpoints (docs/backup.md). Others may go on appending; what they append meanwhile is for the
    /// next run. The persons' keys go apart, into another directory, if one is named.
    ///
    /// What `progress` throws ends it: the backup holds whole parts, and the next run goes on behind them.
    public func backup(
        to directory: String, keys keysDirectory: String? = nil,
        progress: (Progress) throws -> Void = { _ in }
    ) throws(EngineError) -> BackupReport {
        try whileOpen {
            try PlainFiles.makeDirectory(directory)
            if let keysDirectory { try PlainFiles.makeDirectory(keysDirectory) }
            try keepApart(directory, from: journal.path)
            if let keysDirectory {
                for other in [journal.path, directory] {
                    try keepApart(keysDirectory, from: other)
                }
            }
            // A run before may have ended before its last file had its name for good.
            try PlainFiles.flush(directory)
            var manifest =
                try BackupManifest(in: directory) ?? BackupManifest(of: journal.identity)
            let start = manifest.last
            let head = try durableHead()
            try check(manifest, directory, head)
            try copyErasures(to: directory)
            // Once at least, and behind a full part: commands without events may stand behind the last event.
            while try addPart(to: &manifest, directory, head, progress), manifest.last <= head {}
            try copyCheckpoints(to: directory, through: manifest.last)
            if let keysDirectory { try copyKeys(to: keysDirectory) }
            return BackupReport(
                events: manifest.last.number - start.number, position: manifest.last,
                rootHash: manifest.rootHash, hasKeys: keysDirectory != nil,
                warnings: [keysDirectory.flatMap { PlainFiles.copyingWarning($0) }].compactMap {
                    $0
                })
        }
    }

    /// Keys lie apart from what they open, and nothing of a backup among the journal's own files.
    private func keepApart(_ directory: String, from other: String) throws {
        if try PlainFiles.isWithin(directory, other) {
            throw EngineError(.wrongUse, "\(directory) is in \(other); name another directory")
        }
    }

    /// A backup is continued only by the journal that it is of.
    private func check(
        _ manifest: BackupManifest, _ directory: String, _ head: Position
    ) throws {
        guard manifest.journal == journal.identity else {
            throw EngineError(
                .badInput, "\(directory) is a backup of another journal; name another directory")
        }
        guard manifest.last <= head else {
            throw EngineError(
                .checkFailed,
                "\(directory) holds \(manifest.last.number) events, the journal \(head.number): its end "
                    + "was cut off, or an old copy was put back; run verify")
        }
        guard manifest.last > .zero else { return }
        let tree = try JournalTree(journal, registry, journal.snapshot())
        guard try tree.root(size: Int(manifest.last.number)).base64 == manifest.rootHash else {
            throw EngineError(
                .checkFailed,
                "the journal's first \(manifest.last.number) events are not those in \(directory); "
                    + "run verify")
        }
    }

    /// A part has at least this many bytes of packed lines, if there are; a part is read whole.
    private static let partBytes = 32 << 20
    private static let chunkBytes = 4 << 20
    /// How often it is told how far the backup has come.
    private static let progressEvents: UInt64 = 4096

    /// Whether the part is full, so that there may be more; nothing is written if the backup holds all that there is.
    private func addPart(
        to manifest: inout BackupManifest, _ directory: String, _ head: Position,
        _ progress: (Progress) throws -> Void
    ) throws -> Bool {
        var lines = try ExportLines(OpenLog(journal, registry), journal, isSealed: true)
        let first = manifest.last + 1
        var mark = FrameMark(last: manifest.last, emptyFrames: manifest.emptyFrames)
        var packed: [UInt8] = []
        var told = manifest.last.number
        var isFull = false
        let isMore = try mark.advance(&lines) { lines, last in
            if last.number >= told + Self.progressEvents {
                told = last.number
                try progress(
                    Progress(
                        done: min(told, head.number), total: head.number,
                        what: "writing the backup"))
            }
            if lines.bytes.count >= Self.chunkBytes { packed += try PackedText.pack(lines.take()) }
            isFull = packed.count >= Self.partBytes
            return !isFull
        }
        if !isMore { return false }
        packed += try PackedText.pack(lines.take())
        let number = String(manifest.parts.count + 1)
        let file = "part-" + String(repeating: "0", count: max(0, 12 - number.count)) + number
        manifest.parts.append(
            BackupManifest.Part(
                file: file + ".jsonl.zst", first: first, last: mark.last,
                digest: SHA256Digest.hex(of: packed)))
        manifest.emptyFrames = mark.emptyFrames
        manifest.rootHash =
            try JournalTree(journal, registry, journal.snapshot()).root(size: Int(mark.last.number))
            .base64
        // The part is there before the manifest names it.
        try PlainFiles.replace("\(directory)/\(file).jsonl.zst", packed)
        try manifest.write(to: directory)
        return isFull
    }

    /// The head once its commit is flushed, which a reader sees before. Where nothing can be written, as it is.
    func durableHead() throws -> Position {
        guard journal.access == .readWrite else { return try journal.head().position }
        return try journal.withWriterLock { try journal.head().position }
    }

    /// Those of what the backup holds; later ones are for the next run.
    private func copyCheckpoints(to directory: String, through last: Position) throws {
        let store = CheckpointStore(journal)
        let names = try PlainFiles.names(in: store.directory)
        if names.isEmpty { return }
        let later = Set(
            try store.all().filter { UInt64($0.checkpoint.checkpoint.size) > last.number }
                .map(\.path))
        try PlainFiles.makeDirectory(directory + "/checkpoints")
        for name in names
        where !name.hasSuffix(".new") && !later.contains("\(store.directory)/\(name)") {
            let bytes = try PlainFiles.read("\(store.directory)/\(name)", atMost: 1 << 20)
            try PlainFiles.replace("\(directory)/checkpoints/\(name)", bytes ?? [])
        }
    }

    /// The copy that was there is written over: an erased person's key must not stay behind.
    private func copyKeys(to directory: String) throws {
        try PlainFiles.refuseShared(directory)
        try PersonKeys.refuseOther(in: directory, than: journal.identity)
        let copy = try journal.withWriterLock { try PersonKeys(of: journal).copy() }
        guard let copy else {
            throw EngineError(.keysMissing(journal: journal.path))
        }
        try PlainFiles.overwrite("\(directory)/keys", copy)
        try copyErasures(to: directory)
    }

    /// Two runs may write to one directory of keys.
    private func copyErasures(to directory: String) throws {
        let erasures = try ErasureList(journal.path).all()
        let log = try OpenLog(journal, registry)
        let ends = try KeyEnd.all(
            log.snapshot, from: Position(1), log.history.types, log.history.names)
        let living = try PersonKeys(of: journal).check(log.snapshot).living
        let unrecorded = KeyEnd.unrecorded(erasures, ends, living: Set(living.map(\.name)))
        if let first = unrecorded.first {
            throw EngineError(
                .badInput,
                "\(journal.path)/\(ErasureList.name) tells of an erasure of \(first.person) that no event "
                    + "records; see who put it there, and take it out")
        }
        try PlainFiles.withLock(on: directory) { try ErasureList(directory).append(erasures) }
    }
}
