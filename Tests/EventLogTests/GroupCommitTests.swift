import Dispatch
import Core
import Foundation
import Synchronization
import Testing

@testable import EventLog

@Suite struct `Batches that share a transaction` {
    @Test(arguments: UInt64(0)..<20)
    func `are each recorded as alone, or refused as alone, for any history`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let scratch = try Scratch()
        let journal = try makeJournal(scratch, random.below(2) == 0 ? .off : .often(9))
        var model = Model()
        for _ in 0..<random.below(8) + 1 {
            var group: [Batch] = []
            var isRight: [Bool] = []
            for _ in 0..<random.below(5) + 1 {
                var batch = model.randomBatch(&random)
                let isSpoiled = model.frameCount > 0 && random.below(3) == 0
                if isSpoiled {
                    spoil(&batch, model, &random)
                } else {
                    // Only those before it in the group let these hold.
                    batch.conditions = [
                        .revision(
                            stream: Symbol(number: 1), count: model.revisions[1, default: 0]),
                        .noEvents(types: [], tags: [], after: Position(UInt64(model.events.count))),
                    ]
                    model.append(batch)
                }
                group.append(batch)
                isRight.append(!isSpoiled)
            }
            let outcomes = try journal.commit(group)
            #expect(outcomes.map { (try? $0.get()) != nil } == isRight)
            #expect(try journal.head().position.number == UInt64(model.events.count))
        }
        try expect(journal, model)
        try expect(Journal(at: scratch.journal), model)
        let report = try journal.verify()
        #expect(report.isWhole, "\(report.findings)")
    }

    /// Makes a batch that cannot be appended after the model's history.
    private func spoil(_ batch: inout Batch, _ model: Model, _ random: inout SplitMix64) {
        switch random.below(4) {
        case 0: batch.expectedHead = Position(UInt64(model.events.count + 1))
        case 1: batch.firstNewSymbol += batch.newSymbols.isEmpty ? 0 : 1
        case 2: batch.newSymbols.append(model.symbols[random.below(model.symbols.count)])
        default: break
        }
        batch.conditions.append(
            .revision(stream: Symbol(number: 1), count: model.revisions[1, default: 0] + 1))
    }

    private func expect(_ journal: Journal, _ model: Model) throws {
        let snapshot = try journal.snapshot()
        var events: [PlainEvent] = []
        try snapshot.forEachEvent { record, body in
            events.append(PlainEvent(record, body))
            return true
        }
        #expect(events == model.events)
        #expect(snapshot.head.frameCount == model.frameCount)
        for (index, bytes) in model.symbols.enumerated() {
            let symbol = Symbol(number: UInt32(index + 1))
            #expect(try snapshot.symbol(symbol) == bytes)
            #expect(try snapshot.number(of: bytes) == symbol)
            let expected = model.positions(of: .stream, symbol.number)
            #expect(try snapshot.positions(of: .stream, symbol.number) == expected)
            #expect(try snapshot.stream(symbol)?.count ?? 0 == UInt32(expected.count))
        }
        for (id, entry) in model.commands { #expect(try snapshot.command(id) == entry) }
    }

    @Test func `are tried one by one when their transaction fails, and leave no ghost`() throws {
        let scratch = try Scratch()
        let journal = try makeJournal(scratch)
        var random = SplitMix64(seed: 4)
        var model = Model()
        var batches = [model.randomBatch(&random)]
        model.append(batches[0])
        // One whose frame is too large is found out only when it is written, after the first one.
        var large = Batch(
            recordedAt: instant(0), firstNewSymbol: UInt32(model.symbols.count + 1))
        large.payloads = [UInt8](repeating: 7, count: Limits.payloadBytes)
        for _ in 0...Limits.frameBytes / Limits.payloadBytes {
            var event = EventRecord(
                type: 1, stream: Symbol(number: 1), at: instant(0), actor: Symbol(number: 1))
            event.payload = 0..<Limits.payloadBytes
            large.events.append(event)
        }
        batches.append(large)
        batches.append(model.randomBatch(&random))
        model.append(batches[2])
        let outcomes = try journal.commit(batches)
        #expect(outcomes.map { (try? $0.get()) != nil } == [true, false, true])
        try expect(journal, model)
        #expect(try journal.verify().isWhole)
    }

    @Test func `of many threads give every revision of a stream once`() throws {
        let scratch = try Scratch()
        let journal = try makeJournal(scratch, .often(50, inBackground: true))
        var first = Batch(recordedAt: instant(0), firstNewSymbol: 1)
        first.newSymbols = [[1], [2], [3]]
        first.newTypes = [TypeRecord(number: 1, name: "a", version: 1, schema: "")]
        _ = try journal.append(first)
        let each = 60
        let positions = Mutex<[UInt64]>([])
        let failures = Mutex<[String]>([])
        let ended = DispatchSemaphore(value: 0)
        @Sendable func work(_ thread: Int) {
            defer { ended.signal() }
            let stream = Symbol(number: UInt32(thread % 3 + 1))
            var accepted = 0
            while accepted < each {
                do throws(JournalError) {
                    let count = try journal.snapshot().stream(stream)?.count ?? 0
                    var batch = Batch(recordedAt: instant(0), firstNewSymbol: 4)
                    batch.conditions = [.revision(stream: stream, count: count)]
                    batch.add(
                        EventRecord(type: 1, stream: stream, at: instant(0), actor: stream),
                        payload: [UInt8(thread)])
                    let position = try journal.append(batch)
                    positions.withLock { $0.append(position.number) }
                    accepted += 1
                } catch {
                    if case .conflict(.revision) = error.kind { continue }
                    return failures.withLock { $0.append("\(error)") }
                }
            }
        }
        for thread in 0..<6 { Thread.detachNewThread { work(thread) } }
        for _ in 0..<6 { ended.wait() }
        #expect(failures.withLock { $0 } == [])
        #expect(Set(positions.withLock { $0 }).count == 6 * each)
        #expect(try journal.head().position.number == UInt64(6 * each))
        let report = try journal.verify()
        #expect(report.isWhole, "\(report.findings)")
    }
}

@Suite struct `A group commit` {
    /// Threads of their own, since they block; each appends what it was answered.
    private final class Threads: Sendable {
        let commit = GroupCommit<Int, Int>(atMost: 4)
        let mayServe = DispatchSemaphore(value: 0)
        let served = Mutex<[[Int]]>([])
        /// -1 for none.
        let answers = Mutex<[Int: Int]>([:])
        private let ended = DispatchSemaphore(value: 0)

        func ask(_ item: Int, answering count: Int = .max) {
            Thread.detachNewThread { [self] in
                let answer = serve(item, answering: count)
                answers.withLock { $0[item] = answer ?? -1 }
                ended.signal()
            }
        }

        private func serve(_ item: Int, answering count: Int) -> Int? {
            switch commit.join(item) {
            case .answered(let answer): return answer
            case .leads(var group):
                mayServe.wait()
                let items = group.collect()
                served.withLock { $0.append(items) }
                return group.answer(items.prefix(count).map { $0 * 10 })
            }
        }

        /// Asks one after the other, until all of them wait.
        func ask(_ items: ClosedRange<Int>) {
            for item in items {
                ask(item)
                while commit.waitingCount < item - items.lowerBound + 1 { usleep(1000) }
            }
        }

        func wait(_ count: Int) { for _ in 0..<count { ended.wait() } }
    }

    @Test func `serves items together, in order and up to its limit, and a lone item at once`() {
        let threads = Threads()
        threads.ask(1...6)
        threads.mayServe.signal()
        threads.wait(4)
        threads.mayServe.signal()
        threads.wait(2)
        #expect(threads.served.withLock { $0 } == [[1, 2, 3, 4], [5, 6]])
        threads.mayServe.signal()
        threads.ask(7)
        threads.wait(1)
        #expect(threads.served.withLock { $0.last } == [7])
        #expect(
            threads.answers.withLock { $0 } == [1: 10, 2: 20, 3: 30, 4: 40, 5: 50, 6: 60, 7: 70])
        #expect(threads.commit.waitingCount == 0)
    }

    @Test func `leaves items without an answer to the next leader`() {
        let threads = Threads()
        threads.ask(1, answering: 2)
        while threads.commit.waitingCount < 1 { usleep(1000) }
        for item in 2...4 {
            threads.ask(item)
            while threads.commit.waitingCount < item { usleep(1000) }
        }
        threads.mayServe.signal()
        threads.wait(2)
        #expect(threads.commit.waitingCount == 2)
        threads.mayServe.signal()
        threads.wait(2)
        #expect(threads.served.withLock { $0 } == [[1, 2, 3, 4], [3, 4]])
        threads.ask(5, answering: 0)
        threads.mayServe.signal()
        threads.wait(1)
        #expect(threads.answers.withLock { $0[5] } == -1)
    }

    @Test func `that its leader drops goes on with the next one`() {
        let commit = GroupCommit<Int, Int>()
        func drop() -> Bool {
            switch commit.join(1) {
            case .answered: return false
            case .leads: return true
            }
        }
        #expect(drop())
        #expect(commit.waitingCount == 0)
        #expect(drop())
    }
}
