/// Two changes of the clock that come back every year: the footer of a TZif file (RFC 8536 §3.3.1,
/// POSIX `TZ`), as `EST5EDT,M3.2.0,M11.1.0`.
struct YearlyClockChange: Hashable, Sendable {
    /// A day such as "the last Sunday of March" and a time of that day.
    struct Day: Hashable, Sendable {
        /// From 1, January.
        let month: Int
        /// From 1; 5 is the last one of the month.
        let week: Int
        /// From 0, Sunday.
        let weekday: Int
        /// After local midnight; may lie on the day before or some days later.
        let seconds: Int

        /// The moment in seconds of the local time that is in force until then.
        func localSeconds(in year: Int) -> Int {
            let first = CivilDate(year: year, month: month, day: 1).days
            // 1970-01-01 was a Thursday.
            let firstWeekday = ((first + 4) % 7 + 7) % 7
            var day = (weekday - firstWeekday + 7) % 7 + 7 * (week - 1)
            while day >= CivilDate.length(ofMonth: month, in: year) { day -= 7 }
            return (first + day) * 86_400 + seconds
        }
    }

    /// Seconds ahead of UTC, outside of summer time and in it.
    let standard: Int32
    let summer: Int32
    let summerBegins: Day
    let summerEnds: Day

    /// Seconds ahead of UTC at a moment, in seconds since 1970.
    func offset(atSeconds seconds: Int64) -> Int32 {
        // The year on the standard clock: no change comes within a day of a new year.
        let local = Int(seconds) + Int(standard)
        let days = (local >= 0 ? local : local - 86_399) / 86_400
        let year = CivilDate(days: days).year
        let (begin, end) = summer(of: year)
        // In the south, summer is what lies outside of the time from its end to its beginning.
        let isSummer =
            begin < end
            ? Int(seconds) >= begin && Int(seconds) < end
            : Int(seconds) >= begin || Int(seconds) < end
        return isSummer ? summer : standard
    }

    /// When summer time begins and ends in a year, in seconds since 1970.
    private func summer(of year: Int) -> (begin: Int, end: Int) {
        (
            summerBegins.localSeconds(in: year) - Int(standard),
            summerEnds.localSeconds(in: year) - Int(summer)
        )
    }

    /// The two changes of a year, in the order in which they come.
    func changes(in year: Int) -> [TimeZoneRules.Change] {
        let (begin, end) = summer(of: year)
        let changes = [
            TimeZoneRules.Change(seconds: Int64(begin), offset: summer),
            TimeZoneRules.Change(seconds: Int64(end), offset: standard),
        ]
        return begin < end ? changes : changes.reversed()
    }
}
