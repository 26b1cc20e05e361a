@testable import Engine
import Core
import Testing

@Suite struct `Looking for an instant` {
    private let engine: EventEngine
    private let place: DiskPlace
    /// When each event happened, by position.
    private let times: [Instant]

    init() throws {
        place = try DiskPlace()
        engine = try place.open()
        let lines = (0..<9_000).map { number in
            let (day, minute) = (1 + number / 360, number % 360)
            let clock = "\(10 + minute / 60):\(minute % 60 < 10 ? "0" : "")\(minute % 60)"
            return Room.register(
                "S-\(number)", at: "2026-03-\(day < 10 ? "0" : "")\(day)T\(clock):00Z")
        }
        _ = try engine.submit(lines)
        var times: [Instant] = []
        try engine.events(EventFilter()) { event in
            if let at = event.value["at"].string.flatMap({ Instant(rfc3339: $0) }) {
                times.append(at)
            }
            return true
        }
        self.times = times
    }

    private func positions(_ change: (inout EventFilter) -> Void) throws -> [UInt64] {
        var filter = EventFilter()
        change(&filter)
        var positions: [UInt64] = []
        try engine.events(filter) { event in
            if let position = event.value["position"].integer { positions.append(UInt64(position)) }
            return true
        }
        return positions
    }

    @Test func `finds what a look at every event finds, before and after stretches are known`()
        throws
    {
        try #require(times.count >= 9_000 && times == times.sorted())
        for place in [0, 1, 4_095, 4_096, 4_097, 5_000, 8_192, times.count - 1] {
            let instant = times[place]
            let later = (1...times.count).filter { times[$0 - 1] >= instant }.map { UInt64($0) }
            let earlier = (1...times.count).filter { times[$0 - 1] <= instant }.map { UInt64($0) }
            for _ in 0..<2 {
                #expect(try positions { $0.from = .instant(instant) } == later)
                #expect(try positions { $0.to = .instant(instant) } == earlier)
                let back = try positions {
                    $0.from = .instant(instant)
                    $0.isReversed = true
                }
                #expect(back == later.reversed())
            }
        }
    }

    @Test func `passes over what it has read once`() throws {
        let head = UInt64(times.count)
        let last = try #require(times.last)
        #expect(engine.instants.candidates(1...head, from: last, to: nil) == [1...head])
        _ = try positions { $0.from = .instant(last) }
        #expect(engine.instants.candidates(1...head, from: last, to: nil) == [8_193...head])
        #expect(engine.instants.candidates(1...head, from: nil, to: times[0]).first == 1...4_096)
    }
}
