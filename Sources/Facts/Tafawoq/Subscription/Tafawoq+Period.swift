package import Core
import Folding
import TafawoqEvents

extension Instant {
    /// The instant a number of calendar months later in UTC, the day cut to the month's last (R14).
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
