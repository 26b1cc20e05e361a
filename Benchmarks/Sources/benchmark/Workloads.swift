import Engine
import EventLog
import Events
import Glibc
import Synchronization

/// Everything that is measured, on journals in one directory that is removed afterwards.
struct Workloads {
    struct Failure: Error {
        let what: String
    }

    let directory: String
    /// How many events the large journal holds.
    let events: Int
    /// Rounds of each append workload; the median counts.
    let rounds: Int
    var results = Results()

    private var large: String { directory + "/large" }

    init(directory: String, events: Int, rounds: Int) {
        self.directory = directory
        self.events = events
        self.rounds = rounds
    }

    // MARK: The large journal

    /// Fills a journal with exam traffic, as fast as the engine takes it; kept if it is there.
    mutating func makeLargeJournal() throws {
        if Measure.fileBytes(large + "/journal.mdb") > 0 { return }
        try Engine.create(at: large)
        let engine = try Engine(at: large)
        var traffic = ExamTraffic(
            prefix: "L", students: max(50, events / 200), exams: max(2, events / 20_000),
            desks: 16, seed: 7, hasClock: true)
        let journal = try Journal(at: large)
        var commands = 0
        Measure.resetPeak()
        let seconds = try Measure.seconds {
            commands += try submit(traffic.preparation(), to: engine)
            while try journal.head().position.number < UInt64(events) {
                commands += try submit((0..<8192).map { _ in traffic.next() }, to: engine)
            }
        }
        let count = Double(try journal.head().position.number)
        results.add(
            .init(
                name: "commands in bulk", unit: "commands/s", engine: Double(commands) / seconds,
                raw: nil,
                note:
                    "8,192 a call: \(Results.number(count / seconds)) events/s, peak \(Results.number(Measure.peakMiB())) MiB"
            ))
    }

    private func submit(_ lines: [[UInt8]], to engine: Engine) throws -> Int {
        for outcome in try engine.submit(lines) where outcome.status != .accepted {
            throw Failure(what: outcome.document.text)
        }
        return lines.count
    }

    // MARK: Appending what is decided already

    /// The journal alone: prepared batches against the same events in raw LMDB.
    mutating func appendPrepared() throws {
        let journal = try Journal(at: large)
        let skipped = max(50, events / 200) + max(2, events / 20_000) * 22 + 1
        let singles = 400
        let hundreds = 150
        let sizes =
            [skipped] + Array(repeating: 1, count: singles * rounds)
            + Array(repeating: 100, count: hundreds * rounds)
        let source = try SourceEvents(journal, count: sizes.reduce(0, +))
        guard source.events.count == sizes.reduce(0, +) else {
            throw Failure(what: "the large journal is too small for the append workloads")
        }
        let batches = try source.batches(sizes)
        let rawEvents = source.rawEvents()
        try Journal.create(at: directory + "/prepared")
        let target = try Journal(at: directory + "/prepared")
        let raw = try RawLMDB(at: directory + "/prepared.raw")
        _ = try target.append(batches[0])
        try raw.append(rawEvents[..<skipped])
        var next = 1
        var rawNext = skipped
        for (size, count, name) in [
            (1, singles, "append, 1 event a commit"),
            (100, hundreds, "append, 100 events a commit"),
        ] {
            var engineRates: [Double] = []
            var rawRates: [Double] = []
            let before = try target.statistics()
            for _ in 0..<rounds {
                let seconds = try Measure.seconds {
                    for batch in batches[next..<next + count] { _ = try target.append(batch) }
                }
                next += count
                engineRates.append(Double(size * count) / seconds)
                let rawSeconds = try Measure.seconds {
                    for _ in 0..<count {
                        try raw.append(rawEvents[rawNext..<rawNext + size])
                        rawNext += size
                    }
                }
                rawRates.append(Double(size * count) / rawSeconds)
            }
            results.add(
                .init(
                    name: name, unit: "events/s", engine: Measure.median(engineRates),
                    raw: Measure.median(rawRates), note: "journal without deciding"))
            let after = try target.statistics()
            let bytes =
                after.databases.map(\.bytes).reduce(0, +)
                - before.databases.map(\.bytes).reduce(0, +)
            results.add(
                .init(
                    name: "bytes an event, \(size) a commit", unit: "bytes",
                    engine: Double(bytes) / Double(size * count * rounds), raw: nil, isRate: false,
                    note: "pages of all tables"))
        }
    }

    // MARK: Commands

    /// Whole commands: JSON in, decided, durable, JSON out.
    mutating func submitCommands() throws {
        let source = try SourceEvents(
            Journal(at: large), count: 6000 + (400 + 100 * 60 + 16 * 100) * rounds)
        let rawEvents = source.rawEvents().dropFirst(6000)
        let path = directory + "/live"
        try Engine.create(at: path)
        let engine = try Engine(at: path)
        let journal = try Journal(at: path)
        let raw = try RawLMDB(at: directory + "/live.raw")
        var rawNext = rawEvents.startIndex
        var traffic = ExamTraffic(
            prefix: "C", students: 500, exams: 10, desks: 16, seed: 11, hasClock: false)
        _ = try submit(traffic.preparation(), to: engine)

        // One at a time, each beside a raw commit of one event and a commit of next to nothing.
        var latencies: [Double] = []
        var userTimes: [Double] = []
        var rawLatencies: [Double] = []
        var smallLatencies: [Double] = []
        for _ in 0..<rounds {
            let lines = (0..<400).map { _ in traffic.next() }
            let user = Measure.userSeconds()
            for line in lines {
                latencies.append(
                    try Measure.seconds { _ = try submit([line], to: engine) })
            }
            userTimes.append((Measure.userSeconds() - user) / Double(lines.count))
            for event in rawEvents[rawNext..<rawNext + 400] {
                let one = ArraySlice([event])
                rawLatencies.append(try Measure.seconds { try raw.append(one) })
            }
            rawNext += 400
            for number in 0..<400 {
                smallLatencies.append(
                    try Measure.seconds { try raw.commitSmall(UInt64(number)) })
            }
        }
        let single = Measure.median(latencies)
        let small = Measure.median(smallLatencies)
        results.add(
            .init(
                name: "one command, durable", unit: "commands/s", engine: 1 / single,
                raw: 1 / Measure.median(rawLatencies), note: "raw: one event"))
        results.add(
            .init(
                name: "one command: latency", unit: "µs", engine: single * 1e6,
                raw: Measure.median(rawLatencies) * 1e6, isRate: false, note: "median"))
        let flush = Measure.flushSeconds(in: directory, count: 1000)
        results.add(
            .init(
                name: "one command: the engine's own", unit: "µs", engine: (single - small) * 1e6,
                raw: small * 1e6, isRate: false,
                note:
                    "raw: a commit of 8 bytes, which is the flush; fdatasync of 4 KiB alone \(Results.number(flush * 1e6))"
            ))
        results.add(
            .init(
                name: "one command: time outside the kernel", unit: "µs",
                engine: Measure.median(userTimes) * 1e6, raw: nil, isRate: false))

        // A hundred commands a call.
        var rates: [Double] = []
        var rawRates: [Double] = []
        for _ in 0..<rounds {
            let calls = (0..<60).map { _ in (0..<100).map { _ in traffic.next() } }
            let before = try journal.head().position.number
            let seconds = try Measure.seconds {
                for lines in calls { _ = try submit(lines, to: engine) }
            }
            rates.append(Double(try journal.head().position.number - before) / seconds)
            let rawSeconds = try Measure.seconds {
                for _ in calls {
                    try raw.append(rawEvents[rawNext..<rawNext + 100])
                    rawNext += 100
                }
            }
            rawRates.append(6000 / rawSeconds)
        }
        results.add(
            .init(
                name: "100 commands a call, durable", unit: "events/s",
                engine: Measure.median(rates), raw: Measure.median(rawRates),
                note: "JSON in, decided, JSON out"))
        try submitConcurrently(engine, journal, raw, rawEvents, &rawNext)
    }

    private mutating func submitConcurrently(
        _ engine: Engine, _ journal: Journal, _ raw: RawLMDB, _ rawEvents: ArraySlice<RawEvent>,
        _ rawNext: inout Int
    ) throws {
        var rates: [Double] = []
        var rawRates: [Double] = []
        let failure = Mutex<String?>(nil)
        var traffics = (0..<16).map {
            ExamTraffic(
                prefix: "P\($0)", students: 40, exams: 2, desks: 2, seed: UInt64($0),
                hasClock: false)
        }
        for index in traffics.indices {
            _ = try submit(traffics[index].preparation(), to: engine)
        }
        for _ in 0..<rounds {
            let work = traffics.indices.map { index in
                (0..<400).map { _ in traffics[index].next() }
            }
            let before = try journal.head().position.number
            let seconds = Measure.seconds {
                Measure.onThreads(16) { number in
                    for line in work[number] {
                        do {
                            let outcome = try engine.submit([line])[0]
                            if outcome.status == .accepted { continue }
                            failure.withLock { $0 = outcome.document.text }
                        } catch {
                            failure.withLock { $0 = "\(error)" }
                        }
                    }
                }
            }
            rates.append(Double(try journal.head().position.number - before) / seconds)
            // Positions must ascend under MDB_APPEND: the threads take the events in turn.
            let place = Mutex(rawNext)
            let rawSeconds = Measure.seconds {
                Measure.onThreads(16) { _ in
                    for _ in 0..<100 {
                        place.withLock { place in
                            do {
                                try raw.append(rawEvents[place..<place + 1])
                            } catch {
                                failure.withLock { $0 = "\(error)" }
                            }
                            place += 1
                        }
                    }
                }
            }
            rawNext += 1600
            rawRates.append(1600 / rawSeconds)
        }
        if let what = failure.withLock({ $0 }) { throw Failure(what: what) }
        results.add(
            .init(
                name: "16 submitters, durable", unit: "events/s", engine: Measure.median(rates),
                raw: Measure.median(rawRates), note: "one command a call; raw: one event a commit"))
    }

    // MARK: Replay

    /// Every event into the state that all read models stand on; then the documents' digests.
    mutating func replay(digests: Bool) throws {
        let engine = try Engine(at: large)
        let all = try engine.models().map(\.name)
        var folds: [Double] = []
        var processorRates: [Double] = []
        var rest: [Double] = []
        var count = 0.0
        Measure.resetPeak()
        for _ in 0..<max(1, min(rounds, 3)) {
            var seen: [(events: UInt64, seconds: Double)] = []
            let report = try engine.rebuild(["examroom.policy"]) { progress in
                if progress.what == "folding" {
                    seen.append((progress.done, Measure.processorSeconds()))
                }
            }
            if let first = seen.first, let last = seen.last, last.seconds > first.seconds {
                processorRates.append(
                    Double(last.events - first.events) / (last.seconds - first.seconds))
            }
            count = Double(report.events)
            folds.append(report.foldSeconds)
            rest.append(report.totalSeconds - report.foldSeconds)
        }
        let fold = Measure.median(folds)
        results.add(
            .init(
                name: "replay: fold", unit: "events/s", engine: count / fold, raw: nil,
                note:
                    "\(Results.number(count)) events; peak \(Results.number(Measure.peakMiB())) MiB"
            ))
        if !processorRates.isEmpty {
            results.add(
                .init(
                    name: "replay: fold, by processor time", unit: "events/s",
                    engine: Measure.median(processorRates), raw: nil,
                    note: "one core to itself"))
        }
        results.add(
            .init(
                name: "replay: store the state", unit: "s", engine: Measure.median(rest), raw: nil,
                isRate: false, note: "all rows into views.mdb"))
        guard digests else { return }
        Measure.resetPeak()
        let report = try engine.rebuild()
        let keys = report.entries.map(\.keys).reduce(0, +)
        results.add(
            .init(
                name: "replay: digests of every document", unit: "s",
                engine: report.totalSeconds - fold - Measure.median(rest), raw: nil,
                isRate: false,
                note:
                    "\(Results.number(Double(keys))) keys; peak \(Results.number(Measure.peakMiB())) MiB"
            ))
        results.add(
            .init(
                name: "replay: all of it", unit: "events/s", engine: count / report.totalSeconds,
                raw: nil, note: "fold, store, digests of \(all.count) models"))
    }

    // MARK: Reading

    mutating func read() throws {
        let journal = try Journal(at: large)
        let raw = try RawLMDB(at: directory + "/large.raw")
        try copy(journal, to: raw)
        let snapshot = try journal.snapshot()
        let count = Double(snapshot.head.position.number)
        for touchesPayload in [false, true] {
            var times: [Double] = []
            var rawTimes: [Double] = []
            for _ in 0..<max(3, rounds) {
                times.append(
                    try Measure.seconds {
                        var sum: UInt64 = 0
                        try snapshot.forEachEvent { event, body in
                            sum &+= Self.touch(event)
                            if touchesPayload { sum &+= Self.touch(body, event.payload) }
                            return true
                        }
                        if sum == 0 { throw Failure(what: "nothing was read") }
                    })
                rawTimes.append(
                    try Measure.seconds { _ = try raw.readAll(touchingPayload: touchesPayload) })
            }
            results.add(
                .init(
                    name: touchesPayload ? "read all, every payload byte" : "read all, envelopes",
                    unit: "events/s", engine: count / Measure.median(times),
                    raw: count / Measure.median(rawTimes),
                    note: "Sijill checks SHA-256 and inflates; raw checks nothing"))
        }
        try readStreams(snapshot, raw, note: "frames as submitted in bulk")
        let small = try Journal(at: directory + "/prepared").snapshot()
        try readStreams(small, nil, note: "frames of 100 events")
        let statistics = try journal.statistics()
        results.add(
            .init(
                name: "bytes an event, file", unit: "bytes",
                engine: Double(statistics.fileBytes - statistics.freeBytes) / count,
                raw: Double(raw.usedBytes()) / count, isRate: false,
                note: "with indexes of streams, types and tags, command ids, names"))
        var stored = 0
        try snapshot.forEachFrame { frame in
            stored += frame.storedBytes
            return true
        }
        results.add(
            .init(
                name: "bytes an event, frames", unit: "bytes", engine: Double(stored) / count,
                raw: nil, isRate: false))
    }

    private func copy(_ journal: Journal, to raw: RawLMDB) throws {
        var waiting: [RawEvent] = []
        try journal.snapshot().forEachEvent { event, body in
            waiting.append(SourceEvents.raw(event, payload: body[event.payload]))
            if waiting.count == 10_000 {
                try raw.append(waiting[...])
                waiting.removeAll(keepingCapacity: true)
            }
            return true
        }
        try raw.append(waiting[...])
    }

    @inline(__always)
    private static func touch(_ event: EventRecord) -> UInt64 {
        var sum = UInt64(event.type) &+ UInt64(event.stream.number) &+ UInt64(event.revision)
        sum &+= UInt64(bitPattern: event.at.milliseconds)
        sum &+= UInt64(event.actor.number) &+ UInt64(event.device.number)
        sum &+= event.cause.number &+ UInt64(event.subject.number)
        for tag in event.tags { sum &+= UInt64(tag.number) }
        return sum
    }

    @inline(__always)
    private static func touch(_ body: [UInt8], _ range: Range<Int>) -> UInt64 {
        var sum: UInt64 = 0
        for index in range { sum &+= UInt64(body[index]) }
        return sum
    }

    /// Streams of about a hundred events, chosen by chance, each loaded with all payloads.
    private mutating func readStreams(
        _ snapshot: JournalSnapshot, _ raw: RawLMDB?, note: String
    ) throws {
        var streams: [Symbol] = []
        var number: UInt32 = 0
        while number < snapshot.head.symbolCount {
            number += 1
            let symbol = Symbol(number: number)
            if let head = try snapshot.stream(symbol), (90...110).contains(head.count) {
                streams.append(symbol)
            }
        }
        guard !streams.isEmpty else { return }
        var times: [Double] = []
        var rawTimes: [Double] = []
        for turn in 0..<300 {
            let stream = streams[turn &* 7919 % streams.count]
            times.append(
                try Measure.seconds {
                    var sum: UInt64 = 0
                    let positions = try snapshot.positions(of: .stream, stream.number)
                    try snapshot.forEachEvent(at: positions) { event, body in
                        sum &+= Self.touch(event) &+ Self.touch(body, event.payload)
                        return true
                    }
                    if sum == 0 { throw Failure(what: "nothing was read") }
                })
            if let raw {
                rawTimes.append(
                    try Measure.seconds { _ = try raw.readStream(stream.number) })
            }
        }
        results.add(
            .init(
                name: "load a stream of 100", unit: "µs", engine: Measure.median(times) * 1e6,
                raw: raw == nil ? nil : Measure.median(rawTimes) * 1e6, isRate: false,
                note: "median of 300; \(note)"))
    }
}
