/// The time zones of the IANA data base, built into the program: what a day was must not depend
/// on which machine asks, nor on when its system was last updated.
public enum TimeZones: Sendable {
    /// The zone of this exact name (`Asia/Riyadh`, `UTC`, old names such as `Asia/Calcutta`);
    /// nil if there is none. Names are compared byte for byte.
    public static func zone(named name: String) -> TimeZoneRules? {
        if name.isExactly("UTC") { return .utc }
        // A dictionary compares normal forms: U+212A, a Kelvin sign, would pass for a K.
        guard name.utf8.allSatisfy({ $0 < 0x80 }), let index = table.indices[name] else {
            return nil
        }
        return table.zones[index]
    }

    /// All names, links included, sorted by code point.
    public static var names: [String] {
        table.indices.keys.sorted { $0.precedes($1) }
    }

    /// The version of the IANA data, such as `2026f`.
    public static var version: String { TimeZoneTable.version }

    private struct Table {
        var indices: [String: Int] = [:]
        var zones: [TimeZoneRules] = []
    }

    /// Decoded at the first question; well under a millisecond.
    private static let table: Table = {
        var table = Table()
        TimeZoneDecoder.decode(TimeZoneTable.text.utf8.span) { names, rules in
            for name in names { table.indices[name] = table.zones.count }
            table.zones.append(rules)
        }
        return table
    }()
}

/// The clock of one time zone: how far its wall time is ahead of UTC, from 1970 on.
///
/// Before 1970 the offset that held when 1970 began; after the last known change the yearly rule.
public struct TimeZoneRules: Hashable, Sendable {
    /// A change of the clock.
    struct Change: Hashable, Sendable {
        /// Since 1970, UTC.
        let seconds: Int64
        /// Seconds ahead of UTC, from that moment on.
        let offset: Int32
    }

    /// Seconds ahead of UTC before the first change.
    let initial: Int32
    /// Sorted by time.
    let changes: [Change]
    /// What holds after the last change; nil if the last offset stays.
    let rule: YearlyClockChange?

    /// The changes that are known, and the yearly ones that follow from the rule up to 2060: spelled out, so that a moment
    /// of our time is found without working out when summer begins.
    init(initial: Int32, changes known: [Change], rule: YearlyClockChange?) {
        self.initial = initial
        self.rule = rule
        guard let rule, let last = known.last else {
            changes = known
            return
        }
        var changes = known
        changes[changes.count - 1] = Change(
            seconds: last.seconds, offset: rule.offset(atSeconds: last.seconds))
        for year in 1970...2060 {
            for change in rule.changes(in: year) where change.seconds > last.seconds {
                changes.append(change)
            }
        }
        self.changes = changes
    }

    /// Coordinated Universal Time.
    public static let utc = TimeZoneRules(initial: 0, changes: [], rule: nil)

    /// Seconds that wall time is ahead of UTC at the instant; negative in the west.
    public func offsetSeconds(at instant: Instant) -> Int32 {
        offset(atSeconds: instant.seconds)
    }

    /// The date on the wall calendar at the instant.
    public func localDate(at instant: Instant) -> LocalDate {
        wall(at: instant).date
    }

    /// Seconds since local midnight at the instant, by the wall clock; 0 to 86 399.
    public func secondOfDay(at instant: Instant) -> Int32 {
        Int32(wall(at: instant).secondOfDay)
    }

    /// What the wall shows at the instant: the date, seconds since midnight (0 to 86 399), and the seconds that it is
    /// ahead of UTC.
    public func wall(
        at instant: Instant
    ) -> (date: LocalDate, secondOfDay: Int, offsetSeconds: Int) {
        let offset = offset(atSeconds: instant.seconds)
        let local = instant.seconds + Int64(offset)  // less than 2^54, so it cannot overflow
        let remainder = Int(local % 86_400)
        return (
            LocalDate(secondsSince1970: local), remainder < 0 ? remainder + 86_400 : remainder,
            Int(offset)
        )
    }

    /// The instant at which wall calendar and clock show `date` and this many seconds after
    /// midnight. A time that a change skips is read with the offset before the change; of one that
    /// occurs twice the earlier is meant (QuranFlow R4).
    public func instant(of date: LocalDate, secondOfDay: Int32 = 0) -> Instant {
        let local = Int64(date.days) * 86_400 + Int64(secondOfDay)
        // No offset reaches 24 hours: a change that matters lies between these two moments.
        let before = Int64(offset(atSeconds: local - 86_400))
        let after = Int64(offset(atSeconds: local + 86_400))
        let isSkippedOrFirst = Int64(offset(atSeconds: local - before)) == before
        guard before != after, !isSkippedOrFirst,
            Int64(offset(atSeconds: local - after)) == after
        else { return Instant(seconds: local - before) }
        return Instant(seconds: local - after)
    }

    private func offset(atSeconds seconds: Int64) -> Int32 {
        guard let last = changes.last else {
            return rule?.offset(atSeconds: seconds) ?? initial
        }
        guard seconds < last.seconds else {
            return rule?.offset(atSeconds: seconds) ?? last.offset
        }
        // The last change that is not after the moment.
        var low = 0
        var high = changes.count
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].seconds <= seconds { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? initial : changes[low - 1].offset
    }
}
