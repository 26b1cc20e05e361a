import TestSupport
import Testing

@testable import Core

@Suite struct TimeZoneTests {
    @Test func `agrees with Python's zoneinfo in all zones`() throws {
        var rules: TimeZoneRules?
        var zone = ""
        var count = 0
        // A zone a line; Scripts/timezones.py says the form.
        let samples = try Tree.text("Tests/EventTests/Fixtures/time-zones.txt")
        for token in samples.split(whereSeparator: \.isWhitespace) {
            let parts = token.split(separator: ":")
            guard parts.count == 2, let expected = Int64(parts[1]) else {
                zone = String(token)
                let found: TimeZoneRules = try #require(TimeZones.zone(named: zone), "\(zone)")
                rules = found
                continue
            }
            let known = try #require(rules)
            count += 1
            if parts[0].hasPrefix("@") {
                let local = try #require(Int64(parts[0].dropFirst()))
                let date = LocalDate(secondsSince1970: local)
                let second = Int32(local - Int64(date.days) * 86_400)
                let instant = known.instant(of: date, secondOfDay: second)
                #expect(instant.seconds == expected, "\(zone) \(token)")
            } else {
                let instant = Instant(seconds: try #require(Int64(parts[0])))
                #expect(Int64(known.offsetSeconds(at: instant)) == expected, "\(zone) \(token)")
            }
        }
        #expect(count > 4000)
    }

    @Test func `knows canonical and old names, exactly as written`() {
        #expect(TimeZones.names.count == 598)
        #expect(TimeZones.names.first == "Africa/Abidjan" && TimeZones.names.last == "Zulu")
        for name in ["UTC", "Etc/UTC", "GMT", "Asia/Calcutta", "US/Eastern", "Etc/GMT+12"] {
            #expect(TimeZones.zone(named: name) != nil, "\(name)")
        }
        for name in ["", "utc", "asia/riyadh", "Asia/Riyadh ", "Asia", "Asia/\u{212A}olkata", "="] {
            #expect(TimeZones.zone(named: name) == nil, "\(name)")
        }
        #expect(TimeZones.zone(named: "Asia/Calcutta") == TimeZones.zone(named: "Asia/Kolkata"))
        #expect(TimeZones.zone(named: "UTC") == TimeZones.zone(named: "Etc/UTC"))
    }

    @Test
    func `changes that are spelled out are those of the yearly rule`()
        throws
    {
        var count = 0
        for name in TimeZones.names {
            let zone = try #require(TimeZones.zone(named: name))
            guard let rule = zone.rule else { continue }
            for year in [2040, 2059, 2060, 2061, 2100] {
                for change in rule.changes(in: year) {
                    for seconds in [change.seconds - 1, change.seconds] {
                        count += 1
                        let found = zone.offsetSeconds(at: Instant(seconds: seconds))
                        #expect(found == rule.offset(atSeconds: seconds), "\(name) \(seconds)")
                    }
                }
            }
        }
        #expect(count > 1000)
    }

    @Test func `a local day has the hours that the clock gives it`() throws {
        let zone = try #require(TimeZones.zone(named: "America/New_York"))
        let spring = try #require(LocalDate(text: "2026-03-08"))
        let autumn = try #require(LocalDate(text: "2026-11-01"))
        for (date, hours) in [(spring, 23), (autumn, 25), (spring.adding(days: 1), 24)] {
            let start = zone.instant(of: date)
            let end = zone.instant(of: date.adding(days: 1))
            #expect(end.milliseconds(since: start) == Int64(hours) * 3_600_000)
            #expect(zone.localDate(at: start) == date)
            #expect(zone.localDate(at: start.adding(milliseconds: -1)) == date.adding(days: -1))
            #expect(zone.secondOfDay(at: start) == 0)
        }
    }

    @Test func `a skipped time is read with the offset before and a double one is the earlier`()
        throws
    {
        let zone = try #require(TimeZones.zone(named: "America/New_York"))
        let spring = try #require(LocalDate(text: "2026-03-08"))
        let autumn = try #require(LocalDate(text: "2026-11-01"))
        #expect(zone.instant(of: spring, secondOfDay: 9_000).description == "2026-03-08T07:30:00Z")
        #expect(zone.instant(of: autumn, secondOfDay: 5_400).description == "2026-11-01T05:30:00Z")
        // Samoa had no 30 December 2011.
        let samoa = try #require(TimeZones.zone(named: "Pacific/Apia"))
        let skipped = try #require(LocalDate(text: "2011-12-30"))
        #expect(samoa.instant(of: skipped) == samoa.instant(of: skipped.adding(days: 1)))
    }

    @Test func `the decoder stops at what is no table`() {
        for text in [
            "", "A", "A =", "A = 1", "A = 10000", "A = 1o", "= zzzzzzzzzzzzzzzzzzz!", "A =!",
        ] {
            TimeZoneDecoder.decode(text.utf8.span) { _, _ in }
        }
    }
}
