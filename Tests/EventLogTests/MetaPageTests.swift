import CLMDB
import Core
import Glibc
import Testing

@testable import EventLog

/// Bytes of `journal.mdb`, read and written behind the journal's back.
private struct RawFile {
    let path: String

    func bytes() throws -> [UInt8] {
        let bytes = try FileSystem.read(path, atMost: 1 << 26)
        return bytes ?? []
    }

    func number(_ offset: Int) throws -> UInt64 {
        let all = try bytes()
        return MetaPages.little(all.span, offset, 8)
    }

    func write(_ number: UInt64, at offset: Int) throws {
        let descriptor = unsafe open(path, O_WRONLY)
        defer { close(descriptor) }
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
        try FileSystem.write(bytes, to: descriptor, at: offset, path)
    }

    func cut(to length: Int) { #expect(unsafe truncate(path, length) == 0) }
}

@Suite struct `The two meta pages of journal.mdb` {
    private static let rootOffset = 128
    private static let commitOffset = 144

    private func filled(_ scratch: borrowing Scratch, _ commits: Int) throws -> RawFile {
        var model = Model()
        var random = SplitMix64(seed: 5)
        let journal = try makeJournal(scratch)
        for _ in 0..<commits {
            let batch = model.randomBatch(&random)
            model.append(batch)
            _ = try journal.append(batch)
        }
        return RawFile(path: scratch.journal + "/journal.mdb")
    }

    /// Where the page begins that LMDB does not go by, and the one that it does.
    private func starts(_ file: RawFile) throws -> (spare: Int, newest: Int) {
        let first = try file.number(Self.commitOffset)
        let second = try file.number(4096 + Self.commitOffset)
        return first < second ? (0, 4096) : (4096, 0)
    }

    /// As LMDB leaves it: the old transaction number and last page behind the new roots.
    private func failWrite(_ file: RawFile) throws {
        let spare = try starts(file).spare
        try file.write(1 << 20, at: spare + Self.rootOffset)
    }

    @Test(arguments: [1, 2, 3, 10])
    func `may be left by a failed write, which the next commit mends`(commits: Int) throws {
        let scratch = try Scratch()
        let file = try filled(scratch, commits)
        try failWrite(file)
        let before = try file.bytes()
        do {
            let reader = try Journal(at: scratch.journal, access: .readOnly)
            #expect(try reader.head().frameCount == UInt64(commits))
            #expect(try reader.verify().isWhole)
            #expect(reader.failedWriteWarning()?.contains("failed write") == true)
            #expect(try file.bytes() == before)
        }
        let journal = try Journal(at: scratch.journal)
        let symbols = try journal.head().symbolCount
        _ = try journal.append(Batch(recordedAt: instant(0), firstNewSymbol: symbols + 1))
        #expect(try journal.verify().isWhole)
        #expect(journal.failedWriteWarning() == nil)
    }

    @Test func `are mended while nobody has the journal open`() throws {
        let scratch = try Scratch()
        let file = try filled(scratch, 7)
        #expect(try !Journal.repair(at: scratch.journal))
        try failWrite(file)
        do {
            let journal = try Journal(at: scratch.journal, access: .readOnly)
            #expect(kind { _ = try Journal.repair(at: scratch.journal) } == .busy)
            #expect(try journal.head().frameCount == 7)
        }
        let (spare, newest) = try starts(file)
        let commit = try file.number(spare + Self.commitOffset)
        #expect(try Journal.repair(at: scratch.journal))
        #expect(try file.number(spare + Self.commitOffset) == commit)
        #expect(
            try file.number(spare + Self.rootOffset) == file.number(newest + Self.rootOffset))
        #expect(try !Journal.repair(at: scratch.journal))
        let journal = try Journal(at: scratch.journal)
        #expect(try journal.head().frameCount == 7)
        #expect(try journal.verify().isWhole)
        #expect(journal.failedWriteWarning() == nil)
    }

    @Test func `are refused when the newer one is damaged, and left as they are`() throws {
        let scratch = try Scratch()
        let file = try filled(scratch, 4)
        let newest = try starts(file).newest
        try file.write(1 << 20, at: newest + Self.rootOffset)
        let before = try file.bytes()
        #expect(kind { _ = try Journal(at: scratch.journal) } == .damaged(nil))
        #expect(kind { _ = try Journal.repair(at: scratch.journal) } == .damaged(nil))
        #expect(try file.bytes() == before)
    }
}

@Suite struct `The end of journal.mdb` {
    /// Above 8 MiB the pages are not walked when the file is opened.
    private func large(_ scratch: borrowing Scratch) throws -> RawFile {
        let journal = try makeJournal(scratch, .off)
        var random = SplitMix64(seed: 8)
        for index in 0..<24 {
            var batch = Batch(recordedAt: instant(0), firstNewSymbol: UInt32(8 * index + 1))
            batch.newSymbols = (0..<8).map { _ in
                (0..<60_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            }
            _ = try journal.append(batch)
        }
        #expect(try journal.verify().isWhole)
        return RawFile(path: scratch.journal + "/journal.mdb")
    }

    private func expectSafe(
        _ scratch: borrowing Scratch, _ access: Journal.Access, _ file: RawFile, _ length: Int
    ) throws {
        do {
            let journal = try Journal(at: scratch.journal, access: access)
            // Only pages that nobody needs were cut off.
            #expect(try journal.verify().isWhole)
            try journal.snapshot().forEachFrame { _ in true }
        } catch let error as JournalError {
            #expect(error.isDamage, "\(error)")
            let count = try file.bytes().count
            #expect(count == length)
        }
    }

    @Test func `is missed in a large file that was cut short, which stays as it is`() throws {
        let scratch = try Scratch()
        let file = try large(scratch)
        let whole = try file.bytes()
        #expect(whole.count > 9 << 20)
        for pages in [220, 100, 20, 3, 2, 1] {
            for length in [whole.count - pages * 4096, whole.count - pages * 4096 + 100] {
                try FileSystem.write(Array(whole[..<length]), to: file.path)
                try expectSafe(scratch, .readOnly, file, length)
                try expectSafe(scratch, .readWrite, file, length)
            }
        }
        try FileSystem.write(Array(whole[..<(whole.count - 20 * 4096)]), to: file.path)
        #expect(kind { _ = try Journal(at: scratch.journal) } == .damaged(nil))
    }

    /// Commits that take more and more pages and give them back; answers the length that the file should have.
    private func takeAndGiveBack(_ scratch: borrowing Scratch) throws -> UInt {
        let journal = try Journal(at: scratch.journal)
        let tree = journal.databases.tree
        for count in [100, 200, 400, 800] {
            let transaction = try WriteTransaction(journal.environment)
            try transaction.withAccess { access throws(JournalError) in
                let value = [UInt8](repeating: 7, count: 3000)
                for number in 0..<count {
                    let key = TreeHashStore.key(level: 8, record: UInt64(number))
                    try access.put(tree, key.span, value.span)
                }
                for number in 0..<count {
                    let key = TreeHashStore.key(level: 8, record: UInt64(number))
                    try access.delete(tree, key.span)
                }
            }
            try transaction.commit()
        }
        return journal.environment.usedBytes()
    }

    @Test(arguments: [false, true])
    func `may lack pages that a commit took and gave back`(isLarge: Bool) throws {
        let scratch = try Scratch()
        if isLarge { _ = try large(scratch) } else { _ = try makeJournal(scratch) }
        let file = RawFile(path: scratch.journal + "/journal.mdb")
        let used = try takeAndGiveBack(scratch)
        let length = try file.bytes().count
        #expect(length + 4096 < Int(used), "pages that LMDB did not write")
        do {
            let reader = try Journal(at: scratch.journal, access: .readOnly)
            #expect(try reader.verify().isWhole)
            #expect(try file.bytes().count == length)
        }
        #expect(try Journal(at: scratch.journal).verify().isWhole)
        #expect(try file.bytes().count == Int(used), "filled up")
        file.cut(to: length - 4096)
        #expect(kind { _ = try Journal(at: scratch.journal) } == .damaged(nil))
        #expect(try file.bytes().count == length - 4096)
    }
}
