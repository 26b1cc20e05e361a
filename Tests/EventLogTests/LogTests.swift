import Core
import Glibc
import Testing

@testable import EventLog

/// A journal whose commits go through its log, and what a disk may hold of it.
private final class LoggedLife {
    let path: String
    let journal: Journal
    var model = Model()
    var random: SplitMix64
    /// `journal.mdb` as each commit left it, by the commit's number.
    private(set) var states: [UInt64: [UInt8]] = [:]
    private var newest: UInt64 = 0

    init(
        _ scratch: borrowing Scratch, seed: UInt64, area: Int = 1 << 16,
        sealing: Sealing = .often(60), idleMilliseconds: Int = 600_000
    ) throws {
        path = scratch.journal
        random = SplitMix64(seed: seed)
        try Journal.create(at: path)
        var options = WriteAheadLog.Options()
        options.commitsBefore = 2
        options.areaBytes = area
        options.hasCheckpoints = false
        options.idleMilliseconds = idleMilliseconds
        journal = try Journal(
            at: path, access: .readWrite, sealing: sealing,
            mapBytes: LMDBEnvironment.leastMapBytes, logging: options)
    }

    var log: WriteAheadLog {
        get throws { try #require(journal.environment.log) }
    }

    /// Marks the last commit, as an append does when much has come.
    func mark() throws -> WriteAheadLog.Mark {
        let (log, environment) = (try log, journal.environment)
        try log.putWaiting(environment)
        try keepState()
        return try environment.asWriter { () throws(JournalError) in
            try log.withState { state throws(JournalError) in
                let mark = try log.mark(&state, environment)
                state.checkpoint = .marked(mark)
                return mark
            }
        }
    }

    func append() throws {
        let batch = model.randomBatch(&random)
        _ = try journal.append(batch)
        model.append(batch)
        try keepState()
    }

    private func keepState() throws {
        let file = try bytes("journal.mdb")
        newest = max(
            MetaPages.little(file.span, 144, 8), MetaPages.little(file.span, 4096 + 144, 8))
        states[newest] = file
    }

    func bytes(_ name: String) throws -> [UInt8] {
        try Self.bytes(at: path + "/" + name)
    }

    private static func bytes(at path: String) throws -> [UInt8] {
        guard case .file(let size) = try FileSystem.entry(at: path) else { return [] }
        return try FileSystem.read(path, atMost: size) ?? []
    }

    /// The header that counts of these bytes of a log.
    func header(_ log: [UInt8]) -> LogHeader? {
        LogHeader.slotOffsets.compactMap { offset in
            try? LogHeader(log.span.extracting(offset..<offset + LogHeader.slotBytes))
        }.max { $0.sequence < $1.sequence }
    }

    /// What a power failure now may leave in `other`: the log is flushed, of `journal.mdb` the state that the log
    /// follows; of all else any page.
    func loosePower(into other: String, log: [UInt8], file written: [UInt8]? = nil) throws {
        try copy(into: other)
        try overwrite(other + "/journal.wal", log)
        guard let meta = header(log)?.meta else { return }
        let flushed = try #require(states[meta.commit], "a state that was not kept")
        var file = try written ?? bytes("journal.mdb")
        let way = random.below(4)
        for page in 0..<file.count / 4096 {
            let range = page * 4096..<(page + 1) * 4096
            let isLost =
                switch way {
                case 0: true
                case 1: page < 2
                case 2: page >= 2
                default: random.below(2) == 0
                }
            guard isLost else { continue }
            if range.upperBound <= flushed.count {
                file.replaceSubrange(range, with: flushed[range])
            } else {
                file.replaceSubrange(range, with: repeatElement(0, count: 4096))
            }
        }
        try overwrite(other + "/journal.mdb", file)
    }

    func copy(into other: String) throws {
        try? removeTree(other)
        _ = try FileSystem.makeDirectory(other)
        for name in try FileSystem.names(in: path) where !name.hasSuffix("-lock") {
            try overwrite(other + "/" + name, try bytes(name))
        }
    }

    private func overwrite(_ path: String, _ bytes: [UInt8]) throws {
        try FileSystem.write(bytes, to: path)
    }

    /// That a copy opens, whole, with all events, or all but those of the last commits.
    func check(
        _ other: String, missing: Int? = nil, wasInUse: Bool = true,
        _ place: SourceLocation = #_sourceLocation
    ) throws {
        if wasInUse {
            let log = try Self.bytes(at: other + "/journal.wal")
            #expect(header(log)?.isInUse == true, sourceLocation: place)
        }
        let journal = try Journal(at: other)
        var found: [PlainEvent] = []
        try journal.snapshot().forEachEvent { record, body in
            found.append(PlainEvent(record, body))
            return true
        }
        let expected = model.events.dropLast(missing ?? 0)
        #expect(found.count == expected.count, sourceLocation: place)
        #expect(found.elementsEqual(expected), sourceLocation: place)
        let report = try journal.verify()
        #expect(report.isWhole, "\(report)", sourceLocation: place)
        if wasInUse {
            #expect(try !FileSystem.exists(other + "/journal.wal"), sourceLocation: place)
        }
        // And it goes on.
        if missing == nil { _ = try journal.append(model.randomBatch(&random)) }
    }
}

@Suite struct `The log of commits` {
    @Test func `is used by who appends often, and gone when the journal is closed`() throws {
        let scratch = try Scratch()
        let wal = scratch.journal + "/journal.wal"
        do {
            let life = try LoggedLife(scratch, seed: 1)
            try life.append()
            try life.append()
            #expect(try !FileSystem.exists(wal))
            #expect(try life.bytes("FORMAT").starts(with: "sijill 4\n".utf8))
            try life.append()
            #expect(try life.log.use.isInUse)
            #expect(try FileSystem.exists(wal))
            #expect(try life.bytes("FORMAT").starts(with: "sijill 6\n".utf8))
            for _ in 0..<30 { try life.append() }
            #expect(try life.journal.verify().isWhole)
        }
        #expect(try !FileSystem.exists(wal))
        #expect(try Journal(at: scratch.journal).verify().isWhole)
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func `brings back every commit after a power failure`(seed: UInt64) throws {
        let scratch = try Scratch()
        let life = try LoggedLife(scratch, seed: seed, area: seed % 3 == 0 ? 1 << 14 : 1 << 16)
        let other = scratch.path + "/other"
        var flushedLog: [UInt8] = []
        for round in 0..<60 {
            try life.append()
            guard try FileSystem.exists(scratch.journal + "/journal.wal") else { continue }
            flushedLog = try life.bytes("journal.wal")
            if life.random.below(4) == 0 {
                try life.loosePower(into: other, log: flushedLog)
                try life.check(other)
            }
            if round % 7 == 6 {
                _ = try life.mark()
                if round % 14 == 6 { try life.append() }
                try life.log.flushMarked(life.journal.environment)
                let (before, file) = (try life.bytes("journal.wal"), try life.bytes("journal.mdb"))
                let count = life.model.events.count
                try life.append()  // goes on from there
                let after = try life.bytes("journal.wal")
                guard let old = life.header(before), let new = life.header(after), new.isInUse,
                    new.epoch == old.epoch, new != old
                else { continue }  // a record that is too long for the log
                try life.loosePower(into: other, log: after)
                try life.check(other)
                // Its record and the header are flushed together, before the commit: each may be alone.
                let headers = ..<LogHeader.recordsOffset
                let records = LogHeader.recordsOffset...
                let recordAlone = Array(before[headers]) + after[records]
                try life.loosePower(into: other, log: recordAlone, file: file)
                try life.check(other)
                let headerAlone = Array(after[headers]) + before[records]
                try life.loosePower(into: other, log: headerAlone, file: file)
                try life.check(other, missing: life.model.events.count - count)
            }
        }
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `brings back all that a killed program had committed`(seed: UInt64) throws {
        let scratch = try Scratch()
        let life = try LoggedLife(scratch, seed: seed)
        for _ in 0..<25 { try life.append() }
        try life.copy(into: scratch.path + "/other")
        try life.check(scratch.path + "/other")
    }

    @Test func `ends where a record was cut short`() throws {
        let scratch = try Scratch()
        let life = try LoggedLife(scratch, seed: 4, sealing: .off)
        for _ in 0..<10 { try life.append() }
        let before = try life.bytes("journal.wal")
        // A commit goes into it behind the flush of its record.
        let journal = try life.bytes("journal.mdb")
        let count = life.model.events.count
        while life.model.events.count == count { try life.append() }
        let after = try life.bytes("journal.wal")
        let changed = zip(before, after).enumerated().filter { $1.0 != $1.1 }.map(\.offset)
        let (first, last) = (try #require(changed.first), try #require(changed.last))
        for cut in [first, (first + last) / 2, last] {
            var torn = after
            torn.replaceSubrange(cut..<last + 1, with: before[cut..<last + 1])
            let other = scratch.path + "/other"
            try life.loosePower(into: other, log: torn, file: journal)
            try life.check(other, missing: life.model.events.count - count)
        }
    }

    @Test func `can be recovered again where recovering was interrupted`() throws {
        let scratch = try Scratch()
        let life = try LoggedLife(scratch, seed: 9)
        for _ in 0..<20 { try life.append() }
        let other = scratch.path + "/other"
        let log = try life.bytes("journal.wal")
        try life.loosePower(into: other, log: log)
        try life.check(other, missing: 0)
        // All that recovering wrote into journal.mdb is there, and nothing of what it wrote into the log.
        try FileSystem.write(log, to: other + "/journal.wal")
        try life.check(other)
    }

    @Test func `never goes back behind a later state for a flush that took its time`() throws {
        let scratch = try Scratch()
        let life = try LoggedLife(scratch, seed: 11, area: 1 << 14, sealing: .off)
        for _ in 0..<10 { try life.append() }
        let (log, environment) = (try life.log, life.journal.environment)
        let mark = try life.mark()
        // Appends go on meanwhile until the log has no room left, and over what the mark needs.
        func commit() throws -> UInt64 {
            try #require(life.header(try life.bytes("journal.wal"))?.meta).commit
        }
        while try commit() <= mark.meta.commit { try life.append() }
        for _ in 0..<30 { try life.append() }
        let reached = try commit()
        try log.flushMarked(environment)
        try life.append()
        #expect(try commit() >= reached)
        try life.copy(into: scratch.path + "/other")
        try life.check(scratch.path + "/other")
    }

    @Test func `answers no commit behind a flush of the log that failed`() throws {
        let scratch = try Scratch()
        let life = try LoggedLife(scratch, seed: 12)
        for _ in 0..<10 { try life.append() }
        #expect(throws: JournalError.self) {
            try life.journal.environment.breaking { () throws(JournalError) in
                throw .invalid("a test")
            }
        }
        for _ in 0..<3 { #expect(throws: JournalError.self) { try life.append() } }
    }

    @Test func `is read by others as far as its commits wait`() throws {
        let scratch = try Scratch()
        let journal = try makeJournal(scratch, .off, logging: .waiting(1000))
        var model = Model()
        var random = SplitMix64(seed: 8)
        let log = try #require(journal.environment.log)
        while log.waiting.frames.count < 5 {
            let batch = model.randomBatch(&random)
            model.append(batch)
            _ = try journal.append(batch)
        }
        let (waiting, path) = (log.waiting, scratch.journal + "/journal.wal")
        func stored() throws -> Head {
            let transaction = try ReadTransaction(journal.environment, mayBeBehind: true)
            return try HeadRecord.read(transaction.access, journal.databases)
        }
        let tail = try #require(try LogTail(of: path, identity: nil, after: stored()))
        #expect(tail.waiting.frames == waiting.frames && tail.waiting.head == waiting.head)
        #expect(try LogTail(of: path, identity: [1], after: stored()) == nil)
        // The same record of a commit that does not wait: nobody was answered.
        let file = try #require(try FileSystem.read(path, atMost: 1 << 24))
        let first = waiting.frames[0].bytes
        let waits = LogRecord.bytes(of: [first], epoch: tail.header.epoch, waits: true)
        let other = LogRecord.bytes(of: [first], epoch: tail.header.epoch, waits: false)
        #expect(Array(file[tail.start..<tail.start + waits.count]) == waits)
        try FileSystem.write(
            Array(file[..<tail.start]) + other + file[(tail.start + waits.count)...], to: path)
        let none = try #require(try LogTail(of: path, identity: nil, after: stored()))
        #expect(none.waiting.head == nil)
    }

    @Test func `lets no flush succeed behind one that failed`() throws {
        let scratch = try Scratch()
        let life = try LoggedLife(scratch, seed: 12)
        for _ in 0..<10 { try life.append() }
        let environment = life.journal.environment
        _ = try life.mark()
        #expect(throws: JournalError.self) {
            try environment.breaking { () throws(JournalError) in throw .invalid("a test") }
        }
        #expect(throws: JournalError.self) { try life.log.flushMarked(environment) }
        #expect(life.header(try life.bytes("journal.wal"))?.hasFailed == true)
        #expect(throws: JournalError.self) { try life.append() }
    }

    @Test(arguments: [false, true])
    func `of a journal that took its place is left alone`(isMoved: Bool) throws {
        let scratch = try Scratch()
        var former: LoggedLife? = try LoggedLife(scratch, seed: 13)
        for _ in 0..<10 { try former?.append() }
        if isMoved {
            try FileSystem.rename(scratch.journal, to: scratch.path + "/moved")
        } else {
            for name in try FileSystem.names(in: scratch.journal) {
                try FileSystem.remove(scratch.journal + "/" + name)
            }
            try FileSystem.removeDirectory(scratch.journal)
        }
        let life = try LoggedLife(scratch, seed: 14)
        for _ in 0..<10 { try life.append() }
        let log = try life.bytes("journal.wal")
        if let former {
            // As whoever decides commands appends.
            #expect(throws: JournalError.self) {
                try former.journal.withWriterLock {
                    try former.journal.append(former.model.randomBatch(&former.random))
                }
            }
        }
        former = nil
        #expect(try life.bytes("journal.wal") == log)
        #expect(life.header(log)?.isInUse == true)
        for _ in 0..<10 { try life.append() }
        try life.copy(into: scratch.path + "/other")
        try life.check(scratch.path + "/other")
    }

    @Test func `of another journal is refused`() throws {
        let scratch = try Scratch()
        let life = try LoggedLife(scratch, seed: 2)
        for _ in 0..<10 { try life.append() }
        let other = scratch.path + "/other"
        try Journal.create(at: other)
        try FileSystem.write(try life.bytes("journal.wal"), to: other + "/journal.wal")
        #expect(kind { _ = try Journal(at: other) } == .damaged(nil))
        try FileSystem.write(Array("nonsense".utf8), to: other + "/journal.wal")
        #expect(kind { _ = try Journal(at: other) } == .damaged(nil))
    }

    @Test func `is left alone by what is longer than it may be`() throws {
        let scratch = try Scratch()
        let life = try LoggedLife(scratch, seed: 3, area: 1 << 12)
        for _ in 0..<10 { try life.append() }
        #expect(try life.log.use.isInUse)
        var batch = life.model.randomBatch(&life.random)
        batch.newSymbols.append((0..<3000).map { _ in UInt8(life.random.below(256)) })
        _ = try life.journal.append(batch)
        life.model.append(batch)
        #expect(try !life.log.use.isInUse)
        let other = scratch.path + "/other"
        try life.copy(into: other)
        try life.check(other, wasInUse: false)
    }

    @Test func `comes to rest when nobody appends`() throws {
        let scratch = try Scratch()
        let life = try LoggedLife(scratch, seed: 5, idleMilliseconds: 100)
        for _ in 0..<10 { try life.append() }
        for _ in 0..<500 where try life.log.use.isInUse { usleep(10_000) }
        #expect(try !life.log.use.isInUse)
        let header = try #require(life.header(try life.bytes("journal.wal")))
        #expect(!header.isInUse)
        for _ in 0..<10 { try life.append() }
        try life.copy(into: scratch.path + "/other")
        try life.check(scratch.path + "/other", wasInUse: false)
    }
}
