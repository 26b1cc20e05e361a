import Core
import Testing

@testable import EventLog

@Suite struct `What is appended is what is read` {
    private func events(_ snapshot: JournalSnapshot, reversed: Bool = false) throws -> [PlainEvent]
    {
        var found: [PlainEvent] = []
        try snapshot.forEachEvent(reversed: reversed) { record, body in
            found.append(PlainEvent(record, body))
            return true
        }
        return found
    }

    static let sealings: [Sealing] = [
        .off, .often(2), .often(9), .often(40), .often(5, inBackground: true),
    ]

    @Test(arguments: UInt64(0)..<25, sealings)
    func `in every direction, for any history, however it is sealed`(
        seed: UInt64, sealing: Sealing
    ) throws {
        var random = SplitMix64(seed: seed)
        let scratch = try Scratch()
        let journal = try makeJournal(scratch, sealing)
        var model = Model()
        for _ in 0..<random.below(25) + 1 {
            let batch = model.randomBatch(&random)
            model.append(batch)
            #expect(try journal.append(batch).number == UInt64(model.events.count))
        }
        try check(journal, at: scratch.journal, model, &random)
    }

    @Test(arguments: UInt64(0)..<25)
    func `in every direction while frames wait in the log`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let scratch = try Scratch()
        let most = [2, 5, 1000][random.below(3)]
        let journal = try makeJournal(scratch, .often(150), logging: .waiting(most))
        var model = Model()
        var waited = 0
        for _ in 0..<60 {
            let batch = model.randomBatch(&random)
            model.append(batch)
            #expect(try journal.append(batch).number == UInt64(model.events.count))
            waited = max(waited, try #require(journal.environment.log).waiting.frames.count)
            if random.below(12) == 0 { try check(journal, at: scratch.journal, model, &random) }
        }
        #expect(waited >= min(most - 1, 5))
    }

    /// That all that can be read is as the model says.
    private func check(
        _ journal: Journal, at path: String, _ model: Model, _ random: inout SplitMix64
    ) throws {
        let snapshot = try journal.snapshot()
        let head = snapshot.head
        #expect(head == (try journal.head()))
        #expect(head.position.number == UInt64(model.events.count))
        #expect(head.symbolCount == UInt32(model.symbols.count))
        #expect(head.typeCount == UInt16(model.types.count))
        #expect(head.clock == model.clock)
        #expect(head.frameCount == model.frameCount)

        #expect(try events(snapshot) == model.events)
        #expect(try events(snapshot, reversed: true) == model.events.reversed())
        for _ in 0..<10 where !model.events.isEmpty {
            let low = random.below(model.events.count) + 1
            let high = low + random.below(model.events.count - low + 1)
            for reversed in [false, true] {
                var found: [UInt64] = []
                try snapshot.forEachEvent(
                    from: Position(UInt64(low)), through: Position(UInt64(high)),
                    reversed: reversed
                ) { record, _ in
                    found.append(record.position.number)
                    return true
                }
                let expected = (low...high).map(UInt64.init)
                #expect(found == (reversed ? expected.reversed() : expected))
            }
            let event = try #require(try snapshot.event(at: Position(UInt64(low))))
            #expect(PlainEvent(event.record, event.body) == model.events[low - 1])
        }
        try checkTables(snapshot, model)
        try checkLists(snapshot, model, &random)
        // Another program finds the same, without what this one remembers.
        let other = try Journal(at: path).snapshot()
        try checkTables(other, model)
        try checkLists(other, model, &random)
        let report = try journal.verify()
        #expect(report.isWhole, "\(report.findings)")
        #expect(report.events == UInt64(model.events.count))
    }

    private func checkTables(_ snapshot: JournalSnapshot, _ model: Model) throws {
        for (index, bytes) in model.symbols.enumerated() {
            let symbol = Symbol(number: UInt32(index + 1))
            #expect(try snapshot.symbol(symbol) == bytes)
            #expect(try snapshot.number(of: bytes) == symbol)
        }
        #expect(try snapshot.symbol(.none) == nil)
        #expect(try snapshot.symbol(Symbol(number: UInt32(model.symbols.count + 1))) == nil)
        #expect(try snapshot.number(of: [1, 2, 3]) == nil)
        #expect(try snapshot.number(of: []) == nil)
        #expect(try snapshot.types() == model.types)
        for (id, entry) in model.commands { #expect(try snapshot.command(id) == entry) }
        #expect(try snapshot.command([UInt8]("never".utf8)) == nil)
    }

    private func checkLists(
        _ snapshot: JournalSnapshot, _ model: Model, _ random: inout SplitMix64
    ) throws {
        let symbols = UInt32(model.symbols.count + 1)
        for kind in PostingKind.allCases {
            for key in 1...(kind == .type ? UInt32(model.types.count + 1) : symbols) {
                let expected = model.positions(of: kind, key)
                #expect(try snapshot.positions(of: kind, key) == expected)
                #expect(
                    try snapshot.positions(of: kind, key, reversed: true) == expected.reversed())
                if kind == .stream {
                    let end = try snapshot.stream(Symbol(number: key))
                    #expect(end?.count ?? 0 == UInt32(expected.count))
                    #expect(end?.lastPosition == expected.last)
                    #expect(
                        end?.lastAt.milliseconds
                            == expected.last.map { model.events[Int($0.number) - 1].at })
                }
                let from = Position(UInt64(random.below(model.events.count + 2)))
                let limit = random.below(5)
                #expect(
                    try snapshot.positions(of: kind, key, from: from, limit: limit)
                        == Array(expected.filter { $0 >= from }.prefix(limit)))
                #expect(
                    try snapshot.positions(
                        of: kind, key, through: from, reversed: true, limit: limit)
                        == Array(expected.filter { $0 <= from }.reversed().prefix(limit)))
                var seen: [Position] = []
                try snapshot.forEachEvent(at: expected) { record, body in
                    let plain = PlainEvent(record, body)
                    #expect(plain == model.events[Int(record.position.number) - 1])
                    seen.append(record.position)
                    return true
                }
                #expect(seen == expected)
            }
        }
    }

    @Test func `when lists are many chunks long`() throws {
        let scratch = try Scratch()
        let journal = try makeJournal(scratch)
        var model = Model()
        var random = SplitMix64(seed: 7)
        for round in 0..<40 {
            var batch = Batch(
                recordedAt: instant(Int64(round)),
                firstNewSymbol: UInt32(model.symbols.count + 1))
            if round == 0 {
                batch.newSymbols = [[1], [2], [3]]
                batch.newTypes = [TypeRecord(number: 1, name: "a", version: 1, schema: "")]
            }
            for index in 0..<150 {
                let event = EventRecord(
                    type: 1, stream: Symbol(number: UInt32(1 + random.below(2))),
                    at: instant(Int64(round * 1000 + index)), actor: Symbol(number: 1),
                    tags: random.below(4) == 0 ? [] : [Symbol(number: 3)])
                batch.add(event, payload: [UInt8(index)])
            }
            model.append(batch)
            _ = try journal.append(batch)
        }
        let snapshot = try journal.snapshot()
        for (kind, key) in [(PostingKind.stream, UInt32(1)), (.stream, 2), (.type, 1), (.tag, 3)] {
            let expected = model.positions(of: kind, key)
            #expect(try snapshot.positions(of: kind, key) == expected)
            #expect(try snapshot.positions(of: kind, key, reversed: true) == expected.reversed())
            for start in stride(from: 0, to: 6000, by: 271) {
                let from = Position(UInt64(start + 1))
                #expect(
                    try snapshot.positions(of: kind, key, from: from, limit: 20)
                        == Array(expected.drop { $0 < from }.prefix(20)))
                #expect(
                    try snapshot.positions(
                        of: kind, key, through: from, reversed: true, limit: 20)
                        == Array(expected.prefix { $0 <= from }.reversed().prefix(20)))
            }
        }
        let report = try journal.verify()
        #expect(report.isWhole, "\(report.findings)")
        #expect(try journal.statistics().databases.first?.entries == 40)
    }

    @Test func `also when a visitor reads on its own within a scan`() throws {
        let scratch = try Scratch()
        let journal = try makeJournal(scratch)
        var model = Model()
        var random = SplitMix64(seed: 3)
        for _ in 0..<10 {
            let batch = model.randomBatch(&random)
            model.append(batch)
            _ = try journal.append(batch)
        }
        let snapshot = try journal.snapshot()
        var outer: [PlainEvent] = []
        try snapshot.forEachEvent { record, body in
            let inner = try events(snapshot, reversed: true)
            #expect(inner.count == model.events.count)
            outer.append(PlainEvent(record, body))
            return true
        }
        #expect(outer == model.events)
    }

    @Test(arguments: [nil, WriteAheadLog.Options.waiting(3), .waiting(1000)])
    func `a snapshot stays as it was while others append`(
        logging: WriteAheadLog.Options?
    ) throws {
        let scratch = try Scratch()
        let journal = try makeJournal(scratch, logging: logging)
        var model = Model()
        var random = SplitMix64(seed: 5)
        while model.events.isEmpty {
            let batch = model.randomBatch(&random)
            model.append(batch)
            _ = try journal.append(batch)
        }
        let snapshot = try journal.snapshot()
        let before = model.events
        for _ in 0..<9 {
            let batch = model.randomBatch(&random)
            model.append(batch)
            _ = try journal.append(batch)
        }
        #expect(try events(snapshot) == before)
        #expect(try events(journal.snapshot()) == model.events)
    }

    @Test func `a long scan ends with the frames that wait, and leaves them where they are`() throws
    {
        let scratch = try Scratch()
        let journal = try makeJournal(scratch, .off, logging: .waiting(1000))
        var model = Model()
        var random = SplitMix64(seed: 21)
        while model.events.count < 9000 {
            let batch = model.randomBatch(&random, atMost: 400)
            model.append(batch)
            _ = try journal.append(batch)
        }
        for _ in 0..<5 {
            let batch = model.randomBatch(&random)
            model.append(batch)
            _ = try journal.append(batch)
        }
        let log = try #require(journal.environment.log)
        let count = log.waiting.frames.count
        #expect(count > 0)
        #expect(try events(journal.snapshot()) == model.events)
        #expect(log.waiting.frames.count == count)
        // Whoever writes puts them into the file before.
        try journal.dropTree()
        #expect(log.waiting.head == nil)
        #expect(try events(journal.snapshot()) == model.events)
        #expect(try journal.verify().isWhole)
    }

    @Test(arguments: [nil, WriteAheadLog.Options.waiting(1000)])
    func `frames without events keep their order`(logging: WriteAheadLog.Options?) throws {
        let scratch = try Scratch()
        let journal = try makeJournal(scratch, logging: logging)
        for round in 0..<3 {
            var batch = Batch(recordedAt: instant(Int64(round)), firstNewSymbol: 1)
            batch.clock = JournalClock(instant: instant(Int64(round)), inclusive: false)
            #expect(try journal.append(batch) == .zero)
        }
        var batch = Batch(recordedAt: instant(3), firstNewSymbol: 1)
        batch.newSymbols = [[0x61]]
        batch.newTypes = [TypeRecord(number: 1, name: "a", version: 1, schema: "")]
        batch.add(
            EventRecord(
                type: 1, stream: Symbol(number: 1), at: instant(0), actor: Symbol(number: 1)),
            payload: [])
        #expect(try journal.append(batch) == Position(1))
        _ = try journal.append(Batch(recordedAt: instant(4), firstNewSymbol: 2))
        for reversed in [false, true] {
            var seen: [Int64] = []
            try journal.snapshot().forEachFrame(reversed: reversed) { frame in
                seen.append(frame.recordedAt.milliseconds)
                return true
            }
            #expect(seen == (reversed ? [4, 3, 2, 1, 0] : [0, 1, 2, 3, 4]))
        }
        #expect(try journal.verify().isWhole)
    }

    @Test func `the map grows when it is full`() throws {
        let scratch = try Scratch()
        try Journal.create(at: scratch.journal)
        let journal = try Journal(at: scratch.journal, access: .readWrite, mapBytes: 1 << 18)
        var random = SplitMix64(seed: 1)
        for round in 0..<20 {
            var batch = Batch(recordedAt: instant(0), firstNewSymbol: UInt32(round + 1))
            batch.newSymbols = [(0..<100_000).map { _ in UInt8(random.below(256)) }]
            _ = try journal.append(batch)
        }
        #expect(try journal.verify().isWhole)
        #expect(try journal.head().symbolCount == 20)
    }

    @Test func `a map that finds no addresses stays as it is`() throws {
        let scratch = try Scratch()
        try Journal.create(at: scratch.journal)
        let most = 1 << 46
        let journal = try Journal(
            at: scratch.journal, access: .readWrite, mapBytes: most - (1 << 20))
        var growths = 0
        let error = kind {
            while growths < 20 {
                try journal.environment.growMap()
                growths += 1
            }
        }
        #expect(error != nil && growths < 20)
        _ = try journal.append(Batch(recordedAt: instant(0), firstNewSymbol: 1))
        #expect(try journal.verify().isWhole)
    }

    @Test func `two hundred journals are open at once in one process`() throws {
        let scratch = try Scratch()
        let journals = try (0..<200).map { number -> Journal in
            let path = "\(scratch.journal)-\(number)"
            try Journal.create(at: path)
            return try Journal(at: path, access: .readWrite)
        }
        for journal in journals {
            _ = try journal.append(Batch(recordedAt: instant(0), firstNewSymbol: 1))
            #expect(try journal.head().position == .zero)
        }
    }
}
