package import Core
import Folding
package import TafawoqEvents

extension Tafawoq {
    /// A week of exams: from its start, included, to seven days later, excluded (R22).
    package struct Week: Hashable {
        package let start: Instant

        package var end: Instant { start + 7 * Tafawoq.day }

        package func contains(_ instant: Instant) -> Bool { start <= instant && instant < end }
    }
}

extension Tafawoq.State {
    /// The seven days in which exams count at an instant: its week, or those that end with it (R22, R23).
    package func limitWindow(at instant: Instant) -> Tafawoq.Week {
        switch policy.limitWindow {
        case .calendarWeek: week(of: instant)
        // An exam of exactly seven days ago counts no more, one of this very instant does.
        case .rollingDays:
            Tafawoq.Week(start: (instant - 7 * Tafawoq.day).adding(milliseconds: 1))
        }
    }

    /// The week of an instant, by the values in force (R22).
    package func week(of instant: Instant) -> Tafawoq.Week {
        let offset = Int64(policy.weekUtcOffsetMinutes.value) * 60
        let local = instant + offset
        let date = local.utcDate
        let passed = (date.weekday.number - policy.weekStartsOn.number + 7) % 7
        let first = date.adding(days: -passed)
        return Tafawoq.Week(start: Instant(seconds: Int64(first.days) * Tafawoq.day - offset))
    }
}
