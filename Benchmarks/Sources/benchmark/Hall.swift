import Products
import Engine
import EventLog
import Core
import ExamRoomEvents
import Glibc

/// An ExamRoom at its full size: what people wait for in it (ExamRoom R52).
///
/// One student after another sits one of 500 exams; nobody's attempt is alone and none has a thousand
/// rivals. Keyed read models are asked in processes of their own.
extension Workloads {
    private var hall: String { directory + "/hall" }

    mutating func askInHall(students: Int, events: Int, replay: String?) throws {
        try fillHall(students: students, events: events)
        try rebuildHall()
        try leadAfterSubmissions(students: students)
        if let replay { try showCold(replay) }
    }

    /// Ten copies of a term with a tenth of the students and exams.
    private mutating func fillHall(students: Int, events: Int) throws {
        if Measure.fileBytes(hall + "/journal.mdb") > 0 { return }
        _ = try MixedJournal.playHall(
            at: hall + ".term", events: events / 10, students: students / 10, exams: 50)
        _ = try MixedJournal.copy(
            hall + ".term", to: hall, batch: 1000, isEnough: { _, copies in copies >= 10 })
    }

    /// All that the read models stand on, folded anew and stored.
    private mutating func rebuildHall() throws {
        let engine = try EventEngine(at: hall)
        Measure.resetPeak()
        let report = try engine.rebuild(["examroom.policy"])
        results.add(
            "hall: fold of all events", Double(report.events) / report.foldSeconds, "events/s",
            "\(Results.number(Double(report.events))) events, stored after \(Results.number(report.totalSeconds)) s"
        )
        results.add(
            "hall: memory of the fold", Measure.ownMiB(), "MiB own",
            "peak with mapped files \(Results.number(Measure.peakMiB())) MiB")
    }

    /// A submission, then the leaderboard that shows it, in one process: what the second one takes.
    private mutating func leadAfterSubmissions(students: Int) throws {
        let engine = try EventEngine(at: hall)
        let now = Int64(4_000_000_000_000)
        var times: [Double] = []
        var submissions: [Double] = []
        _ = try engine.show("examroom.leaderboard", key: "points")
        let run = "\(getpid())"
        for turn in 0..<100 {
            // Of one copy after the other.
            let student =
                "\(MixedJournal.prefix)\(1 + turn % 10)-S\((turn * 997) % (students / 10))"
            func line(_ id: String, _ command: String, _ more: String) -> [UInt8] {
                Array(
                    #"{"id":"\#(run)-\#(id)-\#(turn)","command":"examroom.attempt.\#(command)","at":"\#(Instant(milliseconds: now + Int64(turn) * 1000))","by":"student:\#(student)","data":{"attempt":"N-\#(run)-\#(turn)"\#(more)}}"#
                        .utf8)
            }
            let start = line(
                "a", "start",
                #","exam":"\#(MixedJournal.prefix)\#(1 + turn % 10)-E1","student":"\#(student)""#)
            let submit = line("b", "submit", "")
            let started = try engine.submit([start])[0]
            guard started.status == .accepted else {
                throw Failure(what: "a start in the hall: \(started.document.text)")
            }
            submissions.append(try Measure.seconds { _ = try engine.submit([submit]) })
            times.append(
                try Measure.seconds { _ = try engine.show("examroom.leaderboard", key: "points") })
        }
        results.add(
            "hall: leaderboard after a submission", Measure.median(times) * 1e6, "µs",
            "worst of 100 \(Results.number((times.max() ?? 0) * 1e6)); the durable submission itself \(Results.number(Measure.median(submissions) * 1e6))"
        )
    }

    /// `replay show` of every keyed model, each in a process of its own: the median of nine keys.
    private mutating func showCold(_ replay: String) throws {
        let floor = try Self.median((0..<9).map { _ in try run(replay, ["--version"]) })
        results.add(
            "hall: a process that does nothing", floor * 1e3, "ms", "`replay --version`")
        let engine = try EventEngine(at: hall)
        var slowest: [(name: String, seconds: Double)] = []
        for model in try engine.models() where model.key != nil {
            let keys = try engine.keys(of: model.name)
            guard !keys.isEmpty else { continue }
            let asked = (0..<9).map { keys[($0 * 7919) % keys.count] }
            let times = try asked.map {
                try run(replay, ["show", model.name, $0, "--journal", hall, "--json"])
            }
            slowest.append((model.name, Self.median(times)))
        }
        slowest.sort { $0.seconds > $1.seconds }
        for model in slowest.prefix(4) {
            results.add(
                "hall: cold `show \(model.name)`", model.seconds * 1e3, "ms",
                "whole process; one of the four slowest of \(slowest.count) keyed models")
        }
    }

    private static func median(_ times: [Double]) -> Double { Measure.median(times) }

    /// Seconds from the start of a process to its end.
    private func run(_ program: String, _ arguments: [String]) throws -> Double {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        var texts = unsafe [UnsafeMutablePointer<CChar>?]()
        for text in [program] + arguments { unsafe texts.append(strdup(text)) }
        unsafe texts.append(nil)
        defer { unsafe texts.forEach { unsafe free($0) } }
        var status: Int32 = 0
        let seconds = Measure.seconds {
            var child = pid_t()
            if unsafe posix_spawn(&child, program, &actions, nil, &texts, environ) == 0 {
                unsafe waitpid(child, &status, 0)
            } else {
                status = -1
            }
        }
        guard status == 0 else { throw Failure(what: "\(arguments) ended with \(status)") }
        return seconds
    }
}
