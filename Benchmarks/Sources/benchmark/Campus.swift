import Engine
import EventLog
import Core
import ExamRoomEvents
import QuranFlowEvents
import LearnableEvents
import TafawoqEvents

/// A term of all four products in one journal: each gives about a quarter of the events, told in the order of
/// the instants as they would come to one engine.
///
/// An ExamRoom that opens on fifteen days, a QuranFlow semester, a quarter of Tafawoq, Learnable's pools with
/// daily quizzes. The same number of events gives the same commands.
struct Campus {
    /// Milliseconds of history that are told together, or more of them while there are few lines.
    private static let window: Int64 = 43_200_000
    private static let day: Int64 = 86_400_000
    private static let linesAtOnce = 8192
    private static let quizRounds = 6

    private var windows: [Int64: [TimedLine]] = [:]
    private var pools: PoolTraffic
    private let people: Int

    init(prefix: String, events: Int) {
        let share = events / 4
        people = max(1, share / 258)
        pools = PoolTraffic(people: people, questions: 50, prefix: "\(prefix)-")
        rooms(prefix, share)
        var semester = SemesterTraffic(students: max(4, share / 238), prefix: "\(prefix)-")
        while let lines = semester.next() { for line in lines { add(line) } }
        for line in TafawoqTraffic(prefix: prefix, students: max(1, share / 400)).lines {
            add(line)
        }
        learn()
        // Lines of one instant stay in the order in which they were made.
        for key in windows.keys { sort(key) }
    }

    private mutating func add(_ line: TimedLine) {
        windows[line.at / Self.window, default: []].append(line)
    }

    private mutating func sort(_ key: Int64) {
        let lines = windows[key] ?? []
        windows[key] = lines.enumerated()
            .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
    }

    // MARK: The products

    /// Exams on a day a week, as many commands on each.
    private mutating func rooms(_ prefix: String, _ count: Int) {
        var traffic = ExamTraffic(
            prefix: prefix, students: max(50, count / 80), exams: max(2, count / 4000), desks: 16,
            seed: 7, hasClock: true, isMixed: true)
        func take(_ lines: [[UInt8]], endingAt end: Int64) {
            let first = end - Int64(lines.count - 1)
            for (index, line) in lines.enumerated() {
                add(TimedLine(at: first + Int64(index), line: line))
            }
        }
        take(traffic.preparation(), endingAt: traffic.instant)
        let days = SemesterTraffic.weeks
        let start = traffic.instant
        for number in 0..<days {
            traffic.reopen(at: start + Int64(number * 7 + 1) * Self.day)
            for _ in 0..<(count / days) {
                add(TimedLine(at: traffic.instant, line: traffic.next()))
            }
        }
        take(traffic.end(), endingAt: traffic.instant)
    }

    /// People come on one day after another of the first month; quizzes are asked for in the morning.
    private mutating func learn() {
        let start = pools.instant
        add(TimedLine(at: start, line: pools.policy()))
        for person in 0..<people {
            let came = start + Int64(person % 28) * Self.day + Int64(person) * 1000
            pools.wait(until: came)
            for line in pools.filling(person) { add(TimedLine(at: pools.instant, line: line)) }
        }
        for round in 0..<Self.quizRounds {
            for person in 0..<people {
                let came = start + Int64(person % 28 + (round + 1) * 10) * Self.day
                pools.wait(until: came + Int64(person) * 1000)
                let lines = pools.opening(person, round: round)
                for (index, line) in lines.enumerated() {
                    var timed = TimedLine(at: pools.instant, line: line)
                    if index == lines.count - 1 { timed.quiz = (person, round) }
                    add(timed)
                }
            }
        }
    }

    // MARK: Telling

    /// Tells an engine everything; `tell` gives what it answered.
    mutating func play(_ tell: ([[UInt8]]) throws -> [Outcome]) throws {
        while let first = windows.keys.min() {
            var batch: [TimedLine] = []
            var next = first
            repeat {
                batch += windows.removeValue(forKey: next) ?? []
                next += 1
            } while batch.count < Self.linesAtOnce && !windows.isEmpty
                && !batch.contains { $0.quiz != nil }
            try answer(zip(batch, tell(batch.map(\.line))))
        }
    }

    /// What a quiz asks is answered in the next window.
    private mutating func answer(_ told: some Sequence<(TimedLine, Outcome)>) throws {
        var touched: Set<Int64> = []
        for (line, outcome) in told {
            guard let quiz = line.quiz else { continue }
            let next = (line.at / Self.window + 1) * Self.window
            pools.wait(until: next + Int64(quiz.person) * 1000)
            let asked = try PoolTraffic.questions(ofQuiz: outcome)
            for line in pools.answers(quiz.person, round: quiz.round, of: asked) {
                add(TimedLine(at: pools.instant, line: line))
            }
            touched.insert(pools.instant / Self.window)
        }
        for key in touched { sort(key) }
    }
}
