import Events
import Glibc

/// The directory of a journal: its files, and how it comes into being.
struct JournalDirectory {
    /// What `FORMAT` begins with.
    static let format = "sijill 3\n"

    let path: String

    var formatPath: String { path + "/FORMAT" }
    var newFormatPath: String { path + "/FORMAT.new" }
    var journalPath: String { path + "/journal.mdb" }
    var creatingPath: String { path + "/creating.mdb" }
    var viewsPath: String { path + "/views.mdb" }
    var lockPath: String { path + "/writer.lock" }
    var keysPath: String { path + "/keys" }
    var sealingLockPath: String { path + "/sealing.lock" }

    /// The identity in `FORMAT`, once everything about the directory was found right.
    func check() throws(JournalError) -> String {
        switch try FileSystem.entry(at: path) {
        case .directory: break
        case .nothing:
            throw notAJournal("there is nothing", advice: "make one with init")
        case .file, .other:
            throw notAJournal("it is not a directory", advice: "name the journal's directory")
        }
        switch try FileSystem.entry(at: formatPath) {
        case .file: break
        case .nothing:
            throw notAJournal("it has no FORMAT file", advice: "make one with init")
        case .directory, .other:
            throw notAJournal("its FORMAT is not a file", advice: "name the journal's directory")
        }
        let identity = try Self.identity(in: formatPath)
        try FileSystem.refuseNetwork(path)
        return identity
    }

    private func notAJournal(_ what: String, advice: String) -> JournalError {
        JournalError(.notAJournal, "\(path) is not a journal: \(what)", advice: advice)
    }

    /// Reads a `FORMAT` file: `sijill 3`, a line end, 32 hexadecimal digits, a line end.
    static func identity(in path: String) throws(JournalError) -> String {
        let bytes = try FileSystem.read(path, atMost: 4096) ?? []
        let text = String(decoding: bytes, as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let words = lines.first.map { $0.split(separator: " ") } ?? []
        guard words.count == 2, words[0] == "sijill", let version = UInt32(words[1]) else {
            throw JournalError(
                .notAJournal, "\(path) is not a journal's FORMAT file",
                advice: "name the journal's directory, or restore it from a backup")
        }
        guard version >= 3 else {
            throw JournalError(
                .notAJournal, "\(path): format \(version) is of a program before the first release",
                advice: "export it with that program, and import it with this one")
        }
        guard version == 3 else {
            throw JournalError(
                .newerFormat, "\(path): format \(version) is newer than this program (format 3)",
                advice: "use the version of the program that wrote it")
        }
        guard text.utf8.count == format.utf8.count + 33, lines.count == 3, lines[2].isEmpty,
            Hexadecimal.bytes(lines[1].utf8)?.count == 16
        else { throw .damaged("\(path) holds no identity") }
        return String(lines[1])
    }

    // MARK: Creation

    /// Makes an empty journal. A crash leaves nothing that `check` accepts, and nothing that a
    /// second `create` stumbles over.
    ///
    /// `identity` is that of the journal that it is restored from, its keys included; nil for a new one.
    func create(restoring identity: [UInt8]? = nil) throws(JournalError) {
        try asCannotCreate { () throws(JournalError) in
            switch try FileSystem.entry(at: path) {
            case .nothing:
                if try FileSystem.makeDirectory(path) {
                    try FileSystem.flush(parent)
                }
            case .directory:
                try refuseOthers()
                try FileSystem.makePrivate(path)
            case .file, .other: throw alreadyThere("a file")
            }
            try refuseOthers()
            try FileSystem.refuseNetwork(path)
        }
        let lock = WriterLock(at: lockPath)
        do throws(WriterLockFailure<JournalError>) {
            try lock.withLock(waitMilliseconds: 10_000) { () throws(JournalError) in
                try asCannotCreate { () throws(JournalError) in
                    try refuseOthers()
                    try make(identity)
                }
            }
        } catch {
            switch error {
            case .lock(let error), .body(let error): throw error
            }
        }
    }

    private var parent: String { FileSystem.parent(of: path) }

    private func alreadyThere(_ what: String) -> JournalError {
        JournalError(
            .alreadyThere, "\(path): \(what) is already there",
            advice: "name another directory; nothing was touched")
    }

    /// Only what an interrupted creation leaves behind may be there.
    private func refuseOthers() throws(JournalError) {
        let names = try FileSystem.names(in: path)
        if names.contains("FORMAT") { throw alreadyThere("a journal") }
        var leftovers: Set = [
            "FORMAT.new", "creating.mdb", "creating.mdb-lock", "writer.lock", "lost+found",
            "keys", "master.key", "master.key.new",
        ]
        if names.contains("FORMAT.new") {
            leftovers.formUnion(["journal.mdb", "journal.mdb-lock"])
        }
        if let other = names.first(where: { !leftovers.contains($0) }) {
            throw alreadyThere("\(other)")
        }
    }

    private func make(_ restored: [UInt8]?) throws(JournalError) {
        if try FileSystem.exists(journalPath) {
            // Interrupted between the two renames; FORMAT.new and the journal belong together.
            let identity = try Self.identity(in: newFormatPath)
            _ = try OpenJournal.environment(self, identity: identity, isReadOnly: false)
            try finish()
            return
        }
        try FileSystem.remove(creatingPath)
        try FileSystem.remove(creatingPath + "-lock")
        try FileSystem.remove(newFormatPath)
        let identity = restored ?? FileSystem.random(16)
        try KeyFile.create(self, identity: identity)
        try makeJournal(identity)
        try FileSystem.remove(creatingPath + "-lock")
        let format = Self.format + Hexadecimal.text(identity) + "\n"
        try FileSystem.write([UInt8](format.utf8), to: newFormatPath)
        try FileSystem.flush(path)
        try FileSystem.rename(creatingPath, to: journalPath)
        try FileSystem.flush(path)
        try finish()
    }

    private func finish() throws(JournalError) {
        try FileSystem.rename(newFormatPath, to: formatPath)
        try FileSystem.flush(path)
    }

    private func makeJournal(_ identity: [UInt8]) throws(JournalError) {
        try FileSystem.write([], to: creatingPath)
        let lease = try EnvironmentRegistry.open(
            .journal, at: creatingPath, lockPath: lockPath, isReadOnly: false
        ) { environment throws(JournalError) in
            let databases = try JournalDatabases.open(environment, creating: true)
            let transaction = try WriteTransaction(environment)
            try transaction.withAccess { access throws(JournalError) in
                let identityKey = IdentityRecord.key
                var content = identity
                try access.putRecord(databases.meta, identityKey.span, &content)
                try HeadRecord.put(.empty, access, databases)
                try Sealed().put(access, databases)
            }
            try transaction.commit()
        }
        withExtendedLifetime(lease) {}
        try FileSystem.flush(creatingPath)
    }

    /// Whatever kept it from being made, it could not be made.
    private func asCannotCreate(
        _ body: () throws(JournalError) -> Void
    ) throws(JournalError) {
        do throws(JournalError) {
            try body()
        } catch {
            switch error.kind {
            case .permission, .inputOutput, .readOnly:
                throw JournalError(
                    .cannotCreate, error.what, advice: error.advice, code: error.code)
            default: throw error
            }
        }
    }
}

extension Journal {
    /// Takes away a journal that was only just made and whose making failed: `FORMAT` first, so that
    /// what a crash leaves is no journal.
    package static func discard(at path: String) {
        let directory = JournalDirectory(path: path)
        let files = [
            directory.formatPath, directory.journalPath, directory.viewsPath, directory.lockPath,
            directory.sealingLockPath,
        ]
        for file in files.flatMap({ [$0, $0 + "-lock"] }) { _ = unsafe unlink(file) }
        for file in [directory.keysPath, path + "/erasures.jsonl"] { _ = unsafe unlink(file) }
        let checkpoints = path + "/checkpoints"
        for name in (try? PlainFiles.names(in: checkpoints)) ?? [] {
            _ = unsafe unlink(checkpoints + "/" + name)
        }
        _ = unsafe rmdir(checkpoints)
        _ = unsafe rmdir(path)
    }
}
