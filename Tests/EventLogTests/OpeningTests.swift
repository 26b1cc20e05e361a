import Core
import Dispatch
import Glibc
import Synchronization
import Testing

@testable import EventLog

@Suite struct `Making and opening a journal` {
    private func file(_ path: String, _ text: String) throws {
        try FileSystem.write([UInt8](text.utf8), to: path)
    }

    /// All names and contents in a directory.
    private func contents(_ path: String) throws -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        for name in try FileSystem.names(in: path) {
            found[name] = try FileSystem.read(path + "/" + name, atMost: 1 << 24)
        }
        return found
    }

    @Test func `gives an empty journal with an identity of its own`() throws {
        let scratch = try Scratch()
        let journal = try makeJournal(scratch)
        #expect(journal.identity.utf8.count == 32)
        #expect(try journal.head() == .empty)
        #expect(try journal.verify().isWhole)
        try Journal.create(at: scratch.path + "/other")
        #expect(try Journal(at: scratch.path + "/other").identity != journal.identity)
        #expect(
            try FileSystem.names(in: scratch.journal)
                == [
                    "FORMAT", "journal.mdb", "journal.mdb-lock", "keys", "master.key",
                    "writer.lock",
                ])
        var information = stat()
        #expect(unsafe stat(scratch.journal, &information) == 0)
        #expect(information.st_mode & 0o777 == 0o700)
        for name in ["FORMAT", "journal.mdb", "journal.mdb-lock", "keys", "master.key"] {
            #expect(unsafe stat(scratch.journal + "/" + name, &information) == 0)
            #expect(information.st_mode & 0o777 == 0o600)
        }
    }

    @Test func `is refused where something is, and touches nothing`() throws {
        let scratch = try Scratch()
        do { _ = try makeJournal(scratch) }
        let before = try contents(scratch.journal)
        #expect(kind { try Journal.create(at: scratch.journal) } == .alreadyThere)
        #expect(try contents(scratch.journal) == before)
        let other = scratch.path + "/other"
        _ = try FileSystem.makeDirectory(other)
        try file(other + "/notes.txt", "mine")
        #expect(kind { try Journal.create(at: other) } == .alreadyThere)
        #expect(try FileSystem.names(in: other) == ["notes.txt"])
        #expect(kind { try Journal.create(at: other + "/notes.txt") } == .alreadyThere)
        #expect(kind { try Journal.create(at: scratch.path + "/no/where") } == .cannotCreate)
        try FileSystem.remove(scratch.journal + "/FORMAT")
        #expect(
            kind { try Journal.create(at: scratch.journal) } == .alreadyThere,
            "a journal that lost its FORMAT is not overwritten")
    }

    @Test func `goes on where an interrupted creation stopped`() throws {
        let scratch = try Scratch()
        let path = scratch.journal
        _ = try FileSystem.makeDirectory(path)
        for names in [
            ["writer.lock"], ["writer.lock", "creating.mdb"],
            ["writer.lock", "creating.mdb", "creating.mdb-lock", "FORMAT.new"],
        ] {
            for name in names { try file(path + "/" + name, "left over") }
            #expect(kind { _ = try Journal(at: path) } == .notAJournal)
            try Journal.create(at: path)
            #expect(try Journal(at: path).head() == .empty)
            try removeTree(path)
            _ = try FileSystem.makeDirectory(path)
        }
        try Journal.create(at: path)
        let identity = try Journal(at: path).identity
        try FileSystem.rename(path + "/FORMAT", to: path + "/FORMAT.new")
        #expect(kind { _ = try Journal(at: path) } == .notAJournal)
        try Journal.create(at: path)
        #expect(try Journal(at: path).identity == identity)
    }

    @Test func `is refused where there is none`() throws {
        let scratch = try Scratch()
        #expect(kind { _ = try Journal(at: scratch.journal) } == .notAJournal)
        #expect(kind { _ = try Journal(at: scratch.path) } == .notAJournal)
        try file(scratch.path + "/file", "")
        #expect(kind { _ = try Journal(at: scratch.path + "/file") } == .notAJournal)
        #expect(kind { _ = try Journal(at: scratch.path + "/file/below") } == .notAJournal)
        _ = try FileSystem.makeDirectory(scratch.journal)
        _ = try FileSystem.makeDirectory(scratch.journal + "/FORMAT")
        #expect(kind { _ = try Journal(at: scratch.journal) } == .notAJournal)
    }

    @Test(arguments: [
        ("sijill 7\n00112233445566778899aabbccddeeff\n", JournalError.Kind.newerFormat),
        ("sijill 99 and more\n", .notAJournal), ("sijill 7\n", .newerFormat),
        ("sijill 5\n", .damaged(nil)), ("sijill 6\n", .damaged(nil)),
        ("sijill 3\n00112233445566778899aabbccddeeff\n", .notAJournal),
        ("", .notAJournal), ("hello", .notAJournal), ("sijill 4\n", .damaged(nil)),
        ("sijill 4\n00112233445566778899aabbccddeefg\n", .damaged(nil)),
        ("sijill 4\n00112233445566778899aabbccddee\n", .damaged(nil)),
        ("sijill 4\n00112233445566778899aabbccddeeff\n", .damaged(nil)),
    ])
    func `is refused when FORMAT says something else`(
        text: String, expected: JournalError.Kind
    ) throws {
        let scratch = try Scratch()
        do { _ = try makeJournal(scratch) }
        try file(scratch.journal + "/FORMAT", text)
        #expect(kind { _ = try Journal(at: scratch.journal) } == expected)
    }

    @Test func `is refused when journal.mdb is garbage, and the file left as it is`() throws {
        let scratch = try Scratch()
        do { _ = try makeJournal(scratch) }
        let path = scratch.journal + "/journal.mdb"
        let whole = try #require(try FileSystem.read(path, atMost: 1 << 24))
        var random = SplitMix64(seed: 1)
        let garbage = (0..<20_000).map { _ in UInt8(random.below(256)) }
        for bytes in [
            [], [0], garbage, [UInt8](repeating: 0, count: 8192), Array(whole[..<4096]),
            Array(whole[..<8192]), Array(whole[..<16]) + garbage,
        ] as [[UInt8]] {
            try FileSystem.write(bytes, to: path)
            #expect(kind { _ = try Journal(at: scratch.journal) } == .damaged(nil))
            #expect(try FileSystem.read(path, atMost: 1 << 24) == bytes)
        }
        try FileSystem.remove(path)
        #expect(kind { _ = try Journal(at: scratch.journal) } == .damaged(nil))
        _ = try FileSystem.makeDirectory(path)
        #expect(kind { _ = try Journal(at: scratch.journal) } == .damaged(nil))
    }

    @Test func `of a file cut short anywhere ends in an error or in a whole journal`() throws {
        let scratch = try Scratch()
        var model = Model()
        var random = SplitMix64(seed: 4)
        do {
            let journal = try makeJournal(scratch)
            for _ in 0..<20 {
                let batch = model.randomBatch(&random, atMost: 60)
                model.append(batch)
                _ = try journal.append(batch)
            }
        }
        let path = scratch.journal + "/journal.mdb"
        let whole = try #require(try FileSystem.read(path, atMost: 1 << 24))
        var wholeCount = 0
        for length in stride(from: 0, through: whole.count, by: 2048) {
            for access in [Journal.Access.readOnly, .readWrite] {
                try FileSystem.write(Array(whole[..<length]), to: path)
                do {
                    let journal = try Journal(at: scratch.journal, access: access)
                    guard try journal.verify().isWhole else { continue }
                    try journal.snapshot().forEachEvent { _, _ in true }
                    wholeCount += 1
                } catch let error as JournalError {
                    #expect(error.isDamage, "\(error)")
                }
            }
        }
        #expect(wholeCount >= 2)
    }

    @Test func `twice in one process shares what is appended`() throws {
        let scratch = try Scratch()
        let first = try makeJournal(scratch)
        let second = try Journal(at: scratch.path + "/./journal")
        var model = Model()
        var random = SplitMix64(seed: 2)
        for round in 0..<10 {
            let batch = model.randomBatch(&random)
            model.append(batch)
            _ = try (round % 2 == 0 ? first : second).append(batch)
            #expect(try first.head() == second.head())
        }
        #expect(try second.verify().isWhole)
    }

    @Test func `for reading only never writes`() throws {
        let scratch = try Scratch()
        do { _ = try makeJournal(scratch) }
        let reader = try Journal(at: scratch.journal, access: .readOnly)
        #expect(
            kind { _ = try reader.append(Batch(recordedAt: instant(0), firstNewSymbol: 1)) }
                == .readOnly)
        #expect(kind { _ = try Journal(at: scratch.journal) } == .busy)
        #expect(try reader.head() == .empty)
        #expect(kind { _ = try ViewStore(at: scratch.journal, access: .readOnly) } == .readOnly)
    }

    @Test func `an append waits for the writer lock and gives up in time`() throws {
        let scratch = try Scratch()
        let journal = try makeJournal(scratch)
        let descriptor = unsafe open(scratch.journal + "/writer.lock", O_RDWR)
        defer { close(descriptor) }
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        let batch = Batch(recordedAt: instant(0), firstNewSymbol: 1)
        #expect(kind { _ = try journal.append(batch, waitMilliseconds: 30) } == .busy)
        #expect(
            kind { try journal.withWriterLock(waitMilliseconds: 0) {} }
                == .busy)
        #expect(flock(descriptor, LOCK_UN) == 0)
        try journal.withWriterLock {
            #expect(flock(descriptor, LOCK_EX | LOCK_NB) != 0)
            _ = try journal.append(batch)
            try journal.withWriterLock { _ = try journal.append(batch) }
            #expect(flock(descriptor, LOCK_EX | LOCK_NB) != 0)
        }
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        #expect(try journal.head().frameCount == 2)
    }

    @Test func `many threads append and read side by side`() async throws {
        let scratch = try Scratch()
        let journal = try makeJournal(scratch)
        var first = Batch(recordedAt: instant(0), firstNewSymbol: 1)
        first.newSymbols = [[1]]
        first.newTypes = [TypeRecord(number: 1, name: "a", version: 1, schema: "")]
        _ = try journal.append(first)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<25 {
                        var batch = Batch(recordedAt: instant(0), firstNewSymbol: 2)
                        batch.add(
                            EventRecord(
                                type: 1, stream: Symbol(number: 1), at: instant(0),
                                actor: Symbol(number: 1)),
                            payload: [])
                        _ = try journal.append(batch)
                        let snapshot = try journal.snapshot()
                        var count: UInt64 = 0
                        try snapshot.forEachEvent { _, _ in
                            count += 1
                            return true
                        }
                        #expect(count == snapshot.head.position.number)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try journal.head().position == Position(100))
        #expect(try journal.verify().isWhole)
    }

    @Test func `waiting ends with an append or with the time`() async throws {
        let scratch = try Scratch()
        let journal = try makeJournal(scratch)
        #expect(try !journal.waitForAppend(after: .zero, timeoutMilliseconds: 20))
        let waiting = Task.detached {
            try journal.waitForAppend(after: .zero, timeoutMilliseconds: 10_000)
        }
        var batch = Batch(recordedAt: instant(0), firstNewSymbol: 1)
        batch.newSymbols = [[1]]
        batch.newTypes = [TypeRecord(number: 1, name: "a", version: 1, schema: "")]
        batch.add(
            EventRecord(
                type: 1, stream: Symbol(number: 1), at: instant(0), actor: Symbol(number: 1)),
            payload: [])
        _ = try journal.append(batch)
        #expect(try await waiting.value)
        let endless = Task.detached {
            try journal.waitForAppend(after: Position(1), timeoutMilliseconds: 60_000)
        }
        endless.cancel()
        #expect(try await endless.value == false)
    }

    @Test func `a file still in use is shared by whoever opens the journal anew`() throws {
        let scratch = try Scratch()
        var journal: Journal? = try makeJournal(scratch)
        let kept = journal?.environment
        journal = nil
        #expect(try Journal(at: scratch.journal).environment === kept)
    }

    @Test func `a journal that is only read is opened for writing when that is closed`() throws {
        let scratch = try Scratch()
        do { _ = try makeJournal(scratch) }
        let path = scratch.journal
        let reading = Mutex<Journal?>(try Journal(at: path, access: .readOnly))
        #expect(kind { _ = try Journal(at: path) } == .busy)
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(100)) {
            reading.withLock { $0 = nil }
        }
        #expect(try Journal(at: path).access == .readWrite)
    }

    @Test func `journals go on reading while others open and close the same one`() throws {
        let scratch = try Scratch()
        do { _ = try makeJournal(scratch) }
        let path = scratch.journal
        let errors = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            do {
                for _ in 0..<100 {
                    let journal = try Journal(at: path)
                    for _ in 0..<5 { _ = try journal.snapshot() }
                }
            } catch {
                errors.withLock { $0.append("\(error)") }
            }
        }
        #expect(errors.withLock { $0 } == [])
    }

    @Test func `network file systems are known by their mount`() {
        let mounts = """
            22 27 0:21 / /proc rw - proc proc rw
            36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw
            90 35 0:52 / /mnt/share rw shared:5 - nfs4 host:/share rw
            """
        func on(_ device: UInt) -> FileIdentity { FileIdentity(device: device, inode: 1) }
        #expect(FileSystem.mountType(on(98 << 8), in: mounts) == "ext3")
        #expect(FileSystem.mountType(on(52), in: mounts) == "nfs4")
        #expect(FileSystem.mountType(on(53), in: mounts) == nil)
        #expect(FileSystem.isNetwork("nfs4"))
        #expect(FileSystem.isNetwork("virtiofs") && FileSystem.isNetwork("fakeowner"))
        #expect(!FileSystem.isNetwork("ext4"))
    }

    @Test func `a file system is known by its mount where the device is another`() throws {
        let mounts = """
            22 27 0:21 / /proc rw - proc proc rw
            36 35 0:31 / / rw,noatime - btrfs /dev/vda rw
            90 35 0:52 / /mnt/share rw shared:5 - virtiofs share rw
            """
        func opened(_ mount: Int) -> String { "pos:\t0\nflags:\t0100000\nmnt_id:\t\(mount)\n" }
        #expect(FileSystem.mountType(openAs: opened(36), in: mounts) == "btrfs")
        #expect(FileSystem.mountType(openAs: opened(90), in: mounts) == "virtiofs")
        #expect(FileSystem.mountType(openAs: opened(3), in: mounts) == nil)
        #expect(FileSystem.mountType(openAs: "", in: mounts) == nil)
        #expect(try FileSystem.fileSystemType(of: "/proc") == "proc")
        #expect(FileSystem.isCopying("btrfs") && FileSystem.isCopying("overlay"))
        #expect(!FileSystem.isCopying("ext4"))
    }
}
