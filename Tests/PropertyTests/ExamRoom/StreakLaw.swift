import Core
import ExamRoomEvents
import TestSupport
import Testing

/// Streaks by a calendar of its own (R28, R30).
enum StreakLaw {
    /// Days since 1970, counted month by month.
    static func day(_ date: String) -> Int {
        let parts = date.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3 else { return .min }
        let isLeap = { (year: Int) in year % 4 == 0 && year % 100 != 0 || year % 400 == 0 }
        var days = (1970..<parts[0]).map { isLeap($0) ? 366 : 365 }.reduce(0, +)
        let lengths = [31, isLeap(parts[0]) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        days += lengths.prefix(parts[1] - 1).reduce(0, +)
        return days + parts[2] - 1
    }

    /// The dates of the student's completed, counting attempts that were not imported.
    static func dates(of student: String, in book: AttemptBook) -> Set<String> {
        Set(
            book.counting(of: student).filter { $0.isCompleted && !$0.isImported }
                .compactMap { $0.closing?.text("localDate") })
    }

    /// The days of the run that ends at a day, that day included.
    private static func run(endingAt day: Int, _ days: Set<Int>) -> Int {
        var length = 0
        while days.contains(day - length) { length += 1 }
        return length
    }

    static func broken(by room: LivedRoom) throws -> String? {
        var book = AttemptBook()
        var zones = ZoneBook()
        for event in room.events {
            book.take(event)
            zones.take(event)
            if let problem = badge(event, book) { return "\(problem): \(event.text)" }
        }
        let last = room.events.last?.at ?? .epoch
        let moments = [-86_400, 0, 40_000, 86_400, 129_600, 172_800, 259_200]
        for now in moments.map({ last + Int64($0) }) {
            let everyone = try room.show("gamification", nil, ["page": "all"], now: now)
            for row in everyone["students"]?.array ?? [] {
                let student = row["student"]?.string ?? ""
                guard let zone = zones.zone(of: student) else { continue }
                let days = Set(dates(of: student, in: book).map { day($0) })
                let today = day("\(zone.localDate(at: now))")
                let latest = days.max() ?? .min
                let current = latest >= today - 1 ? run(endingAt: latest, days) : 0
                let longest = days.map { run(endingAt: $0, days) }.max() ?? 0
                let view = try room.show("achievements", student, now: now)
                let shown = [row["currentStreak"], view["currentStreak"], view["longestStreak"]]
                if shown.map({ $0?.wholeNumber }) != [current, current, longest].map(Int64.init) {
                    return """
                        \(student) at \(now): shown \(shown.map { $0?.description ?? "" }), by the \
                        calendar \(current) and \(longest) of \(days.sorted())
                        """
                }
            }
        }
        return nil
    }

    /// A streak badge stands on the longest run there was, the earliest of equal ones.
    private static func badge(_ event: PastFact, _ book: AttemptBook) -> String? {
        guard event.type == "examroom.badge.earned", event.text("badge").hasPrefix("streak-")
        else { return nil }
        let dates = Dictionary(
            uniqueKeysWithValues: dates(of: event.text("student"), in: book).map { (day($0), $0) })
        let days = Set(dates.keys)
        let longest = days.map { run(endingAt: $0, days) }.max() ?? 0
        let end = days.filter { run(endingAt: $0, days) == longest }.min() ?? 0
        let basis = JSON.object(of: [
            ("days", .integer(Int64(longest))), ("to", .string(dates[end] ?? "")),
            ("from", .string(dates[end - longest + 1] ?? "")),
        ])
        if event.data["basis"] != basis { return "the longest run is \(basis)" }
        let wanted = Int(event.text("badge").dropFirst("streak-".count)) ?? .max
        return longest >= wanted ? nil : "a streak of \(longest) days"
    }
}

@Suite struct `Streaks` {
    @Test("R28, R30: are those of a calendar over the dates of closing", arguments: Life.some)
    func areThoseOfACalendar(life: Life) {
        life.expect { try StreakLaw.broken(by: $0) }
    }

    @Test(
        "R30: are counted in the calendar's days",
        arguments: [("1970-01-01", 0), ("2000-03-01", 11_017), ("2026-02-02", 20_486)])
    func calendar(date: String, days: Int) {
        #expect(StreakLaw.day(date) == days)
    }
}
