import Core
import Glibc
import Testing

@testable import EventLog

/// A small file system in memory, if this user may mount one.
struct SmallDisk: ~Copyable {
    let path: String

    init(bytes: Int) throws {
        let path = "/tmp/sijill-disk-\(UInt64.random(in: 0 ... .max))"
        self.path = path
        _ = try FileSystem.makeDirectory(path)
        guard unsafe mount("sijill", path, "tmpfs", 0, "size=\(bytes)") == 0 else {
            throw JournalError.failed("mounting", at: path, errno: errno)
        }
    }

    deinit {
        _ = unsafe umount2(path, CInt(MNT_DETACH))
        _ = unsafe rmdir(path)
    }

    /// Whether this user may mount at all.
    static var isPossible: Bool {
        do {
            _ = try SmallDisk(bytes: 1 << 16)
            return true
        } catch {
            return false
        }
    }
}

@Suite struct `On a full disk` {
    @Test(.enabled(if: SmallDisk.isPossible, "mounting a tmpfs needs privileges"))
    func `an append fails, leaves the journal as it was, and works again with room`() throws {
        let disk = try SmallDisk(bytes: 3 << 20)
        let path = disk.path + "/journal"
        try Journal.create(at: path)
        let journal = try Journal(at: path)
        var random = SplitMix64(seed: 1)
        func batch() throws -> Batch {
            let count = try journal.head().symbolCount
            var batch = Batch(recordedAt: instant(0), firstNewSymbol: count + 1)
            batch.newSymbols = [(0..<60_000).map { _ in UInt8(random.below(256)) }]
            return batch
        }
        var failure: JournalError.Kind?
        for _ in 0..<100 where failure == nil {
            let before = try journal.head()
            let next = try batch()
            failure = kind { _ = try journal.append(next) }
            if failure != nil { #expect(try journal.head() == before) }
        }
        #expect(failure == .full)
        #expect(try journal.verify().isWhole)
        #expect(kind { _ = try journal.append(batch()) } == .full)
        #expect(unsafe mount(nil, disk.path, nil, UInt(MS_REMOUNT), "size=9437184") == 0)
        for _ in 0..<10 { _ = try journal.append(batch()) }
        #expect(try journal.verify().isWhole)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a tmpfs needs privileges"))
    func `of batches that share a transaction those are recorded that are answered so`() throws {
        let disk = try SmallDisk(bytes: 3 << 20)
        let path = disk.path + "/journal"
        try Journal.create(at: path)
        let journal = try Journal(at: path, sealing: .off)
        var random = SplitMix64(seed: 2)
        var recorded: [[UInt8]] = []
        var outcomes: [JournalError.Kind?] = []
        while !outcomes.contains(.full), recorded.count < 200 {
            let texts = (0..<3).map { _ in (0..<60_000).map { _ in UInt8(random.below(256)) } }
            let first = try journal.head().symbolCount + 1
            let group = texts.enumerated().map { index, text in
                var batch = Batch(
                    recordedAt: instant(0), firstNewSymbol: first + UInt32(index))
                batch.newSymbols = [text]
                return batch
            }
            outcomes = try journal.commit(group).map { outcome in
                kind { _ = try outcome.get() }
            }
            recorded += zip(texts, outcomes).filter { $0.1 == nil }.map(\.0)
        }
        #expect(outcomes.contains(.full))
        #expect(try journal.verify().isWhole)
        #expect(unsafe mount(nil, disk.path, nil, UInt(MS_REMOUNT), "size=9437184") == 0)
        let snapshot = try Journal(at: path).snapshot()
        #expect(snapshot.head.frameCount == UInt64(recorded.count))
        for (index, text) in recorded.enumerated() {
            #expect(try snapshot.symbol(Symbol(number: UInt32(index + 1))) == text)
        }
    }

    /// The test before stops at the journal's own look at the free space; here LMDB runs into it.
    @Test(.enabled(if: SmallDisk.isPossible, "mounting a tmpfs needs privileges"))
    func `a view write that LMDB cannot finish is undone`() throws {
        let disk = try SmallDisk(bytes: 2 << 20)
        let path = disk.path + "/journal"
        try Journal.create(at: path)
        let store = try ViewStore(at: path)
        var failure: JournalError.Kind?
        var written = 0
        var random = SplitMix64(seed: 1)
        for round in 0..<100 where failure == nil {
            // What would compress takes no room.
            let value = (0..<50_000).map { _ in UInt8(random.below(256)) }
            failure = kind {
                try store.write { views in
                    try views.put(table: 1, key: [UInt8(round)], value: value)
                }
            }
            if failure == nil { written = round + 1 }
        }
        #expect(failure == .full)
        var count = 0
        try store.snapshot().scan(table: 1) { _, _ in
            count += 1
            return true
        }
        #expect(count == written)
        #expect(unsafe mount(nil, disk.path, nil, UInt(MS_REMOUNT), "size=8388608") == 0)
        try store.write { try $0.put(table: 1, key: [200], value: [1]) }
        #expect(try store.snapshot().get(table: 1, key: [200]) == [1])
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a tmpfs needs privileges"))
    func `mounted for reading only, a journal can still be read`() throws {
        let disk = try SmallDisk(bytes: 2 << 20)
        let path = disk.path + "/journal"
        try Journal.create(at: path)
        do {
            let journal = try Journal(at: path)
            _ = try journal.append(Batch(recordedAt: instant(0), firstNewSymbol: 1))
        }
        let flags = UInt(MS_REMOUNT | MS_RDONLY)
        #expect(unsafe mount(nil, disk.path, nil, flags, nil) == 0)
        let reader = try Journal(at: path, access: .readOnly)
        #expect(try reader.head().frameCount == 1)
        #expect(try reader.verify().isWhole)
        #expect(kind { _ = try Journal(at: disk.path + "/other") } == .notAJournal)
        #expect(kind { try Journal.create(at: disk.path + "/other") } == .cannotCreate)
    }

    @Test(
        .enabled(if: SmallDisk.isPossible, "mounting a tmpfs needs privileges"),
        arguments: [1, 8, 22])
    func `what cannot be made leaves nothing, and what was there`(pages: Int) throws {
        let disk = try SmallDisk(bytes: pages << 12)
        let path = disk.path + "/journal"
        #expect(kind { try Journal.create(at: path) } == .full)
        #expect(try FileSystem.names(in: disk.path).isEmpty)
        #expect(kind { _ = try JournalDraft(at: path, lead: .standard) } == .full)
        #expect(try FileSystem.names(in: disk.path).isEmpty)
        // Of a journal whose master key was put there before.
        #expect(try FileSystem.makeDirectory(path))
        let key = Array(String(repeating: "5a", count: 32).utf8)
        try FileSystem.write(key, to: path + "/master.key")
        #expect(kind { _ = try JournalDraft(at: path, lead: .standard) } == .full)
        #expect(try FileSystem.names(in: path) == ["master.key"])
        #expect(try FileSystem.read(path + "/master.key", atMost: 64) == key)
    }
}
