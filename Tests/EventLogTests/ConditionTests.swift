import Core
import Testing

@testable import EventLog

@Suite struct `An append condition` {
    private let scratch: String
    private let holder: Holder
    private let journal: Journal

    /// Keeps the directory until the suite's value is gone.
    private final class Holder: Sendable {
        let path: String
        init(_ path: String) { self.path = path }
        deinit { _ = try? removeTree(path) }
    }

    /// Positions 1 … 4: streams 1 1 2 2, types 1 2 1 2, tags 3 | 3 4 | 4 | none.
    init() throws {
        scratch = "/tmp/sijill-log-\(UInt64.random(in: 0 ... .max))"
        holder = Holder(scratch)
        try Journal.create(at: scratch)
        journal = try Journal(at: scratch)
        var batch = Batch(recordedAt: instant(0), firstNewSymbol: 1)
        batch.newSymbols = [[1], [2], [3], [4], [5]]
        batch.newTypes = [
            TypeRecord(number: 1, name: "a", version: 1, schema: ""),
            TypeRecord(number: 2, name: "b", version: 1, schema: ""),
        ]
        for (stream, type, tags) in [
            (1, 1, [3]), (1, 2, [3, 4]), (2, 1, [4]), (2, 2, []),
        ] {
            batch.add(
                EventRecord(
                    type: UInt16(type), stream: Symbol(number: UInt32(stream)), at: instant(0),
                    actor: Symbol(number: 1), tags: tags.map { Symbol(number: UInt32($0)) }),
                payload: [])
        }
        _ = try journal.append(batch)
    }

    private func append(_ conditions: AppendCondition...) -> JournalError.Kind? {
        var batch = Batch(recordedAt: instant(0), firstNewSymbol: 6)
        batch.conditions = conditions
        batch.clock = JournalClock(instant: instant(0), inclusive: true)
        return kind { _ = try journal.append(batch) }
    }

    @Test func `on a stream's revision holds at exactly that many events`() {
        let stream = Symbol(number: 1)
        #expect(append(.revision(stream: stream, count: 2)) == nil)
        #expect(
            append(.revision(stream: stream, count: 1))
                == .conflict(.revision(stream: stream, actual: 2)))
        #expect(
            append(.revision(stream: stream, count: 3))
                == .conflict(.revision(stream: stream, actual: 2)))
        #expect(append(.revision(stream: Symbol(number: 5), count: 0)) == nil)
    }

    @Test(
        arguments: [
            ([], [], 3, 4), ([], [], 4, nil), ([], [3], 0, 1), ([], [3], 1, 2), ([], [3], 2, nil),
            ([], [3, 4], 0, 2), ([], [4, 3], 2, nil), ([1], [4], 0, 3), ([2], [4], 0, 2),
            ([2], [4], 2, nil), ([1, 2], [4], 2, 3), ([1], [], 1, 3), ([1], [], 3, nil),
            ([2], [], 3, 4), ([], [5], 0, nil), ([1, 2], [5], 0, nil), ([9], [], 0, nil),
        ] as [([UInt16], [UInt32], UInt64, UInt64?)])
    func `on events finds the first that should not be there`(
        types: [UInt16], tags: [UInt32], after: UInt64, found: UInt64?
    ) {
        let condition = AppendCondition.noEvents(
            types: types, tags: tags.map(Symbol.init), after: Position(after))
        let expected = found.map { JournalError.Kind.conflict(.event(at: Position($0))) }
        #expect(append(condition) == expected)
    }

    @Test func `that fails leaves nothing of the batch`() throws {
        let before = try journal.head()
        var batch = Batch(recordedAt: instant(0), firstNewSymbol: 6)
        batch.newSymbols = [[6]]
        batch.commands = [
            AcceptedCommand(id: [1], digest: [UInt8](repeating: 0, count: 8), events: 0..<1)
        ]
        batch.add(
            EventRecord(
                type: 1, stream: Symbol(number: 6), at: instant(0), actor: Symbol(number: 1)),
            payload: [])
        batch.conditions = [.revision(stream: Symbol(number: 1), count: 0)]
        #expect(kind { _ = try journal.append(batch) } != nil)
        #expect(try journal.head() == before)
        let snapshot = try journal.snapshot()
        #expect(try snapshot.number(of: [6]) == nil)
        #expect(try snapshot.command([1]) == nil)
        #expect(try journal.verify().isWhole)
        batch.conditions = []
        #expect(try journal.append(batch) == Position(5))
        batch.firstNewSymbol = 7
        batch.newSymbols = []
        #expect(
            kind { _ = try journal.append(batch) } == .conflict(.command(index: 0)),
            "the same command twice")
    }

    @Test func `on the head, the numbers and the clock is checked as well`() throws {
        var batch = Batch(recordedAt: instant(0), firstNewSymbol: 6)
        batch.expectedHead = Position(3)
        #expect(kind { _ = try journal.append(batch) } == .conflict(.head(actual: Position(4))))
        batch.expectedHead = Position(4)
        batch.newSymbols = [[9]]
        batch.firstNewSymbol = 5
        #expect(kind { _ = try journal.append(batch) } == .conflict(.numbers))
        batch.newSymbols = []
        batch.newTypes = [TypeRecord(number: 2, name: "c", version: 1, schema: "")]
        #expect(kind { _ = try journal.append(batch) } == .conflict(.numbers))
        batch.newTypes = []
        batch.clock = JournalClock(instant: instant(100), inclusive: true)
        _ = try journal.append(batch)
        batch.clock = JournalClock(instant: instant(100), inclusive: false)
        #expect(kind { _ = try journal.append(batch) } == .conflict(.clock))
    }

    @Test func `a batch that makes no sense is refused and nothing recorded`() throws {
        let before = try journal.head()
        func refused(_ change: (inout Batch, inout EventRecord) -> Void) -> JournalError.Kind? {
            var batch = Batch(recordedAt: instant(0), firstNewSymbol: 6)
            batch.payloads = [1, 2, 3]
            var event = EventRecord(
                type: 1, stream: Symbol(number: 1), at: instant(0), actor: Symbol(number: 1))
            change(&batch, &event)
            batch.events.append(event)
            return kind { _ = try journal.append(batch) }
        }
        #expect(refused { $1.type = 3 } == .invalid)
        #expect(refused { $1.type = 0 } == .invalid)
        #expect(refused { $1.stream = .none } == .invalid)
        #expect(refused { $1.stream = Symbol(number: 6) } == .invalid)
        #expect(refused { $1.actor = Symbol(number: 0x8000_0001) } == .invalid)
        #expect(refused { $1.payload = 1..<4 } == .invalid)
        #expect(refused { $1.tags = [Symbol(number: 6)] } == .invalid)
        #expect(refused { $1.command = 0 } == .invalid)
        #expect(refused { $1.cause = Position(5) } == .invalid)
        #expect(refused { batch, _ in batch.newSymbols = [[1]] } == .invalid)
        #expect(
            refused { batch, _ in
                batch.newTypes = [TypeRecord(number: 3, name: "a", version: 1, schema: "")]
            } == .invalid)
        #expect(
            refused { batch, _ in
                batch.commands = [
                    AcceptedCommand(
                        id: [UInt8](repeating: 1, count: 513),
                        digest: [UInt8](repeating: 0, count: 8), events: 0..<0)
                ]
            } == .tooLarge)
        #expect(
            refused { batch, _ in
                batch.newSymbols = [[UInt8](repeating: 1, count: Limits.symbolBytes + 1)]
            } == .tooLarge)
        #expect(try journal.head() == before)
    }
}
