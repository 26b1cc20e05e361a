import Core
import Testing

@testable import EventLog

@Suite struct `Sealing the tail` {
    /// Events that are as much alike as those of real people.
    private func fill(
        _ journal: Journal, events: Int, from first: Int = 0, random: inout SplitMix64
    ) throws {
        var next = first
        while next < first + events {
            var batch = Batch(
                recordedAt: instant(1_770_000_000_000 + Int64(next)),
                firstNewSymbol: UInt32(try journal.head().symbolCount) + 1)
            if next == 0 {
                batch.newTypes = [TypeRecord(number: 1, name: "a", version: 1, schema: "")]
            }
            batch.newSymbols = [[UInt8]("attempt/AT-\(next)".utf8)]
            for index in 0..<50 {
                let stream = Symbol(
                    number: batch.firstNewSymbol - UInt32(random.below(min(5, 1 + next / 50))))
                batch.commands.append(
                    AcceptedCommand(
                        id: [UInt8]("command-\(next + index)".utf8),
                        digest: (0..<8).map { _ in UInt8(random.below(256)) },
                        events: index..<index + 1))
                batch.add(
                    EventRecord(
                        type: 1, stream: stream, at: instant(1_770_000_000_000 + Int64(next * 7)),
                        actor: stream, command: index, tags: [stream]),
                    payload: [UInt8](
                        "answer \(random.below(4)) to question \(random.below(20))".utf8))
            }
            _ = try journal.append(batch)
            next += 50
        }
    }

    private func contents(_ journal: Journal) throws -> [PlainEvent] {
        var found: [PlainEvent] = []
        try journal.snapshot().forEachEvent { record, body in
            found.append(PlainEvent(record, body))
            return true
        }
        return found
    }

    private func sealed(_ journal: Journal) throws -> Int {
        let transaction = try ReadTransaction(journal.environment)
        return Int(try Sealed.read(transaction.access, journal.databases).position.number)
    }

    /// Two commands that record nothing, as often as asked, or one of them an event.
    private func tick(
        _ journal: Journal, _ range: Range<Int>, hasEvents: Bool = false
    ) throws {
        for number in range {
            let head = try journal.head()
            var batch = Batch(
                recordedAt: instant(1_770_000_000_000 + Int64(number)),
                firstNewSymbol: head.symbolCount + 1)
            if head.typeCount == 0 {
                batch.newTypes = [TypeRecord(number: 1, name: "a", version: 1, schema: "")]
                batch.newSymbols = [[UInt8]("s".utf8)]
            }
            for part in 0..<2 {
                batch.commands.append(
                    AcceptedCommand(
                        id: [UInt8]("tick-\(number)-\(part)".utf8),
                        digest: [UInt8](repeating: 7, count: 8),
                        events: hasEvents && part == 0 ? 0..<1 : (hasEvents ? 1..<1 : 0..<0)))
            }
            if hasEvents {
                batch.add(
                    EventRecord(
                        type: 1, stream: Symbol(number: 1), at: batch.recordedAt,
                        actor: Symbol(number: 1), command: 0),
                    payload: [1])
            }
            _ = try journal.append(batch)
        }
    }

    private func tickAlone(_ journal: Journal, _ id: [UInt8]) throws {
        var batch = Batch(
            recordedAt: instant(1_770_000_000_400),
            firstNewSymbol: try journal.head().symbolCount + 1)
        batch.commands = [
            AcceptedCommand(id: id, digest: [UInt8](repeating: 7, count: 8), events: 0..<0)
        ]
        _ = try journal.append(batch)
    }

    @Test(arguments: [3, 40])
    func `puts no more into a block than its reader takes`(ticks: Int) throws {
        let scratch = try Scratch()
        let off = try makeJournal(scratch, .off)
        try tick(off, 0..<1, hasEvents: true)
        try tick(off, 1..<ticks)
        try tick(off, ticks..<ticks + 20, hasEvents: true)
        let before = try contents(off)
        var sealing = Sealing(segmentEvents: 4, blockEvents: 2, isInBackground: false)
        sealing.blockCommands = 10
        let journal = try Journal(at: scratch.journal, sealing: sealing)
        try journal.seal()
        // Where more commands record nothing than a block takes, they stay as they are, with all behind them.
        let found = (events: before, sealed: try sealed(journal))
        #expect(ticks == 3 ? found.sealed >= 18 : found.sealed == 1)
        #expect(try contents(journal) == found.events)
        #expect(try journal.verify().isWhole)
        for number in 0..<ticks {
            #expect(try journal.snapshot().command([UInt8]("tick-\(number)-1".utf8)) != nil)
        }
        try tick(journal, ticks + 20..<ticks + 30, hasEvents: true)
        #expect(try journal.verify().isWhole)
        let after = try sealed(journal)
        #expect(ticks == 3 ? after > found.sealed : after == 1)
    }

    @Test(arguments: [0, 5])
    func `lists two commands at one position, whose ids have one hash, once`(between: Int) throws {
        let ids = ["x-44814", "x-72250"].map { [UInt8]($0.utf8) }
        #expect(Set(ids.map { SegmentKind.command.number(of: $0) }).count == 1)
        let scratch = try Scratch()
        let journal = try makeJournal(scratch, .off)
        try tick(journal, 0..<1, hasEvents: true)
        for (turn, id) in ids.enumerated() {
            // Many in between, and the one segment ends before the other begins.
            for number in 0..<(turn == 0 ? 0 : between) {
                try tickAlone(journal, [UInt8]("between-\(number)".utf8))
            }
            try tickAlone(journal, id)
        }
        try tick(journal, 1..<12, hasEvents: true)
        var small = Sealing(segmentEvents: 4, blockEvents: 4, isInBackground: false)
        if between > 0 { small.blockCommands = 6 }
        let sealing = try Journal(at: scratch.journal, sealing: small)
        try sealing.seal()
        #expect(try sealed(sealing) > 1)
        #expect(try sealing.verify().findings == [])
        for id in ids { #expect(try sealing.snapshot().command(id) != nil) }
    }

    @Test func `changes nothing that can be asked`() throws {
        let scratch = try Scratch()
        let journal = try makeJournal(scratch, .off)
        var random = SplitMix64(seed: 1)
        try fill(journal, events: 20_000, random: &random)
        let before = try contents(journal)
        let sealing = try Journal(
            at: scratch.journal,
            sealing: Sealing(segmentEvents: 2_000, blockEvents: 500, isInBackground: false))
        try sealing.seal()
        #expect(try contents(journal) == before)
        #expect(try contents(Journal(at: scratch.journal, access: .readOnly)) == before)
        #expect(try journal.verify().isWhole)
        let last = try #require(before.last)
        #expect(
            try journal.snapshot().positions(of: .stream, last.stream).count
                == before.count { $0.stream == last.stream })
        #expect(try journal.snapshot().command([UInt8]("command-19999".utf8)) != nil)
    }

    @Test func `by another program leaves nobody with ends of streams from before`() throws {
        let scratch = try Scratch()
        let idle = try makeJournal(scratch, .off)
        var random = SplitMix64(seed: 6)
        try fill(idle, events: 50, random: &random)
        let busy = try Journal(at: scratch.journal, sealing: .often(40))
        let stream = Symbol(number: 1)
        func append(to journal: Journal) throws {
            var batch = Batch(
                recordedAt: instant(0), firstNewSymbol: try journal.head().symbolCount + 1)
            batch.add(
                EventRecord(type: 1, stream: stream, at: instant(0), actor: stream), payload: [])
            _ = try journal.append(batch)
        }
        // The idle one learns where the stream ends, in the tail and once that is sealed.
        try append(to: idle)
        try busy.seal()
        _ = try idle.snapshot().stream(stream)
        for _ in 0..<100 { try append(to: busy) }
        try Journal(at: scratch.journal, sealing: .often(1)).seal()
        try append(to: idle)
        let end = try #require(try idle.snapshot().stream(stream))
        #expect(Int(end.count) == (try idle.snapshot().positions(of: .stream, 1)).count)
        #expect(try idle.verify().isWhole)
    }

    @Test func `ids that were accepted stay known to whoever asked for many that were not`() throws
    {
        let scratch = try Scratch()
        let journal = try makeJournal(scratch, .often(500))
        var random = SplitMix64(seed: 7)
        // The filter is made early on, and made larger several times.
        for round in 0..<12 {
            for number in 0..<300 {
                #expect(
                    try journal.snapshot().command([UInt8]("no-\(round)-\(number)".utf8)) == nil)
            }
            try fill(journal, events: 1_000, from: round * 1_000, random: &random)
        }
        let snapshot = try journal.snapshot()
        for number in stride(from: 0, to: 12_000, by: 37) {
            #expect(try snapshot.command([UInt8]("command-\(number)".utf8)) != nil)
        }
    }

    @Test func `a long scan may end anywhere, by an answer, an error or the end`() throws {
        let scratch = try Scratch()
        let journal = try makeJournal(scratch, .often(3_000))
        var random = SplitMix64(seed: 5)
        try fill(journal, events: 20_000, random: &random)
        struct Stop: Error {}
        for end in [1, 2, 999, 5_000, 12_345, 19_999, 20_000] {
            var seen = 0
            try journal.snapshot().forEachEvent { event, _ in
                seen += 1
                return event.position.number < end
            }
            #expect(seen == end)
            #expect(throws: Stop.self) {
                try journal.snapshot().forEachEvent { event, _ in
                    if event.position.number == end { throw Stop() }
                    return true
                }
            }
            seen = 0
            let first = Position(UInt64(max(1, end - 9_000)))
            try journal.snapshot().forEachEvent(from: first, through: Position(UInt64(end))) {
                event, _ in
                #expect(event.position.number == first.number + UInt64(seen))
                seen += 1
                return true
            }
            #expect(seen == end - Int(first.number) + 1)
        }
    }

    @Test func `learns dictionaries anew as the journal grows, and old blocks keep theirs`() throws
    {
        let scratch = try Scratch()
        let journal = try makeJournal(
            scratch, Sealing(segmentEvents: 3_000, blockEvents: 1_000, isInBackground: false))
        var random = SplitMix64(seed: 2)
        try fill(journal, events: 60_000, random: &random)
        let transaction = try ReadTransaction(journal.environment)
        let sealed = try Sealed.read(transaction.access, journal.databases)
        #expect(sealed.dictionary >= 2)
        let fresh = try Journal(at: scratch.journal, access: .readOnly)
        #expect(try contents(fresh).count == 60_000)
        #expect(try fresh.verify().isWhole)
    }

    @Test func `a damaged dictionary is found by verify, and nothing made with it is served`()
        throws
    {
        let scratch = try Scratch()
        do {
            let journal = try makeJournal(
                scratch, Sealing(segmentEvents: 5_000, blockEvents: 1_000, isInBackground: false))
            var random = SplitMix64(seed: 3)
            try fill(journal, events: 6_000, random: &random)
            let surgery = Surgery(journal: journal)
            let record = try #require(
                try surgery.records().first { $0.database.name == "dictionaries" })
            var flipped = record
            flipped.stored[100] ^= 4
            try surgery.replace(record, with: flipped)
        }
        let journal = try Journal(at: scratch.journal, sealing: .off)
        #expect(try !journal.verify().isWhole)
        #expect(throws: JournalError.self) { try contents(journal) }
    }

    @Test func `goes on where it was interrupted between two steps`() throws {
        let scratch = try Scratch()
        let journal = try makeJournal(scratch, .off)
        var random = SplitMix64(seed: 4)
        try fill(journal, events: 8_000, random: &random)
        let before = try contents(journal)
        let options = Sealing(segmentEvents: 200, blockEvents: 100, isInBackground: false)
        var steps = 0
        while true {
            // Each time by another sealer, as after a crash: what was begun is dropped and done again.
            var sealer = try Sealer(
                journal.environment, journal.databases, journal.memory.frames.store, options)
            var didAnything = false
            for _ in 0...random.below(3) where try sealer.step() { didAnything = true }
            guard didAnything else { break }
            steps += 1
            #expect(try journal.verify().isWhole)
            if steps.isMultiple(of: 5) { #expect(try contents(journal) == before) }
            guard steps < 2_000 else { break }
        }
        // Whoever never gets far enough for a merge still leaves a whole journal; one who may, ends it.
        try Journal(at: scratch.journal, sealing: options).seal()
        let transaction = try ReadTransaction(journal.environment)
        #expect(try Sealed.read(transaction.access, journal.databases).dropping.isEmpty)
        #expect(try contents(journal) == before)
        #expect(try journal.verify().isWhole)
    }
}
