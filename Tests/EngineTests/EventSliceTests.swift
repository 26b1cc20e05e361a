@testable import Engine
import Core
import Testing

/// Events are read in slices (`EventSlices`): what is listed must not show where one ends.
@Suite struct EventSliceTests {
    /// Some 1,300 events, more than the first slices hold.
    private let engine: EventEngine
    private let place: DiskPlace
    private let all: [String]

    init() throws {
        place = try DiskPlace()
        engine = try place.open()
        var lines: [[UInt8]] = []
        for number in 1...600 {
            let at = "2026-02-0\(1 + number / 200)T08:00:00Z"
            lines.append(Room.register("S-\(number)", at: at))
            if number % 3 == 0 { lines += Room.exam("EX-\(number)", at: at) }
        }
        for outcome in try engine.submit(lines) {
            #expect(outcome.document.text.contains("accepted"), "\(outcome.document.text)")
        }
        all = try Self.texts(engine)
    }

    private static func texts(
        _ engine: EventEngine, _ change: (inout EventFilter) -> Void = { _ in }
    ) throws -> [String] {
        var filter = EventFilter()
        change(&filter)
        var texts: [String] = []
        try engine.events(filter) { event in
            texts.append(event.text)
            return true
        }
        return texts
    }

    @Test func `positions follow each other from the first to the last`() throws {
        #expect(all.count > 1200)
        for (index, text) in all.enumerated() {
            #expect(text.contains("\"position\":\(index + 1),"), "\(text)")
        }
        #expect(all.joined().utf8.count > 1 << 18, "too little for several slices")
    }

    @Test func `newest first gives the same events the other way round`() throws {
        #expect(try Self.texts(engine) { $0.isReversed = true } == all.reversed())
        #expect(
            try Self.texts(engine) {
                $0.isReversed = true
                $0.type = "examroom.exam.*"
            } == all.filter { $0.contains(#""type":"examroom.exam."#) }.reversed())
    }

    @Test(arguments: [1, 2, 199, 600, 1000])
    func `a limit cuts off whatever slice it falls into`(limit: Int) throws {
        #expect(try Self.texts(engine) { $0.limit = limit } == Array(all.prefix(limit)))
        #expect(
            try Self.texts(engine) {
                $0.limit = limit
                $0.isReversed = true
            } == Array(all.reversed().prefix(limit)))
    }

    @Test func `bounds and conditions hold in every slice`() throws {
        let bounded = try Self.texts(engine) {
            $0.from = Moment("17")
            $0.to = Moment("1190")
        }
        #expect(bounded == Array(all[16..<1190]))
        let wanted = try Self.texts(engine) {
            $0.type = "examroom.account.registered"
            $0.from = Moment("5")
        }
        #expect(
            wanted == all[4...].filter { $0.contains(#""type":"examroom.account.registered""#) })
        #expect(try Self.texts(engine) { $0.to = Moment("0") } == [])
        #expect(try Self.texts(engine) { $0.from = Moment("\(all.count + 1)") } == [])
    }

    @Test(arguments: [false, true])
    func `a slice ends where it has looked at enough, and nothing is left out`(
        isReversed: Bool
    ) throws {
        var filter = EventFilter()
        let day = isReversed ? "2026-02-01" : "2026-02-03"
        filter.from = Moment("\(day)T00:00:00Z")
        filter.to = Moment("\(day)T23:00:00Z")
        filter.isReversed = isReversed
        let wanted = try Self.texts(engine) { $0 = filter }
        var slices = EventSlices(
            engine.journal, engine.registry, try EventScan(filter), isReversed: isReversed,
            mostLooks: 50)
        var read: [String] = []
        var empty = 0
        while !slices.isExhausted, slices.end == nil {
            let slice = try slices.nextEvents()
            if slice.isEmpty { empty += 1 }
            read += slice.map(\.document.text)
        }
        #expect(read == wanted)
        #expect(empty > 10)
    }

    @Test func `following gives all there are and then what others append`() throws {
        var filter = EventFilter()
        filter.limit = all.count + 1
        var texts: [String] = []
        var isAppended = false
        try engine.follow(filter) { event throws(EngineError) in
            if let event {
                texts.append(event.text)
            } else if !isAppended {
                isAppended = true
                _ = try engine.submit([Room.register("S-NEW", at: "2026-02-07T08:00:00Z")])
            }
            return true
        }
        #expect(Array(texts.dropLast()) == all)
        #expect(texts.last?.contains("S-NEW") == true)
    }
}
