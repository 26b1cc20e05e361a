import Commands
import LearnableCommands
import Core
import LearnableEvents
import Folding
import LearnableFacts
import TestSupport
import Testing

/// Streaks by a calendar of its own (R32-R35): days counted second by second where it matters.
enum StudyLaw {
    static func streaks(_ life: LearnedLife) throws -> String? {
        var policy = AdoptedLevels()
        var studied: [String: [Int: Int]] = [:]
        var completed: [String: [(day: Int, streak: Int)]] = [:]
        var longest: [String: Int] = [:]
        var gone: Set<String> = []
        for event in life.events {
            policy.take(event)
            switch event.type {
            case "learnable.study.recorded":
                for share in event.data["days"]?.array ?? [] {
                    let day = LocalDate(text: share["day"]?.string ?? "").map { Int($0.days) } ?? 0
                    let seconds = Int(share["seconds"]?.wholeNumber ?? 0)
                    studied[event.student, default: [:]][day, default: 0] += seconds
                }
            case "learnable.student.started-over":
                studied[event.student] = nil
                completed[event.student] = nil
                longest[event.student] = nil
            case "account.erased": gone.insert(event.thing)
            case "learnable.quiz.completed" where event.text("kind") == "daily":
                let before = completed[event.student] ?? []
                let day = event.day("day")
                let streak = event.number("streak")
                if let last = before.last {
                    let latest = before.map(\.day).max() ?? 0
                    let allowed: Set<Int> =
                        day <= latest
                        ? [last.streak]
                        : day == latest + 1
                            ? [last.streak + 1]
                            : policy.words["streak.quizIdleDays"] == "break"
                                ? [1] : [1, last.streak + 1]
                    if !allowed.contains(streak) { return "not one of \(allowed): \(event.text)" }
                } else if streak != 1 {
                    return "the first is one: \(event.text)"
                }
                completed[event.student, default: []].append((day, streak))
                longest[event.student] = max(longest[event.student] ?? 0, streak)
            default: break
            }
        }
        let last = life.events.last?.at ?? .epoch
        for student in ["S-1", "S-2"] where !gone.contains(student) {
            for hours in [0, 7, 13, 24, 31, 48, 72] {
                let now = last + Int64(hours) * 3600
                let shown = try life.show("achievements", student, now: now)
                guard let text = shown["today"]?.string, let today = LocalDate(text: text) else {
                    continue
                }
                let days = Set(
                    (studied[student] ?? [:]).filter { $0.value >= policy["streak.studySeconds"] }
                        .keys)
                let wanted = present(Int(today.days), days)
                let streak = shown["studyStreak"]
                let most = days.map { run(endingAt: $0, days) }.max() ?? 0
                if streak?["present"]?.wholeNumber != Int64(wanted)
                    || streak?["longest"]?.wholeNumber != Int64(most)
                    || shown["quizStreak"]?["longest"]?.wholeNumber
                        != Int64(longest[student] ?? 0)
                {
                    return
                        "\(student) at \(now): shown \(shown), by the calendar \(wanted), \(most)"
                }
            }
        }
        return nil
    }

    private static func present(_ today: Int, _ days: Set<Int>) -> Int {
        days.contains(today) ? run(endingAt: today, days) : run(endingAt: today - 1, days)
    }

    private static func run(endingAt day: Int, _ days: Set<Int>) -> Int {
        var length = 0
        while days.contains(day - length) { length += 1 }
        return length
    }
}

@Suite struct `Study and streaks` {
    @Test("R32, R33, R34: agree with a calendar", arguments: LearnedLife.seeds)
    func streaks(seed: UInt64) { LearnedLife.expect(seed) { try StudyLaw.streaks($0) } }

    @Test(
        "R1, R2, R35: a span is cut where the date changes, in every zone",
        arguments: TimeZones.names)
    func shares(name: String) throws {
        let zone = try #require(TimeZones.zone(named: name))
        // Around the changes of clocks of a year, on both halves of the globe.
        for month in 1...12 {
            let start = Instant("2026-\(month < 10 ? "0" : "")\(month)-01T09:30:00Z")
            for step in 0..<4 {
                let from = start + Int64(step) * 7 * 86_400
                let to = from + 3 * 86_400 + 1800
                // Minute by minute: no date begins within one.
                var wanted: [(day: LocalDate, seconds: Int)] = []
                var moment = from
                while moment < to {
                    let day = zone.localDate(at: moment)
                    if wanted.last?.day == day {
                        wanted[wanted.count - 1].seconds += 900
                    } else {
                        wanted.append((day, 900))
                    }
                    moment += 900
                }
                let found = zone.shares(of: from, to).map { "\($0.day) \($0.seconds)" }
                #expect(found == wanted.map { "\($0.day) \($0.seconds)" }, "\(name) from \(from)")
            }
        }
    }

    @Test("R2: a local time that is skipped is the end of the gap, one that comes twice the first")
    func gaps() throws {
        let zone = try #require(TimeZones.zone(named: "Europe/Berlin"))
        let spring = try #require(LocalDate(text: "2026-03-29"))
        let autumn = try #require(LocalDate(text: "2026-10-25"))
        #expect(zone.localInstant(of: spring, secondOfDay: 9000) == Instant("2026-03-29T01:00:00Z"))
        #expect(zone.localInstant(of: autumn, secondOfDay: 9000) == Instant("2026-10-25T00:30:00Z"))
        #expect(zone.localInstant(of: spring) == Instant("2026-03-28T23:00:00Z"))
        // Midnight itself is skipped there.
        let santiago = try #require(TimeZones.zone(named: "America/Santiago"))
        let day = try #require(LocalDate(text: "2026-09-06"))
        #expect(santiago.localInstant(of: day) == Instant("2026-09-06T04:00:00Z"))
    }
    @Test("R2, R35: a day that has begun goes on when clocks go back over its midnight")
    func midnightTwice() throws {
        // At 00:01 of the 30th clocks showed 23:01 of the 29th once more.
        let zone = try #require(TimeZones.zone(named: "America/St_Johns"))
        func shares(_ from: String, _ to: String) -> [String] {
            zone.shares(of: Instant(from), Instant(to)).map { "\($0.day) \($0.seconds)" }
        }
        #expect(
            shares("2005-10-30T02:00:00Z", "2005-10-30T04:00:00Z")
                == ["2005-10-29 1800", "2005-10-30 5400"])
        #expect(
            shares("2005-10-30T02:40:00Z", "2005-10-31T04:30:00Z")
                == ["2005-10-30 89400", "2005-10-31 3600"])
    }
}
