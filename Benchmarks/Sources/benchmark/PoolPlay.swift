import Products
import Engine
import EventLog
import Core
import LearnableEvents

/// `--play-pool PATH --people N --questions M`: N pools of M questions each, through the engine, then how
/// long people wait for what is due today (Learnable R20, R28).
///
/// What the answer hangs on is the day and not the pool: the fold keeps for each person the ascending days
/// on which something is due, with a count each, and for each of these days the questions in order of
/// pooling. `learnable.home` reads the counts, `learnable.daily-quiz` the days up to today, and
/// `learnable.pool` the places of one page.
struct PoolPlay {
    private let path: String
    private let options: Options
    private var results = Results()
    private var traffic: PoolTraffic
    private var commands = 0
    private var refused: [String: Int] = [:]

    init(_ path: String, _ options: Options) {
        self.path = path
        self.options = options
        traffic = PoolTraffic(people: options.people, questions: options.questions)
    }

    static func run(_ path: String, _ options: Options) throws {
        var play = Self(path, options)
        try play.fill()
        try play.weigh()
        // Ten million questions do not fit into memory, where a rebuild has them.
        if options.only.isEmpty || options.only.contains("replay") { try play.rebuild() }
        try play.ask()
        print(options.isJSON ? play.results.json : play.results.table)
    }

    // MARK: Filling

    private mutating func fill() throws {
        try EventEngine.create(at: path, isSimulated: true)
        let engine = try EventEngine(at: path)
        let seconds = try Measure.seconds {
            var batch = [traffic.policy()]
            for person in 0..<options.people {
                batch += traffic.filling(person)
                try submit(&batch, to: engine, atLeast: 4 << 20)
            }
            try submit(&batch, to: engine)
            for round in 0..<PoolTraffic.quizzes { try takeQuiz(round, engine) }
        }
        let names = refused.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        results.add(
            "pool: filling", Double(commands) / seconds, "commands/s",
            "\(Results.number(Double(commands))) commands, refused: "
                + (names.isEmpty ? "none" : names.joined(separator: ", ")))
    }

    /// A round of people begins; what their quizzes hold is answered in the next batch.
    private mutating func takeQuiz(_ round: Int, _ engine: EventEngine) throws {
        traffic.nextRound()
        for first in stride(from: 0, to: options.people, by: 500) {
            let group = first..<min(first + 500, options.people)
            var batch = group.flatMap { traffic.opening($0, round: round) }
            let begun = try submit(&batch, to: engine)
            for (person, questions) in zip(group, begun) {
                batch += traffic.answers(person, round: round, of: questions)
            }
            try submit(&batch, to: engine)
        }
    }

    /// Sends the batch, if it is that large, and empties it; gives the questions of each quiz begun.
    @discardableResult
    private mutating func submit(
        _ batch: inout [[UInt8]], to engine: EventEngine, atLeast bytes: Int = 0
    ) throws -> [[String]] {
        guard batch.reduce(0, { $0 + $1.count }) >= bytes else { return [] }
        defer { batch = [] }
        commands += batch.count
        var begun: [[String]] = []
        for (outcome, line) in zip(try engine.submit(batch), batch) {
            let command = Self.name(of: line)
            let isQuiz = command == "learnable.quiz.begin"
            if outcome.status == .accepted, !isQuiz { continue }
            if isQuiz { begun.append(try PoolTraffic.questions(ofQuiz: outcome)) }
            let json = try JSON(parsing: outcome.document.bytes)
            if let code = json["code"]?.string { refused["\(command) \(code)", default: 0] += 1 }
        }
        return begun
    }

    private static func name(of line: [UInt8]) -> String {
        let marker = Array(#""command":""#.utf8)
        guard let place = line.indices.first(where: { line[$0...].starts(with: marker) }) else {
            return ""
        }
        let text = line[(place + marker.count)...].prefix { $0 != UInt8(ascii: "\"") }
        return String(decoding: text, as: UTF8.self)
    }

    // MARK: Measuring

    private mutating func weigh() throws {
        let journal = try Journal(at: path)
        let events = Double(try journal.head().position.number)
        let statistics = try journal.statistics()
        results.add(
            "pool: events", events, "events",
            "\(options.people) people with \(options.questions) questions each")
        results.add(
            "pool: size", Double(statistics.fileBytes - statistics.freeBytes) / events,
            "bytes/event", "journal with its indexes")
    }

    private mutating func rebuild() throws {
        let engine = try EventEngine(at: path)
        Measure.resetPeak()
        let report = try engine.rebuild(["learnable.policy"])
        results.add(
            "pool: fold of all events", Double(report.events) / report.foldSeconds, "events/s",
            "\(Results.number(Double(report.events))) events, stored after \(Results.number(report.totalSeconds)) s"
        )
        results.add(
            "pool: memory of the fold", Measure.ownMiB(), "MiB own",
            "peak with mapped files \(Results.number(Measure.peakMiB())) MiB")
    }

    /// People at random, each asked twice: the engine has read nothing of them before the first time.
    private mutating func ask() throws {
        let pages = max(1, (options.questions + 49) / 50)
        try ask("learnable.home", "what greets: quiz due, landing", [:])
        try ask("learnable.daily-quiz", "the questions due today, in order", [:])
        try ask("learnable.pool", "page 1 of \(pages)", [:])
        if pages > 1 {
            try ask("learnable.pool", "page \(pages) of \(pages)", ["page": "\(pages)"])
        }
    }

    private mutating func ask(
        _ model: String, _ what: String, _ arguments: [String: String]
    ) throws {
        let engine = try EventEngine(at: path)
        var random = SplitMix64(seed: 23)
        var request = ShowRequest()
        request.now = Instant(rfc3339: "\(traffic.end)")
        request.arguments = arguments
        let asked = (1..<max(2, options.people)).shuffled(using: &random).prefix(1000)
        func times() throws -> [Double] {
            try asked.map { person in
                try Measure.seconds {
                    _ = try engine.show(model, key: PoolTraffic.person(person), request)
                }
            }
        }
        // The engine opens its store once.
        _ = try engine.show(model, key: PoolTraffic.person(0), request)
        let first = try times()
        let again = try times()
        func percentile(_ percent: Int, _ times: [Double]) -> String {
            Results.number(Measure.percentile(percent, of: times) * 1e6)
        }
        results.add(
            "pool: \(model)", Measure.median(first) * 1e6, "µs",
            "\(what); p99 of \(first.count) people \(percentile(99, first)); again \(percentile(50, again)), p99 \(percentile(99, again))"
        )
    }
}
