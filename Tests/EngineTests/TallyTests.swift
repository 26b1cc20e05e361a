import Core
import EventLog
import Folding
import Testing

@testable import Engine

/// How many events count is told by the records alone; by going through the events it is the same.
@Suite struct `A tally of events` {
    /// The same events, counted one by one.
    private struct Counted: History {
        let history: JournalHistory

        func forEach(types: [String], _ body: (EventEnvelope) -> Bool) {
            history.forEach(types: types, body)
        }

        func forEach(tags: [String], _ body: (EventEnvelope) -> Bool) {
            history.forEach(tags: tags, body)
        }
    }

    private let place: DiskPlace

    init() throws {
        place = try DiskPlace()
        let engine = try place.open()
        _ = try engine.submit([
            Room.register("S-1", at: "2026-02-01T08:00:00Z"),
            Room.register("T-1", "teacher", at: "2026-02-02T08:00:00Z"),
        ])
        _ = try engine.submit(Room.exam("EX-1", at: "2026-02-03T08:00:00Z"))
        _ = try engine.submit([
            Room.start("AT-1", "EX-1", "S-1", at: "2026-02-04T08:00:00Z"),
            Room.answer("AT-1", "Q-1", "a", "S-1", at: "2026-02-04T08:01:00Z"),
            line(
                "erase", "account.erase", "2026-02-05T08:00:00Z",
                #"{"subject":"examroom/S-1"}"#),
        ])
    }

    private func history(_ change: (inout Scope) -> Void = { _ in }) throws -> JournalHistory {
        let engine = try place.open(isReadOnly: true)
        let snapshot = try engine.journal.snapshot()
        var scope = Scope(through: snapshot.head.position)
        change(&scope)
        return JournalHistory(
            snapshot: snapshot, types: try JournalTypes(snapshot.types(), engine.registry),
            keys: PersonKeys(of: engine.journal), names: Names(), scope: scope,
            faults: .init())
    }

    private func check(_ history: JournalHistory, events: Int?) throws {
        let (told, counted) = (history.tally(), Counted(history: history).tally())
        #expect(told.events == events ?? told.events)
        #expect(told.events == counted.events)
        #expect(told.streams == counted.streams)
        #expect(told.first == counted.first)
        #expect(told.last == counted.last)
        func types(_ tally: EventTally) -> [String: Int] {
            Dictionary(tally.types.map { ($0.type.name, $0.events) }, uniquingKeysWith: +)
        }
        #expect(types(told) == types(counted))
        try history.checkFault()
    }

    @Test func `is the same of all events, of some, and of none`() throws {
        let all = try history()
        try check(all, events: Int(all.scope.through.number))
        #expect(all.tally().streams > 3)
        try check(history { $0.through = Position(3) }, events: 3)
        try check(history { $0.through = .zero }, events: 0)
        #expect(try history { $0.through = .zero }.tally().first == nil)
    }

    @Test func `leaves out what happened later, or was learnt later`() throws {
        let instant = try #require(Instant(rfc3339: "2026-02-03T12:00:00Z"))
        let earlier = try history { $0.happenedBy = instant }
        #expect(earlier.tally().last?.utcDate == instant.utcDate)
        try check(earlier, events: nil)
        try check(history { $0.knownBy = instant }, events: 0)
    }
}
