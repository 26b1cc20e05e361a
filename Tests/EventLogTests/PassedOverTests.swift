import Core
import Testing

@testable import EventLog

@Suite struct `A visitor of some types` {
    private struct Visit: Equatable {
        var position: UInt64
        var events: UInt64
        var clock: Instant?
    }

    /// What a visitor of everything would tell of the wanted events, and of what is behind the last one.
    private func expected(
        _ events: [EventRecord], _ wanted: [Bool], _ counts: (EventRecord) -> Bool
    ) -> (visits: [Visit], rest: Visit) {
        var visits: [Visit] = []
        var waiting = Visit(position: 0, events: 0, clock: nil)
        var last: (at: Instant, command: Int?)?
        for event in events where counts(event) {
            waiting.events += 1
            if last.map({ $0.at != event.at || $0.command != event.command }) ?? true {
                waiting.clock = max(waiting.clock ?? event.at, event.at)
            }
            last = (event.at, event.command)
            guard Int(event.type) >= wanted.count || wanted[Int(event.type)] else { continue }
            waiting.position = event.position.number
            visits.append(waiting)
            waiting = Visit(position: 0, events: 0, clock: nil)
        }
        return (visits, waiting)
    }

    @Test(arguments: UInt64(0)..<25, `What is appended is what is read`.sealings)
    func `hears how many others were passed, and how far the clock came meanwhile`(
        seed: UInt64, sealing: Sealing
    ) throws {
        var random = SplitMix64(seed: seed)
        let scratch = try Scratch()
        let journal = try makeJournal(scratch, sealing)
        var model = Model()
        for _ in 0..<random.below(25) + 1 {
            let batch = model.randomBatch(&random)
            model.append(batch)
            _ = try journal.append(batch)
        }
        let snapshot = try journal.snapshot()
        let count = UInt64(model.events.count)
        for _ in 0..<10 where count > 0 {
            let low = UInt64(random.below(Int(count))) + 1
            let high = low + UInt64(random.below(Int(count - low) + 1))
            // One type fewer than there are: what is not known is visited.
            let wanted = (0..<model.types.count).map { _ in random.below(3) == 0 }
            let divisor = UInt64(random.below(4))
            let filter: ((EventRecord) -> Bool)? =
                divisor < 2 ? nil : { !$0.position.number.isMultiple(of: divisor) }
            var events: [EventRecord] = []
            try snapshot.forEachEvent(from: Position(low), through: Position(high)) { event, _ in
                events.append(event)
                return true
            }
            var visits: [Visit] = []
            let rest = try snapshot.forEachEvent(
                from: Position(low), through: Position(high),
                of: WantedTypes(wanted),
                opening: OpeningAhead(PersonKeys(of: journal), WantedTypes(wanted)),
                counting: filter
            ) { event, _, _, passed in
                #expect(event == events[Int(event.position.number - low)])
                visits.append(
                    Visit(
                        position: event.position.number, events: passed.events,
                        clock: passed.clock))
                return true
            }
            let all = expected(events, wanted, filter ?? { _ in true })
            #expect(visits == all.visits)
            #expect(Visit(position: 0, events: rest.events, clock: rest.clock) == all.rest)
        }
    }
}
