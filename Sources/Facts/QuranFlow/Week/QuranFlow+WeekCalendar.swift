package import Core
import Folding
package import QuranFlowEvents

extension QuranFlow {
    /// When the weeks start: 00:00 on `startsOn` + 7·i days in the zone, for i from 0 to `weeks` (R4). A
    /// midnight that a clock change skips is read with the offset before it; of one that occurs twice the
    /// earlier is meant.
    package static func weekStarts(
        from startsOn: LocalDate, weeks: Int, in zone: TimeZoneRules
    ) -> [Instant] {
        (0...weeks).map { zone.instant(of: startsOn.adding(days: 7 * $0)) }
    }

    /// The current week: 0 before the first, n inside week n, the last one afterwards (R5).
    package static func currentWeek(_ starts: [Instant], at instant: Instant) -> Int {
        // The number of starts that are not after the instant.
        var low = 0
        var high = starts.count
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= instant { low = middle + 1 } else { high = middle }
        }
        return max(0, min(low, starts.count - 1))
    }

    /// Reads a zone's name as recorded.
    package static func zone(_ name: InternedText, _ names: Names) -> TimeZoneRules {
        TimeZones.zone(named: names.text(name)) ?? .utc
    }
}

extension QuranFlow.EnrollmentRow {
    /// The current week, 0 before the first (R5).
    package func currentWeek(at instant: Instant) -> Int {
        QuranFlow.currentWeek(weekStarts, at: instant)
    }

    package var weeks: Int { weekStarts.count - 1 }

    package func isWeek(_ week: Int) -> Bool { week >= 1 && week <= weeks }

    /// A week is unlocked from its start on (R5).
    package func isUnlocked(_ week: Int, at instant: Instant) -> Bool {
        isWeek(week) && weekStarts[week - 1] <= instant
    }

    /// A week is over from the start of the next one on (R5).
    package func isOver(_ week: Int, at instant: Instant) -> Bool {
        isWeek(week) && weekStarts[week] <= instant
    }

    /// The deadline of a week: a minute before the next one (R5).
    package func dueAt(_ week: Int) -> Instant { weekStarts[min(max(week, 0), weeks)] - 60 }
}
