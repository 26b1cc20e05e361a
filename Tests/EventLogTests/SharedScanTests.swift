import Core
import Dispatch
import Synchronization
import Testing

@testable import EventLog

@Suite struct `A scan that several visitors share` {
    private struct Enough: Error, Equatable {
        let visitor: Int
    }

    /// What stays when a frame is sealed meanwhile.
    private struct Visit: Equatable, Sendable {
        var position: Position
        var payload: [UInt8]
        var passed: UInt64
    }

    /// What each visitor answers, who has a thread of its own.
    private func each<R: Sendable>(
        of visitors: Int, _ visit: @escaping @Sendable (Int) throws -> R
    ) -> [Result<R, any Error>] {
        let results = Mutex<[Int: Result<R, any Error>]>([:])
        let group = DispatchGroup()
        for visitor in 0..<visitors {
            DispatchQueue(label: "visitor \(visitor)").async(group: group) {
                let result = Result { try visit(visitor) }
                results.withLock { $0[visitor] = result }
            }
        }
        group.wait()
        return results.withLock { results in (0..<visitors).compactMap { results[$0] } }
    }

    private static func visits(
        _ journal: Journal, _ wanted: [Bool], _ scan: SharedScan?,
        _ look: (EventRecord) throws -> Void = { _ in }
    ) throws -> (visits: [Visit], rest: UInt64) {
        let snapshot = try journal.snapshot()
        var visits: [Visit] = []
        let rest = try snapshot.forEachEvent(
            from: Position(1), through: snapshot.head.position,
            of: WantedTypes(wanted),
            opening: OpeningAhead(PersonKeys(of: journal), WantedTypes(wanted)), sharing: scan
        ) { event, body, _, passed in
            try look(event)
            visits.append(
                Visit(
                    position: event.position, payload: Array(body[event.payload]),
                    passed: passed.events))
            return true
        }
        return (visits, rest.events)
    }

    private func filled(_ scratch: borrowing Scratch, _ seed: UInt64, _ sealing: Sealing) throws
        -> Journal
    {
        var random = SplitMix64(seed: seed)
        let journal = try makeJournal(scratch, sealing)
        var model = Model()
        for _ in 0..<60 {
            let batch = model.randomBatch(&random)
            model.append(batch)
            _ = try journal.append(batch)
        }
        return journal
    }

    @Test(arguments: UInt64(0)..<3, `What is appended is what is read`.sealings)
    func `shows each of them what it would see alone`(seed: UInt64, sealing: Sealing) throws {
        let scratch = try Scratch()
        let journal = try filled(scratch, seed, sealing)
        let types = try journal.snapshot().types().count
        for visitors in 1...4 {
            let scan = SharedScan(visitors: visitors)
            let wanted = (0..<visitors).map { visitor in
                (0...types).map { $0 % visitors == visitor }
            }
            let shared = each(of: visitors) { try Self.visits(journal, wanted[$0], scan) }
            for (visitor, result) in shared.enumerated() {
                let (own, alone) = (
                    try result.get(), try Self.visits(journal, wanted[visitor], nil)
                )
                #expect(own.visits == alone.visits && own.rest == alone.rest)
            }
        }
    }

    @Test(arguments: 0..<3) func `ends for all of them with what one throws`(thrower: Int) throws {
        let scratch = try Scratch()
        let journal = try filled(scratch, 1, .often(10))
        let middle = Position(try journal.head().position.number / 2)
        let scan = SharedScan(visitors: 3)
        let results = each(of: 3) { visitor in
            try Self.visits(journal, [], scan) { event in
                if visitor == thrower, event.position == middle { throw Enough(visitor: visitor) }
            }.visits
        }
        for result in results {
            #expect(throws: Enough(visitor: thrower)) { try result.get() }
        }
    }

    @Test func `waits for nobody who says that it cannot come`() throws {
        let scratch = try Scratch()
        let journal = try filled(scratch, 2, .often(10))
        let scan = SharedScan(visitors: 3)
        let results = each(of: 3) { visitor in
            if visitor == 1 { scan.fail(Enough(visitor: 1)) }
            return visitor == 1 ? [] : try Self.visits(journal, [], scan).visits
        }
        for visitor in [0, 2] {
            #expect(throws: Enough(visitor: 1)) { try results[visitor].get() }
        }
    }
}
