import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Formats times for one person: in their display zone, at the moment they ask (R35).
    struct Formatter {
        let zone: String
        let now: Instant
        fileprivate let rules: TimeZoneRules

        init(zone: String, now: Instant) {
            self.zone = zone
            self.now = now
            rules = TimeZones.zone(named: zone) ?? .utc
        }

        /// Coaches' times print in UTC.
        static func staff(at now: Instant) -> Formatter { Formatter(zone: "UTC", now: now) }

        func date(of instant: Instant) -> LocalDate { rules.localDate(at: instant) }

        var today: LocalDate { date(of: now) }

        /// 00:00 of a date on this clock.
        func start(of date: LocalDate) -> Instant { rules.instant(of: date) }

        // MARK: Texts

        /// `January 17, 2026`
        static func text(_ date: LocalDate) -> String {
            "\(months[date.month - 1]) \(date.day), \(date.year)"
        }

        func dateText(of instant: Instant) -> String { Self.text(date(of: instant)) }

        /// `January 17, 2026 -- Saturday`: a start that stands alone.
        func dateAndWeekday(of instant: Instant) -> String {
            let date = date(of: instant)
            let weekday = date.weekday.rawValue
            return "\(Self.text(date)) -- \(weekday.prefix(1).uppercased())\(weekday.dropFirst())"
        }

        /// `January 20, 2026, 19:00 (UTC-05:00)`
        func moment(of instant: Instant) -> String {
            "\(dateText(of: instant)), \(clock(at: instant)) (UTC\(offset(at: instant)))"
        }

        /// The time since an instant: `2 hours ago` (R35).
        func relative(_ instant: Instant) -> String {
            let seconds = now.milliseconds(since: instant) / 1000
            if seconds < 60 { return "just now" }
            if seconds < 3600 { return "\(count(Int(seconds / 60), "minute")) ago" }
            if seconds < 86_400 { return "\(count(Int(seconds / 3600), "hour")) ago" }
            return "\(count(Int(seconds / 86_400), "day")) ago"
        }

        /// The last whole day on which something is open that closes at an instant, by a zone's calendar: a
        /// date that is named is included to its end (R35).
        static func lastDay(before end: Instant, in zone: TimeZoneRules) -> String {
            text(zone.localDate(at: end).adding(days: -1))
        }

        /// The countdown to an instant: `6 days` (R8).
        func countdown(to instant: Instant, _ policy: Policy) -> String {
            switch policy.countdown {
            case .wholeDays: Self.days(wholeDays(until: instant))
            case .calendarDays: calendarCountdown(to: instant)
            }
        }

        /// The countdown by the calendar's dates alone: to the start of a semester (R8).
        func calendarCountdown(to instant: Instant) -> String {
            Self.days(date(of: instant).days(since: today))
        }

        /// The days that pass in full before an instant, by the wall clock: six at a week's start, since the
        /// seventh is the day on which it comes.
        private func wholeDays(until instant: Instant) -> Int {
            let days = date(of: instant).days(since: today)
            return milliseconds(ofDay: instant) > milliseconds(ofDay: now) ? days : days - 1
        }

        private func milliseconds(ofDay instant: Instant) -> Int64 {
            let rest = instant.milliseconds % 1000
            return Int64(rules.secondOfDay(at: instant)) * 1000 + (rest < 0 ? rest + 1000 : rest)
        }

        private static func days(_ days: Int) -> String {
            days <= 0 ? "less than a day" : count(days, "day")
        }

        // MARK: Time objects

        func clock(at instant: Instant) -> String {
            let minute = Int(rules.secondOfDay(at: instant)) / 60
            return "\(Self.twoDigits(minute / 60)):\(Self.twoDigits(minute % 60))"
        }

        private func offset(at instant: Instant) -> String {
            let seconds = Int(rules.offsetSeconds(at: instant))
            let minutes = abs(seconds) / 60
            return (seconds < 0 ? "-" : "+")
                + "\(Self.twoDigits(minutes / 60)):\(Self.twoDigits(minutes % 60))"
        }

        private static func twoDigits(_ number: Int) -> String {
            number < 10 ? "0\(number)" : String(number)
        }

        private static let months = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September",
            "October", "November", "December",
        ]

        /// `4:32`, from an hour on `1:04:32`.
        static func duration(_ seconds: Int) -> String {
            let (hours, minutes) = (seconds / 3600, seconds % 3600 / 60)
            let rest = twoDigits(seconds % 60)
            return hours > 0 ? "\(hours):\(twoDigits(minutes)):\(rest)" : "\(minutes):\(rest)"
        }
    }

    /// A passage's reference: `Surah Al-Mulk, Ayahs 1-5` (R35).
    static func reference(_ passage: Passage) -> String {
        passage.from == passage.to
            ? "Surah \(passage.surah), Ayah \(passage.from)"
            : "Surah \(passage.surah), Ayahs \(passage.from)-\(passage.to)"
    }

    /// A week's title: with its topic, once that is published.
    static func title(week: Int, topic: String?) -> String {
        topic.map { "Week \(week): \($0)" } ?? "Week \(week)"
    }
}

/// A number with what it counts: singular for 1.
func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(plural(noun, number))"
}

/// A noun as it reads after a number.
func plural(_ noun: String, _ number: Int) -> String {
    if number == 1 { return noun }
    return noun.hasSuffix("s") ? noun + "es" : noun + "s"
}

extension JSONOutput {
    /// A time object (C4: never without its zone); null for none.
    mutating func time(_ name: String, _ instant: Instant?, _ formatter: QuranFlow.Formatter) {
        guard let instant else { return member(name, Instant?.none) }
        let wall = formatter.rules.wall(at: instant)
        object(name) { output in
            output.member("at", instant)
            output.json.key("local")
            output.json.localTime(wall.date, minuteOfDay: wall.secondOfDay / 60)
            output.json.key("offset")
            output.json.zoneOffset(seconds: wall.offsetSeconds)
            output.member("zone", formatter.zone)
        }
    }

    mutating func null(_ name: String) { member(name, String?.none) }
}
