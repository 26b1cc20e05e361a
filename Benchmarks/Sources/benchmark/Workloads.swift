import Products
import Engine
import EventLog
import Core
import Glibc

/// What the engine does with commands and read models, on journals in one directory that is removed
/// afterwards. The journal beside other stores is measured by `Benchmarks/peers/compare.py`.
struct Workloads {
    struct Failure: Error {
        let what: String
    }

    let directory: String
    /// How many events the large journal holds.
    let events: Int
    /// Events of the term that it is copied from.
    let term: Int
    /// Rounds of each workload; the median counts.
    let rounds: Int
    var results = Results()

    private var large: String { directory + "/large" }

    init(directory: String, options: Options) {
        self.directory = directory
        events = options.events
        term = min(options.term, options.events)
        rounds = options.rounds
    }

    // MARK: The large journal

    /// A term of mixed traffic through the engine, then copies of it; kept if it is there.
    mutating func makeLargeJournal() throws {
        if Measure.fileBytes(large + "/journal.mdb") > 0 { return }
        Measure.resetPeak()
        let played = try MixedJournal.playTerm(at: large + ".term", events: term)
        let count = Double(try Journal(at: large + ".term").head().position.number)
        results.add(
            "commands in bulk", Double(played.commands) / played.seconds, "commands/s",
            "8,192 a call: \(Results.number(count / played.seconds)) events/s, peak \(Results.number(Measure.peakMiB())) MiB"
        )
        let copied = try MixedJournal.copy(
            large + ".term", to: large, batch: 500, isEnough: { events, _ in events >= self.events }
        )
        results.add(
            "copies of that term, appended", Double(copied.events) / copied.seconds, "events/s",
            "500 a commit: how the large journals here are made; no rule is asked")
    }

    // MARK: Commands

    /// Whole commands, one a call: JSON in, decided, durable, JSON out.
    mutating func submitCommands() throws {
        let path = directory + "/live"
        try EventEngine.create(at: path, isSimulated: true)
        let engine = try EventEngine(at: path)
        var traffic = ExamTraffic(
            prefix: "C", students: 500, exams: 10, desks: 16, seed: 11, hasClock: false)
        try submit(traffic.preparation(), to: engine)
        var latencies: [Double] = []
        var userTimes: [Double] = []
        for _ in 0..<rounds {
            let lines = (0..<400).map { _ in traffic.next() }
            let user = Measure.userSeconds()
            for line in lines {
                latencies.append(
                    try Measure.seconds { try submit([line], to: engine) })
            }
            userTimes.append((Measure.userSeconds() - user) / Double(lines.count))
        }
        latencies.sort()
        let late = latencies[latencies.count * 99 / 100]
        results.add(
            "one command, durable: latency", Measure.median(latencies) * 1e6, "µs",
            "median of \(latencies.count); one in a hundred takes \(Results.number(late * 1e6)) or more"
        )
        results.add(
            "one command: time outside the kernel", Measure.median(userTimes) * 1e6, "µs",
            "what the engine itself works")
        let flush = Measure.flushSeconds(in: directory, count: 1000)
        results.add(
            "the disk: fdatasync of 4 KiB", flush * 1e6, "µs",
            "a commit flushes once, from the ninth in a row on")
    }

    private func submit(_ lines: [[UInt8]], to engine: EventEngine) throws {
        for outcome in try engine.submit(lines) where outcome.status != .accepted {
            throw Failure(what: outcome.document.text)
        }
    }

    // MARK: Replay

    /// Every event into the state that all read models stand on; then the documents' digests.
    mutating func replay(digests: Bool) throws {
        let engine = try EventEngine(at: large)
        var folds: [Double] = []
        var rest: [Double] = []
        var count = 0.0
        Measure.resetPeak()
        for _ in 0..<max(1, min(rounds, 3)) {
            let report = try engine.rebuild(["examroom.policy"])
            count = Double(report.events)
            folds.append(report.foldSeconds)
            rest.append(report.totalSeconds - report.foldSeconds)
        }
        results.add(
            "replay: fold", count / Measure.median(folds), "events/s",
            "\(Results.number(count)) events; peak \(Results.number(Measure.peakMiB())) MiB")
        results.add(
            "replay: store the state", Measure.median(rest), "s", "all rows into views.mdb")
        guard digests else { return }
        let report = try engine.rebuild()
        let keys = report.entries.map(\.keys).reduce(0, +)
        results.add(
            "replay: rebuild with every document", report.totalSeconds, "s",
            "the digests of \(report.entries.count) models, \(Results.number(Double(keys))) keys")
    }
}
