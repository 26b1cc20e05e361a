import Testing

@testable import Core

@Suite struct InstantTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", Int64(0)), ("1970-01-01t00:00:00z", 0),
        ("1970-01-01T03:00:00+03:00", 0), ("1969-12-31T23:30:00-00:30", 0),
        ("2026-02-01T09:00:00Z", 1_769_936_400_000), ("2000-02-29T00:00:00Z", 951_782_400_000),
        ("1970-01-01T00:00:00.1Z", 100), ("1970-01-01T00:00:00.0019999Z", 1),
        ("1970-01-01T00:00:00.123456789Z", 123), ("2199-12-31T23:59:59.999Z", 7_258_118_399_999),
        ("2200-01-01T00:30:00+01:00", 7_258_116_600_000), ("1970-01-01T23:59:00+23:59", 0),
    ])
    func `reads RFC 3339 with any offset`(text: String, milliseconds: Int64) {
        #expect(Instant(rfc3339: text)?.milliseconds == milliseconds, "\(text)")
        #expect(Instant(rfc3339: Array("x\(text)".utf8)[1...])?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "", "2026-02-01", "2026-02-01T09:00:00", "2026-02-01 09:00:00Z", "2026-02-30T00:00:00Z",
        "2025-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2026-00-01T00:00:00Z",
        "2026-13-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-04-31T00:00:00Z",
        "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-12-31T23:59:60Z",
        "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00.1234567890Z", "2026-01-01T00:00:00,5Z",
        "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+01:60", "2026-01-01T00:00:00+0100",
        "2026-01-01T00:00:00+01", "2026-01-01T00:00:00Z ", " 2026-01-01T00:00:00Z",
        "2026-01-01T00:00:00ZZ", "2026-1-01T00:00:00Z00", "1969-12-31T23:59:59Z",
        "1970-01-01T00:00:00+00:01", "2200-01-01T00:00:00Z", "2199-12-31T23:59:59-00:01",
        "+026-01-01T00:00:00Z", "2026-01-01T00:00:00\u{661}Z", "2026-01-01T00:00:00.5+1:000",
        "2026-01-01T00:00Z00000",
    ])
    func `refuses all else`(text: String) {
        #expect(Instant(rfc3339: text) == nil, "\(text)")
    }

    @Test func `prints whole seconds without and others with three digits`() {
        #expect(Instant(milliseconds: 1_769_936_400_000).description == "2026-02-01T09:00:00Z")
        #expect(Instant(milliseconds: 5).description == "1970-01-01T00:00:00.005Z")
        #expect(Instant(milliseconds: -1).description == "1969-12-31T23:59:59.999Z")
    }

    @Test(arguments: UInt64(0)..<100)
    func `what is printed reads back`(seed: UInt64) {
        var random = TextRandom(seed: seed)
        for _ in 0..<200 {
            let wholeOrNot: Int64 = random.below(2) == 0 ? 1000 : 1
            let milliseconds = Int64(random.below(7_258_118_400_000)) / wholeOrNot * wholeOrNot
            let instant = Instant(milliseconds: milliseconds)
            #expect(Instant(rfc3339: instant.description) == instant)
            #expect(LocalDate(text: instant.utcDate.description) == instant.utcDate)
            #expect(instant.description.hasPrefix(instant.utcDate.description))
        }
    }

    @Test func `days follow one another through all years`() {
        var expected = CivilDate(year: 1970, month: 1, day: 1)
        var weekday = 3
        for days in 0..<84_006 {
            let date = LocalDate(days: Int32(days))
            #expect(CivilDate(days: days) == expected && expected.days == days)
            #expect(date.weekday == Weekday.allCases[weekday])
            weekday = (weekday + 1) % 7
            expected.day += 1
            if !expected.isValid {
                expected = CivilDate(year: expected.year, month: expected.month + 1, day: 1)
            }
            if expected.month == 13 {
                expected = CivilDate(year: expected.year + 1, month: 1, day: 1)
            }
        }
        #expect(expected == CivilDate(year: 2200, month: 1, day: 1))
    }

    @Test func `arithmetic stops at the ends and nothing traps there`() {
        let last = Instant(milliseconds: .max)
        let first = Instant(milliseconds: .min)
        #expect(last + 1 == last && first - 1 == first && first - .min > first)
        #expect(Instant.epoch.adding(seconds: .max) == last)
        #expect(Instant.epoch.adding(seconds: .min) == first)
        #expect(Instant.epoch + 2 == Instant(milliseconds: 2000))
        #expect(first.milliseconds(since: last) == .min && last.milliseconds(since: first) == .max)
        #expect(first.description == "-292275055-05-16T16:47:04.192Z")
        #expect(last.description == "+292278994-08-17T07:12:55.807Z")
        #expect(first.utcDate < LocalDate.epoch && last.utcDate.days == .max)
        #expect(last.utcDate.adding(days: .max) == last.utcDate)
        #expect(LocalDate(days: .min).adding(days: .min).weekday == .tuesday)
        for zone in ["UTC", "Asia/Tehran", "America/New_York", "Australia/Sydney"] {
            let rules = TimeZones.zone(named: zone)
            for instant in [first, last] {
                #expect(rules?.localDate(at: instant) != nil)
                #expect(rules?.secondOfDay(at: instant) != nil)
            }
            #expect(rules?.instant(of: LocalDate(days: .max), secondOfDay: .max) != nil)
            #expect(rules?.instant(of: LocalDate(days: .min), secondOfDay: .min) != nil)
        }
    }

    @Test(arguments: [
        "2026-2-01", "2026-02-1", "2026-02-29", "1969-12-31", "2200-01-01", "20260201",
        "2026-02-01T", " 2026-02-01", "2026/02/01", "",
    ])
    func `refuses dates that are written otherwise or do not exist`(text: String) {
        #expect(LocalDate(text: text) == nil, "\(text)")
    }

    @Test func `knows weekdays and parts of a date`() throws {
        let date = try #require(LocalDate(text: "2026-01-17"))
        #expect(date.weekday == .saturday && date.weekday.number == 6)
        #expect(date.year == 2026 && date.month == 1 && date.day == 17)
        #expect(date.adding(days: 15).description == "2026-02-01")
        #expect(date.adding(days: 15).days(since: date) == 15)
        #expect(LocalDate(days: -1).weekday == .wednesday)
    }

    @Test(arguments: UInt64(0)..<100)
    func `no bytes make it trap`(seed: UInt64) {
        var random = TextRandom(seed: seed)
        for _ in 0..<100 {
            var bytes = Array("2026-02-01T09:00:00.123+03:00".utf8)
            for _ in 0..<random.below(3) {
                bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next())
            }
            let cut = bytes[random.below(3)..<(bytes.count - random.below(5))]
            if let instant = Instant(rfc3339: cut) {
                #expect(Instant(rfc3339: instant.description) == instant)
            }
            _ = LocalDate(text: cut.span)
        }
    }
}
