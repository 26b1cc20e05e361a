import EventLog
import Core
import Proofs

extension EventEngine {
    /// Makes a journal anew out of a backup, and answers only when its tree has the root that the backup
    /// says and every checkpoint in it holds. Whatever stands in the way, nothing is left behind.
    ///
    /// Who was erased stays so: the lists of erasures in the backup, beside the keys and in `erasures` are
    /// applied before anything is read, and recorded where the backup is from before.
    ///
    /// - Parameter keys: a directory with the persons' keys; nil: personal fields read null, for good.
    /// - Parameter erasures: files with lists of erasures, such as of a journal that is lost.
    /// - Parameter trust: whose signatures under the backup's checkpoints count.
    public static func restore(
        _ directory: String, to path: String, keys: String? = nil, erasures: [String] = [],
        _ trust: Trust = Trust(), options: Options,
        progress: (Progress) -> Void = { _ in }
    ) throws(EngineError) -> BackupReport {
        try engineErrors {
            guard let manifest = try BackupManifest(in: directory) else {
                throw EngineError(.noJournal, "\(directory) holds no backup; name one")
            }
            let lists = [directory] + (keys.map { [$0] } ?? [])
            let erased =
                try lists.flatMap { try ErasureList($0).whole() }
                + erasures.flatMap { try ErasureList(file: $0).whole() }
            let copy = try keys.map {
                try KeyCopy(in: $0, of: manifest.journal, restoringTo: path)
            }
            let header = try Self.header(manifest, directory)
            let draft = try JournalDraft(
                at: path, restoring: manifest.journal, lead: header.lead)
            do {
                let options = options.draft
                try fill(path, manifest, directory, copy, erased, options, progress)
                try check(path, manifest, directory, erased.isEmpty, trust, options)
                try erase(erased, in: path, options)
                try draft.publish()
                return BackupReport(
                    events: manifest.last.number, position: manifest.last,
                    rootHash: manifest.rootHash, hasKeys: keys != nil)
            } catch {
                draft.discard()
                throw error
            }
        }
    }

    /// What the first line of the first part says of all.
    private static func header(
        _ manifest: BackupManifest, _ directory: String
    ) throws -> ExportForm.Header {
        guard let part = manifest.parts.first else { return ExportForm.Header() }
        var first: [UInt8]?
        try PackedText.unpack(contents(part, directory)) { text in
            first = first ?? Array(text.prefix { $0 != 10 })
        }
        return try ExportForm.header(first ?? [], number: 1)
    }

    private static func contents(
        _ part: BackupManifest.Part, _ directory: String
    ) throws -> [UInt8] {
        let file = directory + "/" + part.file
        guard let packed = try PlainFiles.read(file, atMost: 1 << 30),
            SHA256Digest.hex(of: packed) == part.digest
        else {
            throw EngineError(
                .badInput, "\(file) is missing, or is not what was written; use another backup")
        }
        return packed
    }

    private static func fill(
        _ path: String, _ manifest: BackupManifest, _ directory: String, _ copy: KeyCopy?,
        _ erased: [Erasure], _ options: Options, _ progress: (Progress) -> Void
    ) throws {
        let journal = try Journal(at: path, sealing: options.sealing, isDraft: true)
        try ErasureList(path).append(erased)
        var importer = try Importer(
            journal, Registry(options.products), headerLine: 0,
            keys: Importer.KeySource(copy: copy, erased: Set(erased.flatMap(\.keys))))
        for part in manifest.parts {
            // Each part begins with the line that names the form.
            var isFirst = true
            importer.begin(directory + "/" + part.file, headerLine: 1)
            try PackedText.unpack(contents(part, directory)) { text in
                for line in text.split(separator: 10) {
                    if !isFirst { try importer.take(Array(line)) }
                    isFirst = false
                }
            }
            progress(
                Progress(
                    done: part.last.number, total: manifest.last.number, what: "restoring"))
        }
        _ = try importer.finish()
    }

    private static func check(
        _ path: String, _ manifest: BackupManifest, _ directory: String,
        _ isAllReadable: Bool, _ trust: Trust, _ options: Options
    ) throws {
        let journal = try Journal(at: path, sealing: options.sealing, isDraft: true)
        let registry = try Registry(options.products)
        let tree = try JournalTree(journal, registry, journal.snapshot())
        guard UInt64(tree.size) == manifest.last.number,
            try tree.root(size: tree.size).base64 == manifest.rootHash
        else {
            throw EngineError(
                .checkFailed, "\(directory): its events are not those that it says it holds")
        }
        let store = directory + "/checkpoints"
        let names = try PlainFiles.names(in: store).filter { !$0.hasSuffix(".new") }
        func take(_ isWanted: (String) -> Bool) throws {
            for name in names where isWanted(name) {
                let bytes = try PlainFiles.read("\(store)/\(name)", atMost: 1 << 20)
                try PlainFiles.makeDirectory(path + "/checkpoints")
                try PlainFiles.replace("\(path)/checkpoints/\(name)", bytes ?? [])
            }
        }
        // Keys first. Checkpoints are checked where they lie: what is found names a file that stays.
        try take { !CheckpointStore.isCheckpoint($0) }
        let kept = try CheckpointStore(at: store).all()
        let engine = try EventEngine(at: path, options: options)
        // Checkpoints made after the backup was are kept with it no less: they are for later ones.
        let findings = try engine.findings(
            trust, TreeCheck(journal, registry) { _ in }, withReadModels: isAllReadable,
            keptWith: kept
        ) { _ in }.findings
        if let finding = findings.first { throw EngineError(.finding(finding)) }
        try take(CheckpointStore.isCheckpoint)
    }

    /// Records the erasures and the ends of keys that the backup is too old to know of.
    private static func erase(
        _ erased: [Erasure], in path: String, _ options: Options
    ) throws {
        if erased.isEmpty { return }
        let engine = try EventEngine(at: path, options: options)
        let log = try OpenLog(engine.journal, engine.registry)
        var known = Set(
            try KeyEnd.all(
                log.snapshot, from: Position(1), log.history.types, log.history.names
            ).map(\.erasure.matter))
        var newest = EventFilter()
        newest.isReversed = true
        newest.limit = 1
        var last = Instant.epoch
        try engine.events(newest) { document in
            let json = try? JSON(parsing: document.bytes)
            last = json?["at"]?.string.flatMap { Instant(rfc3339: $0) } ?? last
            return true
        }
        for erasure in erased.sorted(by: { $0.position < $1.position })
        where known.insert(erasure.matter).inserted {
            guard let command = engine.command(for: erasure) else { continue }
            try engine.record(erasure, command, at: max(erasure.at, last))
        }
    }

    private func record(
        _ erasure: Erasure, _ command: [JSON.Member], at instant: Instant
    ) throws {
        // Two lists may say different things of one position.
        let matter = SHA256Digest.hex(of: Array("\(erasure.person) \(erasure.ended ?? "")".utf8))
        var id = "restored-erasure-\(erasure.position.number)-\(matter.prefix(8))"
        while true {
            let line = JSON.object(
                [
                    JSON.Member(name: "at", value: .string("\(instant)")),
                    JSON.Member(name: "id", value: .string(id)),
                ] + command)
            guard let outcome = try submit([line.canonical]).first else { return }
            // One who was not known yet when the backup was made is not found.
            if outcome.status == .accepted || outcome.code == "not-found" { return }
            guard outcome.status == .duplicate || outcome.code == "id-reused" else {
                throw EngineError(
                    .checkFailed,
                    "that \(erasure.ended ?? erasure.person) is erased cannot be recorded: "
                        + outcome.document.text)
            }
            // A client took the id.
            id += "+"
        }
    }

    /// What tells the journal again; nil if the product has no other keys for a person.
    private func command(for erasure: Erasure) -> [JSON.Member]? {
        let parts = erasure.person.split(separator: "/", maxSplits: 1).map(String.init)
        if erasure.ended != nil, parts.count == 2 {
            return registry.product(parts[0])?.renewal(parts[1])
        }
        return JSON.object(of: [
            ("by", .string("system")), ("command", .string("account.erase")),
            ("data", .object(of: [("subject", .string(erasure.person))])),
        ]).members
    }
}

extension EventEngine.Options {
    /// The same for a journal that is being made.
    fileprivate var draft: EventEngine.Options {
        var options = self
        options.isReadOnly = false
        options.isDraft = true
        return options
    }
}
