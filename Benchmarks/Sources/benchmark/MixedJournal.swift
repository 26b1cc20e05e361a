import Products
import Engine
import EventLog
import Core

/// Large journals of mixed events, quickly: a busy term through the engine, command by command, then
/// copies of it appended to a journal of their own (`HistoryCopier`).
struct MixedJournal {
    /// Events of the term that is copied.
    static let termEvents = 200_000
    static let prefix = "L"

    /// Plays a term of about so many events of all products into a new journal.
    static func playTerm(at path: String, events: Int) throws -> Played {
        try EventEngine.create(at: path, isSimulated: true)
        let engine = try EventEngine(at: path)
        var campus = Campus(prefix: prefix, events: events)
        var played = Played()
        played.seconds = try Measure.seconds {
            try campus.play { lines in
                let outcomes = try engine.submit(lines)
                played.note(outcomes, of: lines)
                return outcomes
            }
        }
        return played
    }

    /// Plays a hall's sittings, of about so many events, into a new journal.
    static func playHall(at path: String, events: Int, students: Int, exams: Int) throws -> Played {
        try EventEngine.create(at: path, isSimulated: true)
        let engine = try EventEngine(at: path)
        let journal = try Journal(at: path)
        var traffic = ExamTraffic(
            prefix: prefix, students: students, exams: exams, desks: 16, seed: 7, hasClock: true)
        var played = Played()
        func submit(_ lines: [[UInt8]]) throws {
            played.note(try engine.submit(lines), of: lines)
        }
        played.seconds = try Measure.seconds {
            try submit(traffic.preparation())
            while try journal.head().position.number < UInt64(events) {
                try submit((0..<min(8192, events / 8)).map { _ in traffic.next() })
            }
            try submit(traffic.end())
        }
        return played
    }

    struct Played {
        var commands = 0
        var seconds = 0.0
        var refused = Refusals()

        mutating func note(_ outcomes: [Outcome], of lines: [[UInt8]]) {
            commands += lines.count
            refused.note(outcomes, of: lines)
        }
    }

    /// Copies a journal's history into a new one until it is enough, of events or of whole copies.
    static func copy(
        _ source: String, to path: String, batch: Int,
        isEnough: (_ events: Int, _ copies: Int) -> Bool
    ) throws -> (events: Int, seconds: Double) {
        // Terms are played, and the hall goes on from them, at instants that are still to come.
        try Journal.create(at: path, lead: .unbounded)
        let journal = try Journal(at: path)
        let copier = try HistoryCopier(
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
        Measure.say(
            "a term: \(played.commands) commands in \(Results.number(played.seconds)) s, refused: "
                + played.refused.text)
        let copied = try copy(term, to: path, batch: options.batch) { events, copies in
            options.copies.map { copies >= $0 } ?? (events >= options.events)
        }
        Measure.say(
            "\(copied.events) events in \(Results.number(copied.seconds)) s: "
                + "\(Results.number(Double(copied.events) / copied.seconds)) events/s")
    }
}
