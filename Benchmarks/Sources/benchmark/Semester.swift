import Products
import Engine
import EventLog
import Core
import QuranFlowEvents

/// `--play-cohort PATH --students N`: a QuranFlow semester through the engine, command by command, and
/// what its students and staff wait for in the middle of it and at its end.
struct Semester {
    private let path: String
    private let students: Int
    private let isJSON: Bool
    private let engine: EventEngine
    private let journal: Journal
    private var results = Results()
    private var commands = 0
    private var refused = Refusals()

    init(at path: String, _ options: Options) throws {
        self.path = path
        students = options.students
        isJSON = options.isJSON
        try EventEngine.create(at: path, isSimulated: true)
        engine = try EventEngine(at: path)
        journal = try Journal(at: path)
    }

    mutating func run() throws {
        var traffic = SemesterTraffic(students: students)
        var seconds = 0.0
        var week = 0
        while let lines = traffic.next() {
            seconds += try Measure.seconds { try submit(lines.map(\.line)) }
            if week == SemesterTraffic.weeks / 2 + 1 { try ask("in week \(week)", week, day: 6) }
            week += 1
        }
        try ask("at the end", SemesterTraffic.lastWeek, day: 6)
        results.add(
            "cohort: commands in bulk", Double(commands) / seconds, "commands/s",
            "\(Results.number(Double(commands))) commands of \(Results.number(Double(students))) students, refused: \(refused.text)"
        )
        try measureJournal()
        try rebuild()
        print(isJSON ? results.json : results.table)
    }

    private mutating func submit(_ lines: [[UInt8]]) throws {
        commands += lines.count
        for start in stride(from: 0, to: lines.count, by: 4096) {
            let batch = Array(lines[start..<min(start + 4096, lines.count)])
            refused.note(try engine.submit(batch), of: batch)
        }
    }

    // MARK: Asking

    /// What Today takes for one student after another, and the lists of the staff.
    private mutating func ask(_ moment: String, _ week: Int, day: Int) throws {
        var request = ShowRequest()
        request.now = Instant(rfc3339: SemesterTraffic.instant(inWeek: week, day: day))
        var chance = Chance(seed: UInt64(week))
        let asked = (0..<2000).map { _ in SemesterTraffic.student(chance.below(students)) }
        // The first answer folds what was submitted since the one before it.
        results.add(
            "cohort: the first answer \(moment)",
            try Measure.seconds { _ = try engine.show("quranflow.policy") } * 1e3, "ms",
            "after \(Results.number(Double(try journal.head().position.number))) events in all")
        try measure("cohort: today \(moment)", "quranflow.today", asked, request)
        try measure(
            "cohort: the dashboard \(moment)", "quranflow.cohort",
            Array(repeating: "SEM", count: 9), request)
        try measure(
            "cohort: a coach's queue \(moment)", "quranflow.work-queue",
            Array(repeating: "CF0", count: 99), request)
        try measure(
            "cohort: the placement queue \(moment)", "quranflow.placement-queue",
            Array(repeating: nil, count: 99), request)
    }

    private mutating func measure(
        _ name: String, _ model: String, _ keys: [String?], _ request: ShowRequest
    ) throws {
        var times: [Double] = []
        for key in keys {
            var isThere = false
            times.append(
                try Measure.seconds {
                    isThere = try engine.show(model, key: key, request).text != "null"
                })
            guard isThere else { throw Workloads.Failure(what: "no \(model) of \(key ?? "all")") }
        }
        times.sort()
        let high = times[min(times.count - 1, times.count * 99 / 100)]
        results.add(
            name, Measure.median(times) * 1e6, "µs",
            "p99 \(Results.number(high * 1e6)), worst \(Results.number((times.last ?? 0) * 1e6)) of \(times.count)"
        )
    }

    // MARK: The journal

    private mutating func measureJournal() throws {
        let events = Double(try journal.head().position.number)
        let statistics = try journal.statistics()
        results.add(
            "cohort: events", events, "events",
            "\(Results.number(events / Double(max(1, students)))) a student")
        results.add(
            "cohort: the file", Double(statistics.fileBytes - statistics.freeBytes) / events,
            "bytes/event", "of the journal, free pages left out")
    }

    /// All that the read models stand on, folded anew and stored.
    private mutating func rebuild() throws {
        Measure.resetPeak()
        let report = try engine.rebuild(["quranflow.policy"])
        results.add(
            "cohort: fold of all events", Double(report.events) / report.foldSeconds, "events/s",
            "stored after \(Results.number(report.totalSeconds)) s; \(Results.number(Measure.ownMiB())) MiB own"
        )
    }
}
