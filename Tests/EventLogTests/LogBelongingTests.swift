import Core
import Testing

@testable import EventLog

/// Whether a log goes with the `journal.mdb` beside it is found out before anything is changed: recovery goes back to a state of the
/// one and appends what the other has.
@Suite struct `A log in use` {
    /// A journal that is appended to, and its files as they are meanwhile.
    private final class Life {
        let path: String
        private(set) var journal: Journal?
        private var model = Model()
        private var random = SplitMix64(seed: 21)

        init(_ scratch: borrowing Scratch, waiting: Int) throws {
            path = scratch.journal
            try Journal.create(at: path)
            try open(waiting)
        }

        func open(_ waiting: Int) throws {
            journal = try Journal(
                at: path, access: .readWrite, sealing: .off,
                mapBytes: LMDBEnvironment.leastMapBytes, logging: .waiting(waiting))
        }

        func close() { journal = nil }

        func append(_ count: Int) throws {
            for _ in 0..<count {
                let batch = model.randomBatch(&random)
                model.append(batch)
                _ = try #require(journal).append(batch)
            }
        }

        func bytes(_ name: String) throws -> [UInt8] {
            try #require(try FileSystem.read(path + "/" + name, atMost: 1 << 26))
        }

        /// A journal of these files alone.
        func compose(_ other: String, journal: [UInt8], log: [UInt8]) throws {
            try? removeTree(other)
            _ = try FileSystem.makeDirectory(other)
            try FileSystem.write(try bytes("FORMAT"), to: other + "/FORMAT")
            try FileSystem.write(journal, to: other + "/journal.mdb")
            try FileSystem.write(log, to: other + "/journal.wal")
        }
    }

    /// That it is refused, time and again, and that both files are as they were.
    private func expectRefused(
        _ other: String, journal: [UInt8], log: [UInt8],
        _ place: SourceLocation = #_sourceLocation
    ) throws {
        for _ in 0..<2 {
            let refusal = kind { _ = try Journal(at: other) }
            guard case .damaged = refusal else {
                Issue.record("\(String(describing: refusal))", sourceLocation: place)
                return
            }
        }
        let limit = 1 << 26
        #expect(
            try FileSystem.read(other + "/journal.mdb", atMost: limit) == journal,
            sourceLocation: place)
        #expect(
            try FileSystem.read(other + "/journal.wal", atMost: limit) == log,
            sourceLocation: place)
    }

    @Test func `beside an older copy of the journal is refused, and nothing is changed`() throws {
        let scratch = try Scratch()
        let life = try Life(scratch, waiting: 4)
        try life.append(5)
        life.close()
        let cold = try life.bytes("journal.mdb")
        try life.open(4)
        try life.append(20)
        let other = scratch.path + "/other"
        let log = try life.bytes("journal.wal")
        try life.compose(other, journal: cold, log: log)
        try expectRefused(other, journal: cold, log: log)
    }

    @Test(arguments: [1, 2, 3, 30, 300])
    func `beside a later state of the journal is refused, and nothing is changed`(
        commits: Int
    ) throws {
        let scratch = try Scratch()
        let life = try Life(scratch, waiting: 4)
        try life.append(20)
        let log = try life.bytes("journal.wal")
        try life.append(commits)
        life.close()
        let later = try life.bytes("journal.mdb")
        let other = scratch.path + "/other"
        try life.compose(other, journal: later, log: log)
        try expectRefused(other, journal: later, log: log)
    }

    @Test(arguments: [3, 1000])
    func `with damage before its last record is refused, and nothing is changed`(
        waiting: Int
    ) throws {
        let scratch = try Scratch()
        let life = try Life(scratch, waiting: waiting)
        try life.append(20)
        let (journal, log) = (try life.bytes("journal.mdb"), try life.bytes("journal.wal"))
        let header = try #require(LogHeader.newest(in: log))
        var records: [Range<Int>] = []
        var offset = Int(header.start)
        while true {
            let start = offset
            guard LogRecord.frames(in: log.span, at: &offset, epoch: header.epoch) != nil else {
                break
            }
            records.append(start..<offset)
        }
        let last = try #require(records.last)
        records.removeLast()
        #expect(records.count > 5)
        let other = scratch.path + "/other"
        for record in records {
            for place in [record.lowerBound, record.lowerBound + 9, record.upperBound - 1] {
                var flipped = log
                flipped[place] ^= 4
                try life.compose(other, journal: journal, log: flipped)
                try expectRefused(other, journal: journal, log: flipped)
            }
        }
        // The last one may be what a power failure cut short: nobody was answered.
        guard waiting == 1000 else { return }
        var torn = log
        torn[last.upperBound - 1] ^= 4
        try life.compose(other, journal: journal, log: torn)
        #expect(try Journal(at: other).verify().isWhole)
    }
}
