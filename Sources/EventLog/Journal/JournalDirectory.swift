import Core
import Cryptography
import Glibc

/// The directory of a journal: its files, and how it comes into being.
struct JournalDirectory {
    /// What `FORMAT` begins with.
    static let format = "sijill 4\n"
    /// The same once there has been a log that may hold frames which `journal.mdb` has not: a program that knows of none would
    /// leave them out.
    static let loggedFormat = "sijill 6\n"
    private static let newestFormat: UInt32 = 6

    let path: String

    var formatPath: String { path + "/FORMAT" }
    var newFormatPath: String { path + "/FORMAT.new" }
    /// What `FORMAT` is called until an import or a restore has come to its end.
    var draftFormatPath: String { path + "/FORMAT.draft" }
    var journalPath: String { path + "/journal.mdb" }
    var creatingPath: String { path + "/creating.mdb" }
    var viewsPath: String { path + "/views.mdb" }
    var logPath: String { path + "/journal.wal" }
    var lockPath: String { path + "/writer.lock" }
    var keysPath: String { path + "/keys" }
    var sealingLockPath: String { path + "/sealing.lock" }

    /// The identity in `FORMAT`, once everything about the directory was found right.
    func check(isDraft: Bool = false) throws(JournalError) -> String {
        switch try FileSystem.entry(at: path) {
        case .directory: break
        case .nothing:
            throw notAJournal("there is nothing", advice: "make one with init")
        case .file, .other:
            throw notAJournal("it is not a directory", advice: "name the journal's directory")
        }
        let formatPath = isDraft ? draftFormatPath : formatPath
        switch try FileSystem.entry(at: formatPath) {
        case .file: break
        case .nothing:
            if try FileSystem.exists(draftFormatPath) {
                throw notAJournal(
                    "an import or a restore into it has not come to its end",
                    advice: "run that again")
            }
            throw notAJournal("it has no FORMAT file", advice: "make one with init")
        case .directory, .other:
            throw notAJournal("its FORMAT is not a file", advice: "name the journal's directory")
        }
        let identity = try Self.identity(in: formatPath)
        try FileSystem.refuseNetwork(path)
        return identity
    }

    /// The identity of a journal that is open, be it a draft. Where there is a `FORMAT`, it is none,
    /// whatever lies beside that.
    func checkOpen() throws(JournalError) -> String {
        try check(isDraft: !FileSystem.exists(formatPath))
    }

    private func notAJournal(_ what: String, advice: String) -> JournalError {
        JournalError(.notAJournal, "\(path) is not a journal: \(what)", advice: advice)
    }

    /// Reads a `FORMAT` file: `sijill` and 4, 5 or 6, a line end, 32 hexadecimal digits, a line end.
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
        guard version >= 4 else {
            throw JournalError(
                .notAJournal, "\(path): format \(version) is of a program before the first release",
                advice: "export it with that program, and import it with this one")
        }
        guard version <= newestFormat else {
            throw JournalError(
                .newerFormat,
                "\(path): format \(version) is newer than this program (format \(newestFormat))",
                advice: "use the version of the program that wrote it")
        }
        guard text.utf8.count == format.utf8.count + 33, lines.count == 3, lines[2].isEmpty,
            Hex.bytes(lines[1])?.count == 16
        else { throw .damaged("\(path) holds no identity") }
        return String(lines[1])
    }

    /// Says in `FORMAT` that there may be a log, if it does not say so already.
    func markLogged() throws(JournalError) {
        let bytes = try FileSystem.read(formatPath, atMost: 4096) ?? []
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.count >= Self.format.count, !text.hasPrefix(Self.loggedFormat) else { return }
        let changed = Self.loggedFormat + text.dropFirst(Self.format.count)
        try PlainFiles.replace(formatPath, [UInt8](changed.utf8))
    }

    /// Takes away what is left of making a log that a crash interrupted.
    func clearLogLeftovers() {
        try? FileSystem.remove(logPath + ".new")
        try? FileSystem.remove(newFormatPath)
    }

    // MARK: Creation

    /// What is to be made.
    struct Plan {
        /// Of the journal that it is restored from; nil for a new one.
        var identity: [UInt8]?
        var lead = Lead.standard
        /// It is to be filled, and no journal before that is done.
        var isDraft = false
    }

    /// A draft that was made, and what was there before.
    struct Draft {
        /// Its lock: whoever fills it closes that at the end.
        let lock: CInt
        let hadDirectory: Bool
        let hadMasterKey: Bool
    }

    /// Makes an empty journal. A crash leaves nothing that `check` accepts, and nothing that a
    /// second `create` stumbles over; what fails otherwise leaves nothing. Nil where it is no draft.
    @discardableResult
    func create(_ plan: Plan = Plan()) throws(JournalError) -> Draft? {
        var hadDirectory = true
        do throws(JournalError) {
            try asCannotCreate { () throws(JournalError) in
                switch try FileSystem.entry(at: path) {
                case .nothing:
                    if try FileSystem.makeDirectory(path) {
                        hadDirectory = false
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
            return try fill(plan, hadDirectory: hadDirectory)
        } catch {
            if !hadDirectory { _ = unsafe rmdir(path) }
            throw error
        }
    }

    /// Makes the files, while nobody else does.
    private func fill(_ plan: Plan, hadDirectory: Bool) throws(JournalError) -> Draft? {
        let hadLock = try FileSystem.exists(lockPath)
        let lock = try writerLock()
        defer { lock.unlock() }
        var draft: Draft?
        try asCannotCreate { () throws(JournalError) in
            try refuseOthers()
            try refuseBusy()
            if try FileSystem.exists(draftFormatPath) { try clearDraft() }
            let before = Set(try FileSystem.names(in: path))
            do throws(JournalError) {
                draft = try make(plan).map {
                    Draft(
                        lock: $0, hadDirectory: hadDirectory,
                        hadMasterKey: before.contains("master.key"))
                }
            } catch {
                if takeAway(allBut: before), !hadLock { _ = unsafe unlink(lockPath) }
                throw error
            }
        }
        return draft
    }

    /// Takes away what was made by what failed, and nothing that was there before; false where it has
    /// come so far that it is a journal. `writer.lock` is held.
    private func takeAway(allBut before: Set<String>) -> Bool {
        // Its name could not be flushed: it is whole.
        if (try? FileSystem.exists(formatPath)) != false { return false }
        if !before.contains("master.key") { try? SecretFile.destroy(path + "/master.key") }
        for name in Self.madeFiles where !before.contains(name) {
            try? FileSystem.remove(path + "/" + name)
        }
        try? FileSystem.flush(path)
        return true
    }

    /// Besides the master key and the lock, the name that makes a draft of them last.
    private static let madeFiles = [
        "creating.mdb", "creating.mdb-lock", "keys.new", "keys", "journal.mdb", "journal.mdb-lock",
        "FORMAT.new", "FORMAT.draft",
    ]

    /// `writer.lock`, held. Whoever discards a draft takes that file away: a lock on what has no name keeps
    /// nobody out.
    private func writerLock() throws(JournalError) -> WriterLock {
        while true {
            let mark = unsafe Glibc.open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard mark >= 0 else {
                guard errno == ENOENT else { throw .failed("opening", at: lockPath, errno: errno) }
                throw JournalError(
                    .busy, "\(path): another import or restore took it away",
                    advice: "try again")
            }
            defer { close(mark) }
            let lock = WriterLock(at: lockPath)
            do throws(JournalError) {
                try lock.lock(waitMilliseconds: 10_000)
                if FileSystem.hasName(mark) { return lock }
                lock.unlock()
            } catch {
                if FileSystem.hasName(mark) { throw error }
            }
        }
    }

    /// Refuses a draft that another program fills.
    func refuseBusy() throws(JournalError) {
        // A journal is no draft, whatever lies beside its `FORMAT`.
        if try FileSystem.exists(formatPath) { return }
        // Shared, so that two that look are not in each other's way.
        if let descriptor = try locked(draftFormatPath, LOCK_SH) { close(descriptor) }
    }

    /// A `FORMAT` that is locked until the descriptor is closed; nil if there is none.
    private func locked(_ file: String, _ kind: CInt) throws(JournalError) -> CInt? {
        // A pipe in its place is not waited for.
        let descriptor = unsafe Glibc.open(
            file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw .failed("opening", at: file, errno: errno)
        }
        guard flock(descriptor, kind | LOCK_NB) == 0 else {
            close(descriptor)
            throw JournalError(
                .busy, "\(path): another import or restore fills this journal",
                advice: "let it come to its end")
        }
        return descriptor
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
            "keys", "keys.new", "master.key", "master.key.new",
        ]
        if names.contains("FORMAT.draft") {
            leftovers.formUnion(Self.draftFiles + ["FORMAT.draft", "checkpoints"])
        }
        if names.contains("FORMAT.new") {
            leftovers.formUnion(["journal.mdb", "journal.mdb-lock"])
        }
        if let other = names.first(where: { !leftovers.contains($0) }) {
            try refuseBusy()  // it came while the names were read
            throw alreadyThere("\(other)")
        }
    }

    /// Besides checkpoints.
    private static let draftFiles = [
        "journal.mdb", "journal.mdb-lock", "views.mdb", "views.mdb-lock", "sealing.lock",
        "erasures.jsonl", "erasures.jsonl.new", "keys", "keys.new", "log", "log.new", "writer.lock",
    ]

    /// Takes away what an interrupted import or restore left; `FORMAT.draft` goes last, so that this can
    /// be interrupted, too.
    func clearDraft() throws(JournalError) {
        let checkpoints = path + "/checkpoints"
        for name in try PlainFiles.names(in: checkpoints) {
            try FileSystem.remove(checkpoints + "/" + name)
        }
        _ = unsafe rmdir(checkpoints)
        for name in Self.draftFiles where name != "writer.lock" {
            try FileSystem.remove(path + "/" + name)
        }
        try FileSystem.flush(path)
        try FileSystem.remove(draftFormatPath)
        try FileSystem.flush(path)
    }

    /// Makes a journal of a draft; durable on return. What fails leaves it a draft.
    func publish() throws(JournalError) {
        try FileSystem.rename(draftFormatPath, to: formatPath)
        do throws(JournalError) {
            try FileSystem.flush(path)
        } catch {
            try? FileSystem.rename(formatPath, to: draftFormatPath)
            throw error
        }
    }

    private func make(_ plan: Plan) throws(JournalError) -> CInt? {
        if try FileSystem.exists(journalPath) {
            // Interrupted between the two renames; FORMAT.new and the journal belong together.
            let identity = try Self.identity(in: newFormatPath)
            _ = try OpenJournal.environment(self, identity: identity, isReadOnly: false)
            return try finish(plan)
        }
        try FileSystem.remove(creatingPath)
        try FileSystem.remove(creatingPath + "-lock")
        try FileSystem.remove(newFormatPath)
        let identity = plan.identity ?? RandomBytes.make(16)
        try KeyFile.create(self, identity: identity)
        try makeJournal(identity, plan.lead)
        try FileSystem.remove(creatingPath + "-lock")
        let format = Self.format + Hex.text(identity) + "\n"
        try FileSystem.write([UInt8](format.utf8), to: newFormatPath)
        try FileSystem.flush(path)
        try FileSystem.rename(creatingPath, to: journalPath)
        try FileSystem.flush(path)
        return try finish(plan)
    }

    private func finish(_ plan: Plan) throws(JournalError) -> CInt? {
        // Before it is called a draft, so that nobody finds one that nobody holds.
        let lock = try plan.isDraft ? locked(newFormatPath, LOCK_EX) : nil
        do throws(JournalError) {
            try FileSystem.rename(newFormatPath, to: plan.isDraft ? draftFormatPath : formatPath)
            try FileSystem.flush(path)
        } catch {
            if let lock { close(lock) }
            throw error
        }
        return lock
    }

    private func makeJournal(_ identity: [UInt8], _ lead: Lead) throws(JournalError) {
        try FileSystem.write([], to: creatingPath)
        let environment = try EnvironmentRegistry.open(
            .journal, at: creatingPath, lockPath: lockPath, isReadOnly: false
        ) { environment throws(JournalError) in
            let databases = try JournalDatabases.open(environment, creating: true)
            let transaction = try WriteTransaction(environment)
            try transaction.withAccess { access throws(JournalError) in
                let identityKey = IdentityRecord.key
                var content = identity
                try access.putRecord(databases.meta, identityKey.span, &content)
                try LeadRecord.put(lead, access, databases)
                try HeadRecord.put(.empty, access, databases)
                try Sealed().put(access, databases)
            }
            try transaction.commit()
        }
        withExtendedLifetime(environment) {}
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
