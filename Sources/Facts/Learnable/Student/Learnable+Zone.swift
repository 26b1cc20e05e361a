package import Core
import Folding
package import LearnableEvents

extension Learnable.State {
    /// The rules of the student's time zone in force (R1).
    package func zone(of student: Learnable.StudentID) -> TimeZoneRules {
        students.read(student) { $0.zone }?.rules(names) ?? .utc
    }

    /// The calendar date of an instant in the student's zone in force, none before the day on which they moved
    /// there (R1).
    package func day(of student: Learnable.StudentID, at instant: Instant) -> LocalDate {
        let date = zone(of: student).localDate(at: instant)
        guard let movedOn = students.read(student, { $0.movedOn }) ?? nil else { return date }
        return max(date, movedOn)
    }
}

extension TimeZoneRules {
    /// The instant of a local time: of two the earlier; if there is none, the instant at which the gap
    /// ends (R2).
    package func localInstant(of date: LocalDate, secondOfDay: Int32 = 0) -> Instant {
        let found = instant(of: date, secondOfDay: secondOfDay)
        let wanted = Int64(date.days) * 86_400 + Int64(secondOfDay)
        let shown = found.seconds + Int64(offsetSeconds(at: found))
        guard shown != wanted else { return found }
        // In a gap: between these two the clock jumps over the wanted time.
        var low = found.seconds - 172_800
        var high = found.seconds + 172_800
        while high - low > 1 {
            let middle = low + (high - low) / 2
            let time = middle + Int64(offsetSeconds(at: Instant(seconds: middle)))
            if time < wanted { low = middle } else { high = middle }
        }
        return Instant(seconds: high)
    }
}
