package import Core
import Folding
package import QuranFlowEvents

extension QuranFlow {
    /// R4: 00:00 on `startsOn` + 7·i days in the zone, for i from 0 to `weeks`. A midnight that a clock
    /// change skips is read with the offset before it; of one that occurs twice the earlier is meant.
    package static func weekStarts(
        from startsOn: LocalDate, weeks: Int, in zone: TimeZoneRules
    ) -> [Instant] {
        (0...weeks).map { zone.instant(of: startsOn.adding(days: 7 * $0)) }
    }

    /// R5: 0 before the first week, n inside week n, the last one afterwards.
    package static func currentWeek(_ starts: [Instant], at instant: Instant) -> Int {
        // The number of starts that are not after the instant.
        var low = 0
        var high = starts.count
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= instant { low = middle + 1 } else { high = middle }
        }
        return min(low, starts.count - 1)
    }

    /// Reads a zone's name as recorded.
    package static func zone(_ name: Word, _ names: Names) -> TimeZoneRules {
        TimeZones.zone(named: names.text(name)) ?? .utc
    }

    /// R17: the programme week around an instant: from the latest 00:00 on the weekday that is not after
    /// it to the next one.
    package static func programmeWeek(
        around instant: Instant, weekday: Weekday, in zone: TimeZoneRules
    ) -> Range<Instant> {
        // A day more, since of a midnight that occurs twice the earlier counts.
        let last = zone.localDate(at: instant).adding(days: 1)
        for back in 0...8 {
            let date = last.adding(days: -back)
            guard date.weekday == weekday else { continue }
            let start = zone.instant(of: date)
            let end = zone.instant(of: date.adding(days: 7))
            if start <= instant, start < end { return start..<end }
        }
        return instant..<instant + 1
    }

    /// R20: the end of the `count`-th business day after the date, which does not count itself.
    package static func businessDay(
        _ count: Int, after date: LocalDate, among days: [Weekday]
    ) -> LocalDate {
        var date = date
        var left = count
        while left > 0 {
            date = date.adding(days: 1)
            if days.contains(date.weekday) || days.isEmpty { left -= 1 }
        }
        return date
    }
}

/// The state of a submission limit at an instant (R17).
package struct SubmissionAllowance: Hashable, Sendable {
    package let used: Int
    package let limit: Int
    package let periodStartsAt: Instant
    /// Only when nothing remains.
    package let nextAttemptAt: Instant?

    package var remaining: Int { max(0, limit - used) }
}

extension QuranFlow.EnrollmentRow {
    /// R17: what may still be submitted in the period of the instant, all weeks together.
    package func allowance(
        at instant: Instant, _ policy: QuranFlow.Policy, _ names: Names
    ) -> SubmissionAllowance {
        let limit = policy.submissionsPerPeriod
        switch policy.submissionPeriod {
        case .programmeWeek:
            let week = QuranFlow.programmeWeek(
                around: instant, weekday: policy.unlockWeekday, in: QuranFlow.zone(weekZone, names))
            let used = submissions.count { week.contains($0) }
            return SubmissionAllowance(
                used: used, limit: limit, periodStartsAt: week.lowerBound,
                nextAttemptAt: used < limit ? nil : week.upperBound)
        case .rolling:
            let length = Int64(policy.submissionPeriodDays) * 86_400
            let start = instant - length
            let counted = submissions.filter { $0 > start }.sorted()
            return SubmissionAllowance(
                used: counted.count, limit: limit, periodStartsAt: start,
                nextAttemptAt: counted.count < limit ? nil : counted[counted.count - limit] + length
            )
        }
    }

    /// R5, 0 before the first week.
    package func currentWeek(at instant: Instant) -> Int {
        QuranFlow.currentWeek(weekStarts, at: instant)
    }

    package var weeks: Int { weekStarts.count - 1 }

    package func isWeek(_ week: Int) -> Bool { week >= 1 && week <= weeks }

    /// R5: from its start on.
    package func isUnlocked(_ week: Int, at instant: Instant) -> Bool {
        isWeek(week) && weekStarts[week - 1] <= instant
    }

    /// R5: from the start of the next one on.
    package func isOver(_ week: Int, at instant: Instant) -> Bool {
        isWeek(week) && weekStarts[week] <= instant
    }

    /// R5: the minute before the next week.
    package func dueAt(_ week: Int) -> Instant { weekStarts[min(max(week, 0), weeks)] - 60 }

    /// R22.
    package var closing: Instant { max(closesAt, retakeUntil ?? closesAt) }

    /// R16.
    package var completedWeeks: Int {
        weekRows.count { countsWhen == .submitted ? !$0.recordings.isEmpty : $0.withFeedback > 0 }
    }

    /// R16: both hold, and the EOC is not yet unlocked.
    package func unlocksEOC(at instant: Instant) -> Bool {
        isActive && !isEOCUnlocked && instant >= eocOpensAt && completedWeeks >= requiredSubmissions
    }

    /// R19: the weeks that are counted, ascending. An active enrolment's student is not in Advanced.
    package func weeksBehind(at instant: Instant) -> [Int] {
        guard isActive, firstWeek <= weeks else { return [] }
        return (firstWeek...weeks).filter {
            isOver($0, at: instant) && weekRows[$0 - 1].recordings.isEmpty
        }
    }

    /// R31: the lowest week counted by R19, else the lowest unlocked week without a recording, else the
    /// current one.
    package func oldestGap(at instant: Instant) -> Int {
        if let first = weeksBehind(at: instant).first { return first }
        let current = max(1, currentWeek(at: instant))
        return (1...max(1, weeks)).first {
            isUnlocked($0, at: instant) && weekRows[$0 - 1].recordings.isEmpty
        } ?? current
    }
}

extension QuranFlow.Policy {
    /// R23: 00:00 UTC of the day from which graduates may enrol in Advanced; nil for at once.
    package var advancedOpensAt: Instant? {
        advancedEnrollmentOpensOn.map { TimeZoneRules.utc.instant(of: $0) }
    }
}
