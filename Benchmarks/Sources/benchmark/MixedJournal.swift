import Engine
import EventLog
import Events

/// Large journals of mixed events, quickly: a busy term through the engine, command by command, then
/// copies of it appended to a journal of their own (`HistoryCopier`).
struct MixedJournal {
    /// Events of the term that is copied.
    static let termEvents = 200_000
    static let prefix = "L"

    /// Plays a term of about so many events into a new journal; gives commands, seconds and refusals.
    static func playTerm(
        at path: String, events: Int, prefix: String = prefix, students: Int? = nil,
        exams: Int? = nil, isMixed: Bool = true
    ) throws -> (commands: Int, seconds: Double, refused: [String: Int]) {
        try Engine.create(at: path)
        let engine = try Engine(at: path)
        let journal = try Journal(at: path)
        // A hundred sittings or so an exam, a handful a student.
        var traffic = ExamTraffic(
            prefix: prefix, students: students ?? max(50, events / 80),
            exams: exams ?? max(2, events / 4000), desks: 16, seed: 7, hasClock: true,
            isMixed: isMixed)
        var commands = 0
        var refused: [String: Int] = [:]
        func submit(_ lines: [[UInt8]]) throws {
            commands += lines.count
            for (outcome, line) in zip(try engine.submit(lines), lines)
            where outcome.status != .accepted {
                let text = String(decoding: line, as: UTF8.self)
                let name = text.split(separator: "\"").dropFirst(7).first.map(String.init) ?? text
                let code = outcome.document.text.split(separator: "\"code\":\"").last?
                    .prefix { $0 != "\"" }
                refused["\(name) \(code ?? "")", default: 0] += 1
            }
        }
        let seconds = try Measure.seconds {
            try submit(traffic.preparation())
            while try journal.head().position.number < UInt64(events) {
                try submit((0..<min(8192, events / 8)).map { _ in traffic.next() })
            }
            try submit(traffic.end())
        }
        return (commands, seconds, refused)
    }

    /// Copies a journal's history into a new one until it is enough, of events or of whole copies.
    static func copy(
        _ source: String, to path: String, batch: Int, prefix: String = prefix,
        isEnough: (_ events: Int, _ copies: Int) -> Bool
    ) throws -> (events: Int, seconds: Double) {
        try Journal.create(at: path)
        let journal = try Journal(at: path)
        let copier = HistoryCopier(
            try SourceHistory(Journal(at: source)), prefix: prefix, for: journal)
        var count = 0
        let seconds = try Measure.seconds {
            while !isEnough(count, copier.finishedCopies) {
                count = Int(try journal.append(copier.nextBatch(batch)).number)
            }
        }
        return (count, seconds)
    }

    /// `--make-journal PATH --events N`: a term, and copies of it until there are so many events, or so
    /// many whole copies (`--copies N`). The term stays beside it, as PATH.term.
    static func make(at path: String, _ options: Options) throws {
        let term = path + ".term"
        let played = try playTerm(at: term, events: options.term)
        let names = played.refused.sorted { $0.value > $1.value }.map { "\($0.key) \($0.value)" }
        Measure.say(
            "a term: \(played.commands) commands in \(Results.number(played.seconds)) s, refused: "
                + (names.isEmpty ? "none" : names.joined(separator: ", ")))
        let copied = try copy(term, to: path, batch: options.batch) { events, copies in
            options.copies.map { copies >= $0 } ?? (events >= options.events)
        }
        Measure.say(
            "\(copied.events) events in \(Results.number(copied.seconds)) s: "
                + "\(Results.number(Double(copied.events) / copied.seconds)) events/s")
    }
}
