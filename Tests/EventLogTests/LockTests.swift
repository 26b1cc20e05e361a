import Dispatch
import Core
import Foundation
import Glibc
import Synchronization
import Testing

@testable import EventLog

@Suite struct `The lock of writers` {
    /// Another program's, as far as this one can tell.
    private struct Foreign: ~Copyable {
        let descriptor: CInt

        init(_ path: String) {
            descriptor = unsafe open(path, O_RDWR | O_CREAT, 0o600)
            #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        }

        deinit { close(descriptor) }
    }

    @Test func `is taken for sealing and for the tree, and waited for no longer than that`() throws
    {
        let scratch = try Scratch()
        let journal = try makeJournal(scratch, .often(2))
        var model = Model()
        var random = SplitMix64(seed: 3)
        do {
            let quiet = try Journal(at: scratch.journal, sealing: .off)
            for _ in 0..<5 {
                let batch = model.randomBatch(&random)
                model.append(batch)
                _ = try quiet.append(batch)
            }
        }
        let hash = TreeEntry(level: 8, index: 0, hash: [UInt8](repeating: 1, count: 32))
        do {
            let foreign = Foreign(scratch.journal + "/writer.lock")
            let start = Monotonic.milliseconds()
            #expect(kind { try journal.seal() } == .busy)
            #expect(kind { _ = try journal.extendTree(from: 0, [hash]) } == .busy)
            #expect(Monotonic.milliseconds() - start < 8000)
            _ = foreign.descriptor
        }
        try journal.seal()
        #expect(try journal.extendTree(from: 0, [hash]))
        try journal.dropTree()
        #expect(try journal.verify().isWhole)
    }

    @Test func `of the views is waited for no longer than a moment`() throws {
        let scratch = try Scratch()
        _ = try makeJournal(scratch)
        let store = try ViewStore(at: scratch.journal)
        do {
            let foreign = Foreign(scratch.journal + "/views.mdb")
            #expect(kind { try store.write { _ in } } == .busy)
            _ = foreign.descriptor
        }
        try store.write { _ in }
    }

    @Test func `names who holds it`() throws {
        let table = """
            1: POSIX  ADVISORY  WRITE 3568 fd:00:2531452 0 EOF
            2: FLOCK  ADVISORY  WRITE 4711 00:18:77 0 EOF
            2: -> FLOCK  ADVISORY  WRITE 4712 00:18:77 0 EOF
            3: FLOCK  ADVISORY  WRITE -1 00:18:78 0 EOF
            """
        #expect(LockHolder.process(in: table, inode: 77) == 4711)
        #expect(LockHolder.process(in: table, inode: 78) == nil)
        #expect(LockHolder.process(in: table, inode: 7) == nil)
        let scratch = try Scratch()
        let journal = try makeJournal(scratch)
        let foreign = Foreign(scratch.journal + "/writer.lock")
        do {
            try journal.withWriterLock(waitMilliseconds: 0) {}
            Issue.record("it is held")
        } catch let error as JournalError {
            #expect(error.what.contains("process \(getpid()) is writing"), "\(error)")
        }
        _ = foreign.descriptor
    }

    @Test func `goes to whoever waits, though another thread takes it time and again`() throws {
        let scratch = try Scratch()
        let lock = WriterLock(at: scratch.path + "/lock")
        let isOver = Mutex(false)
        let (began, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        @Sendable func hog() {
            while !isOver.withLock({ $0 }) {
                guard (try? lock.lock(waitMilliseconds: 1000)) != nil else { continue }
                began.signal()
                usleep(2000)
                lock.unlock()
            }
            ended.signal()
        }
        Thread.detachNewThread { hog() }
        began.wait()
        for _ in 0..<5 {
            let start = Monotonic.milliseconds()
            try lock.lock(waitMilliseconds: 5000)
            lock.unlock()
            #expect(Monotonic.milliseconds() - start < 1000)
        }
        isOver.withLock { $0 = true }
        ended.wait()
    }

    @Test func `held by another program makes nobody wait longer than they said`() throws {
        let scratch = try Scratch()
        let journal = try makeJournal(scratch)
        let foreign = Foreign(scratch.journal + "/writer.lock")
        let kinds = Mutex<[JournalError.Kind?]>([])
        let ended = DispatchSemaphore(value: 0)
        @Sendable func append() {
            let batch = Batch(recordedAt: instant(0), firstNewSymbol: 1)
            let kind = kind { _ = try journal.append(batch, waitMilliseconds: 400) }
            kinds.withLock { $0.append(kind) }
            ended.signal()
        }
        let start = Monotonic.milliseconds()
        for _ in 0..<8 { Thread.detachNewThread { append() } }
        for _ in 0..<8 { ended.wait() }
        #expect(Monotonic.milliseconds() - start < 2000, "not 400 ms for each in turn")
        #expect(kinds.withLock { $0 } == [JournalError.Kind?](repeating: .busy, count: 8))
        _ = foreign.descriptor
    }
}

@Suite struct `A draft` {
    @Test(arguments: [false, true])
    func `is of one of those that make it at once, and the others are busy`(
        isDiscarded: Bool
    ) throws {
        let scratch = try Scratch()
        let path = scratch.journal
        // Each round but the first begins with what the one before left.
        for _ in 0..<10 {
            let drafts = Mutex<[JournalDraft]>([])
            let kinds = Mutex<[JournalError.Kind]>([])
            DispatchQueue.concurrentPerform(iterations: 8) { _ in
                do throws(JournalError) {
                    let draft = try JournalDraft(at: path, lead: .standard)
                    drafts.withLock { $0.append(draft) }
                } catch {
                    kinds.withLock { $0.append(error.kind) }
                }
            }
            let made = drafts.withLock { $0 }
            defer { withExtendedLifetime(made) {} }
            #expect(made.count == 1)
            #expect(kinds.withLock { $0 } == [JournalError.Kind](repeating: .busy, count: 7))
            #expect(kind { try Journal.create(at: path) } == .busy)
            #expect(try Journal(at: path, isDraft: true).verify().isWhole)
            // Else it is left as by a program that is killed.
            if isDiscarded {
                for draft in made { draft.discard() }
                #expect(((try? FileSystem.names(in: path)) ?? []).isEmpty)
            }
        }
        let last = try JournalDraft(at: path, lead: .standard)
        try last.publish()
        #expect(kind { _ = try JournalDraft(at: path, lead: .standard) } == .alreadyThere)
        #expect(try Journal(at: path).verify().isWhole)
    }

    @Test func `beside a FORMAT is none`() throws {
        let scratch = try Scratch()
        let path = scratch.journal
        try Journal.create(at: path)
        func isAJournal() throws {
            #expect(try Journal(at: path).verify().isWhole)
            try ViewStore(at: path).write { try $0.put(table: 1, key: [1], value: [1]) }
            try ViewStore.reset(at: path)
            #expect(kind { _ = try JournalDraft(at: path, lead: .standard) } == .alreadyThere)
            #expect(kind { try Journal.create(at: path) } == .alreadyThere)
        }
        let draft = path + "/FORMAT.draft"
        for text in ["no format\n", "sijill 4\n" + String(repeating: "0", count: 32) + "\n"] {
            try FileSystem.write(Array(text.utf8), to: draft)
            try isAJournal()
        }
        try FileSystem.remove(draft)
        #expect(unsafe symlink("FORMAT", draft) == 0)
        try isAJournal()
    }

    @Test func `whose program ended when it had named its log is begun anew`() throws {
        let scratch = try Scratch()
        let path = scratch.journal
        let settings = path + "/log"
        do {
            let draft = try JournalDraft(at: path, lead: .standard)
            try withExtendedLifetime(draft) { try FileSystem.write(Array("{}".utf8), to: settings) }
        }
        let again = try JournalDraft(at: path, lead: .standard)
        #expect(try !FileSystem.exists(settings))
        try FileSystem.write(Array("{}".utf8), to: settings)
        again.discard()
        #expect(try !FileSystem.exists(settings))
    }

    @Test func `that fails takes nothing away from one that begins`() throws {
        let scratch = try Scratch()
        let path = scratch.journal
        let failures = Mutex<[JournalError]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 0..<25 {
                do throws(JournalError) {
                    let draft = try JournalDraft(at: path, lead: .standard)
                    let key = try FileSystem.read(path + "/master.key", atMost: 4096)
                    _ = try Journal(at: path, isDraft: true)
                    usleep(200)
                    let same = try FileSystem.read(path + "/master.key", atMost: 4096)
                    if key == nil || key != same {
                        failures.withLock { $0.append(.damaged("its master key is gone")) }
                    }
                    draft.discard()
                } catch {
                    // `cannotCreate`: the directory was gone before it was used.
                    guard error.kind != .busy, error.kind != .cannotCreate else { continue }
                    failures.withLock { $0.append(error) }
                }
            }
        }
        #expect(failures.withLock { $0.map(\.description) } == [])
        _ = try JournalDraft(at: path, lead: .standard)
    }
}

@Suite struct `The oldest reader` {
    @Test func `is the one that is furthest behind, this program aside`() {
        let table = """
                pid     thread     txnid
                  41 7f2b8c0 17
                  42 7f2b8c0 12
                  43 7f2b8c0 -
                  44 7f2b8c0 3
                  45 7f2b8c0 20
            """
        let oldest = OldestReader(table: table, 20, but: 44)
        #expect(oldest == OldestReader(process: 42, commitsBehind: 8))
        #expect(oldest?.warning == nil)
        #expect(
            OldestReader(process: 42, commitsBehind: 65).warning?.contains("process 42") == true)
        #expect(OldestReader(table: "    pid     thread     txnid\n", 20, but: 44) == nil)
        // What the log of a program keeps on purpose; what else reads there is named all the same.
        let kept = OldestReader(table: table, 20, but: 44, pins: .init(process: 42, since: 12))
        #expect(kept?.process != 42)
        let before = OldestReader(table: table, 20, but: 44, pins: .init(process: 42, since: 13))
        #expect(before == oldest)
    }

    @Test func `is none while only this program reads`() throws {
        let scratch = try Scratch()
        let journal = try makeJournal(scratch)
        let snapshot = try journal.snapshot()
        _ = try journal.append(Batch(recordedAt: instant(0), firstNewSymbol: 1))
        #expect(try journal.statistics().oldestReader == nil)
        #expect(snapshot.head == .empty)
    }
}
