import Products
import Engine
import EventLog
import Core

/// What a reader meets in a journal of copies, as one line of JSON; in a process of its own, so that
/// nothing is at hand from before and memory is the reader's alone.
enum Probe {
    static func run(_ path: String, term: Int) throws {
        var members: [String] = []
        func add(_ name: String, _ value: Double) { members.append("\"\(name)\":\(value)") }

        // Each is closed again before the next one opens.
        let opening = try (0..<7).map { _ in try Measure.seconds { _ = try EventEngine(at: path) } }
        add("openSeconds", Measure.median(opening))
        let engine = try EventEngine(at: path)
        let journal = try Journal(at: path)
        let count = try journal.head().position.number
        let attempts = try attempts(journal, copies: max(1, Int(count) / term))

        add("firstShowSeconds", try Measure.seconds { try show(engine, attempts.all[0]) })
        add(
            "showSeconds",
            Measure.median(
                try (0..<200).map { turn in
                    try Measure.seconds {
                        try show(engine, attempts.all[turn &* 7919 % attempts.all.count])
                    }
                }))
        try add("streamSeconds", streams(journal, attempts.long))
        add("peakMiB", Measure.peakMiB())
        add("ownMiB", Measure.ownMiB())

        // A fold of half the journal may take seconds: as many as ten seconds allow.
        var asOf: [Double] = []
        while asOf.count < 20, asOf.reduce(0, +) < 10 {
            asOf.append(
                try Measure.seconds {
                    try show(engine, attempts.all[asOf.count % 50], asOf: "\(count / 2)")
                })
        }
        add("asOfSeconds", Measure.median(asOf))
        add("readSeconds", try readAll(journal))
        print("{" + members.joined(separator: ",") + "}")
    }

    private static func show(_ engine: EventEngine, _ key: String, asOf: String? = nil) throws {
        var request = ShowRequest()
        request.asOf = asOf.flatMap { Moment($0) }
        let document = try engine.show("examroom.attempt", key: key, request)
        if document.text == "null", asOf == nil {
            throw Workloads.Failure(what: "there is no attempt \(key)")
        }
    }

    /// Attempts of up to twenty copies, and the streams among theirs that hold about 100 events.
    private static func attempts(
        _ journal: Journal, copies: Int
    ) throws -> (all: [String], long: [[UInt8]]) {
        let snapshot = try journal.snapshot()
        var all: [String] = []
        var long: [[UInt8]] = []
        let step = max(1, copies / 20)
        for copy in stride(from: 1, through: copies, by: step) {
            for number in 0..<400 {
                let key = "\(MixedJournal.prefix)\(copy)-T\(number)"
                let stream = Array("examroom/attempt/\(key)".utf8)
                guard let symbol = try snapshot.number(of: stream),
                    let head = try snapshot.stream(symbol)
                else { break }
                all.append(key)
                if (90...110).contains(head.count) { long.append(stream) }
            }
        }
        guard !all.isEmpty else { throw Workloads.Failure(what: "the journal has no attempts") }
        return (all, long)
    }

    /// Each of up to 200 streams once: what one of them left in memory helps none of the others, whatever the journal's size.
    private static func streams(_ journal: Journal, _ names: [[UInt8]]) throws -> Double {
        guard !names.isEmpty else { return 0 }
        let decoders = try journal.snapshot().types().map { try Decoder($0) }
        let step = max(1, names.count / 200)
        return Measure.median(
            try stride(from: 0, to: names.count, by: step).map { index in
                let name = names[index]
                return try Measure.seconds {
                    let snapshot = try journal.snapshot()
                    guard let symbol = try snapshot.number(of: name) else { return }
                    let positions = try snapshot.positions(of: .stream, symbol.number)
                    try snapshot.forEachEvent(at: positions, of: symbol) { event, body in
                        decoders[Int(event.type) - 1].decode(event, body)
                    }
                }
            })
    }

    /// Every frame read, checked and inflated, every envelope decoded; no payload looked at.
    private static func readAll(_ journal: Journal) throws -> Double {
        let snapshot = try journal.snapshot()
        var seen: UInt64 = 0
        let seconds = try Measure.seconds {
            try snapshot.forEachEvent { event, _ in
                seen &+= UInt64(event.revision)
                return true
            }
        }
        if seen == 0 { throw Workloads.Failure(what: "nothing was read") }
        return seconds
    }
}
