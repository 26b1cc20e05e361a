package import Core
import Folding
package import TafawoqEvents

extension Tafawoq {
    /// The seconds of a day: none has more or fewer (R1).
    package static let day: Int64 = 86_400

    /// So many days in seconds.
    package static func days(_ count: Int) -> Int64 { Int64(count).multipliedClamping(day) }

    /// R22: from a start, included, to seven days later, excluded.
    package struct Week: Hashable {
        package let start: Instant

        package var end: Instant { start + 7 * Tafawoq.day }

        package func contains(_ instant: Instant) -> Bool { start <= instant && instant < end }
    }
}

extension Tafawoq.State {
    /// R22: the week of an instant, by the values in force.
    package func week(of instant: Instant) -> Tafawoq.Week {
        let offset = Int64(policy.weekUtcOffsetMinutes.value) * 60
        let local = instant + offset
        let date = local.utcDate
        let passed = (date.weekday.number - policy.weekStartsOn.number + 7) % 7
        let first = date.adding(days: -passed)
        return Tafawoq.Week(start: Instant(seconds: Int64(first.days) * Tafawoq.day - offset))
    }
}

extension Instant {
    /// R1: whole seconds of a difference are rounded down.
    package func wholeSeconds(since earlier: Instant) -> Int {
        let difference = milliseconds(since: earlier)
        let quotient = difference / 1000
        return Int(difference % 1000 < 0 ? quotient - 1 : quotient)
    }

    /// R14: so many calendar months later in UTC, the day cut to the month's last.
    package func adding(months: Int) -> Instant {
        let date = utcDate
        let since = milliseconds(since: Instant(seconds: Int64(date.days) * Tafawoq.day))
        let month = date.year * 12 + date.month - 1 + months
        let next = LocalDate(firstOfMonth: month)
        let length = LocalDate(firstOfMonth: month + 1).days(since: next)
        let day = next.adding(days: min(date.day, length) - 1)
        return Instant(seconds: Int64(day.days) * Tafawoq.day).adding(milliseconds: since)
    }
}
