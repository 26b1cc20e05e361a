import Core
import QuranFlowEvents
import TestSupport
import Testing

/// What the specification words, seen from a student's day.
@Suite struct `QuranFlow as its specification words it` {
    /// A course whose student looks at it from another zone.
    private func course(in zone: String, _ policy: String = "") throws -> Course {
        let course = try Course(policy)
        try course.accept(
            Course.student, "timezone.choose", "2026-01-08",
            #"{"student":"S-1","timeZone":"\#(zone)","source":"chosen"}"#)
        return course
    }

    private func schedule(_ course: Course, _ session: String, _ start: String, more: String = "")
        throws
    {
        try course.accept(
            Course.admin, "session.schedule", "2026-01-08",
            #"{"session":"\#(session)","kind":"office-hours","title":"T \#(session)","coach":"C-1","#
                + #""startsAt":"\#(start)","minutes":60,"joinUrl":"u","gender":"all"\#(more)}"#)
    }

    private func withdraw(_ course: Course, at: String) throws {
        try course.accept(
            Course.student, "enrollment.withdraw", at, #"{"enrollment":"E-1"}"#)
    }

    // MARK: The clock of the week

    @Test(
        "R28: the schedule holds today, and the week's deadline, wherever the student is",
        arguments: [
            "Asia/Karachi", "America/Los_Angeles", "Pacific/Kiritimati", "America/New_York",
        ])
    func today(zone: String) throws {
        let course = try course(in: zone)
        let first = Instant("2026-01-17T05:00:00Z")
        for hour in stride(from: 0, to: 3 * 168, by: 5) {
            let now = "\(first + Int64(hour) * 3600)"
            let shown = try course.show("schedule", "S-1", now: now)
            let today = try course.show("today", "S-1", now: now)
            let days = shown.part("days").array ?? []
            #expect(days.count { $0["today"]?.bool == true } == 1, "\(zone) \(now)")
            #expect(shown.number("week") == today.number("header.week"), "\(zone) \(now)")
            let deadlines = days.flatMap { $0["deadlines"]?.array ?? [] }
            #expect(deadlines.map { $0.number("week") } == [shown.number("week")], "\(now)")
        }
    }

    @Test("R28: whatever takes place in a week stands on its page, and Today agrees")
    func sessions() throws {
        let course = try course(in: "Asia/Karachi")
        // Saturday 08:00 in Karachi: in New York the first week still has two hours to go.
        try schedule(course, "SS-1", "2026-01-24T03:00:00Z")
        let now = "2026-01-24T02:30:00Z"
        let days = try course.show("schedule", "S-1", now: now).part("days").array ?? []
        #expect(days.count == 8)
        #expect(days.last?.word("date") == "2026-01-24")
        #expect(days.last?.word("sessions.0.session") == "SS-1")
        #expect(days.last?.number("deadlines.0.week") == 1)
        let today = try course.show("today", "S-1", now: now)
        #expect(today.word("sessions.items.0.session") == "SS-1")
        #expect(today.word("header.title") == "Week 1 of 3")
    }

    @Test("R28: after the last week the strip begins today") func afterTheLastWeek() throws {
        let course = try Course()
        let shown = try course.show("schedule", "S-1", now: "2026-02-10")
        #expect(shown.word("title") == "Sessions" && shown.number("previousWeek") == 3)
        #expect(shown.word("days.0.date") == "2026-02-10")
        #expect(
            try course.show("schedule", "S-1", now: "2026-02-10", ["week": "3"]).number("week") == 3
        )
    }

    // MARK: Limits

    @Test("R17: leaving a level and opening it again resets no limit") func weeklyLimit() throws {
        let course = try Course()
        #expect(try course.record("R-1", week: 1, at: "2026-01-20T10:00:00Z") == "accepted")
        #expect(try course.record("R-2", week: 1, at: "2026-01-20T10:01:00Z") == "accepted")
        try withdraw(course, at: "2026-01-20T10:02:00Z")
        try course.accept(
            Course.student, "enrollment.open", "2026-01-20T10:03:00Z",
            #"{"enrollment":"E-2","student":"S-1","semester":"SEM-1"}"#)
        let again =
            #"{"enrollment":"E-2","recording":"R-3","week":1,"audio":"r","seconds":5,"confirmed":true}"#
        #expect(
            try course.tell(Course.student, "recording.submit", "2026-01-20T10:04:00Z", again)
                == "submission-limit")
        let check = try course.show("submission-check", "E-2", now: "2026-01-20T10:04:00Z")
        #expect(check.word("code") == "submission-limit")
        #expect(
            try course.tell(Course.student, "recording.submit", "2026-01-24T05:00:00Z", again)
                == "accepted")
    }

    // MARK: After the level

    private func graduated(_ policy: String = "") throws -> Course {
        let course = try Course(policy)
        _ = try course.record("R-1", week: 1, at: "2026-01-20")
        _ = try course.record("R-2", week: 2, at: "2026-01-27")
        #expect(try course.submitEOC(at: "2026-02-02") == "accepted")
        #expect(try course.evaluate(passed: true, at: "2026-02-03") == "accepted")
        return course
    }

    @Test("R36: a level that is passed is complete, in the journey and in the profile")
    func afterTheLevel() throws {
        let course = try graduated()
        let journey = try course.show("learn", "S-1").part("journey")
        #expect(journey.word("text") == "Week 3 of 3 -- 3 completed, 0 remaining")
        #expect(
            (journey.part("nodes").array ?? []).allSatisfy { $0.word("status") == "complete" })
        #expect(try course.show("profile", "S-1").word("level") == "Level 2 -- Complete")
    }

    @Test("R36: recordings of a level's classes stay with those whose classes they were")
    func recordings() throws {
        let course = try Course()
        try schedule(
            course, "SS-1", "2026-01-20T20:00:00Z", more: #","level":2,"semester":"SEM-1""#)
        try schedule(
            course, "SS-2", "2026-01-28T20:00:00Z", more: #","level":2,"semester":"SEM-1""#)
        try withdraw(course, at: "2026-01-25")
        for session in ["SS-1", "SS-2"] {
            try course.accept(
                Course.admin, "session.publish-recording", "2026-01-30",
                #"{"session":"\#(session)","video":"SV-\#(session)","seconds":100,"source":"s"}"#)
        }
        let items = try course.show("session-recordings", "S-1").part("items").array ?? []
        #expect(
            items.map { $0.word("session") } == ["SS-1"], "SS-2 came after the student had left")
        #expect(try course.watch("SV-SS-1", at: "2026-01-31") == "accepted")
        #expect(try course.watch("SV-SS-2", at: "2026-01-31") == "session-not-for-you")
    }

    // MARK: End of course

    @Test("R37: the EOC comes a week before its deadline, of which one is reminded")
    func eocDeadline() throws {
        let course = try Course()
        _ = try course.record("R-1", week: 1, at: "2026-01-20")
        _ = try course.record("R-2", week: 2, at: "2026-01-27")
        let opened = try course.advance("2026-01-31T05:00:00Z")
        #expect(opened.contains("eoc.unlocked"))
        let eoc = try course.show("eoc", "E-1", now: "2026-02-05T05:00:00Z")
        #expect(eoc.word("dueAt.at") == "2026-02-07T04:59:00Z")
        #expect(eoc.word("deadline") == "Due tomorrow")
        #expect(
            eoc.word("success")
                == "Your coach will evaluate your submission and determine your graduation status. "
                + "This may take up to 5 business days.")
        func reminders() throws -> [JSON] {
            (try course.show("notifications", "student:S-1").part("items").array ?? []).filter {
                $0.word("kind") == "eoc-reminder"
            }
        }
        _ = try course.advance("2026-02-05T04:59:00Z")
        #expect(try reminders().map { $0.number("about.hours") } == [48])
        #expect(try reminders().first?.word("link.enrollment") == "E-1")
        #expect(try course.submitEOC(at: "2026-02-05T06:00:00Z") == "accepted")
        _ = try course.advance("2026-02-07T05:00:00Z")
        #expect(try reminders().count == 1, "it was submitted in between")
        _ = try course.evaluate(passed: false, at: "2026-02-08")
        #expect(try course.show("eoc", "E-1").word("dueAt.at") == "2026-02-22T09:00:00Z")
        _ = try course.advance("2026-02-21T09:00:00Z")
        #expect(try reminders().map { $0.number("about.hours") } == [24, 48, 48])
    }

    @Test("R32: while the EOC is locked the banner counts what is missing for it")
    func eocBanner() throws {
        let course = try Course()
        _ = try course.record("R-3", week: 3, at: "2026-01-31T05:00:00Z")
        let banner = try course.show("today", "S-1", now: "2026-02-01").part("banner")
        #expect(banner.number("behind") == 2 && banner.number("needed") == 1)
        #expect(
            banner.word("text")
                == "You have 1 submission to catch up on. You can submit up to 1 this week.")
    }

    // MARK: Advanced

    @Test("R23: on the day on which Advanced opens, those who wait are told") func advanced() throws
    {
        let graduate = try Graduate("\"advancedEnrollmentOpensOn\":\"2026-02-10\"", enrolls: false)
            .course
        #expect(try graduate.advance("2026-02-09T23:59:59Z").isEmpty)
        #expect(try graduate.advance("2026-02-10T00:00:00Z") == ["notification.raised"])
        let notice = try graduate.show("notifications", "student:S-1").part("items.0")
        #expect(notice.word("title") == "Enrollment is open for QuranFlow Advanced")
        #expect(notice.word("link.screen") == "advanced")
        let early = try Graduate("\"advancedEnrollmentOpensOn\":\"2026-02-10\"", enrolls: false)
            .course
        #expect(
            try early.events(
                Course.admin, "policy.adopt", "2026-02-07",
                #"{"changes":{"advancedEnrollmentOpensOn":null}}"#) == [
                    "policy.adopted", "notification.raised",
                ])
        #expect(try early.advance("2026-02-11").isEmpty, "the timer is gone")
    }

    // MARK: Texts

    @Test("R8: a semester's start is counted in calendar days, an unlock in whole ones")
    func countdowns() throws {
        let course = try Course()
        func title(_ now: String) throws -> String? {
            try course.show("today", "S-1", now: now).word("header.title")
        }
        #expect(try title("2026-01-12T05:00:00Z") == "Semester starts in 5 days")
        #expect(try title("2026-01-13T04:59:59Z") == "Semester starts in 5 days")
        func countdown(_ now: String) throws -> String? {
            try course.show("today", "S-1", now: now).word("header.countdown")
        }
        #expect(try countdown("2026-01-17T05:00:00Z") == "6 days until Week 2 unlocks")
        #expect(try countdown("2026-01-18T04:59:59Z") == "6 days until Week 2 unlocks")
        #expect(try countdown("2026-01-18T05:00:00Z") == "5 days until Week 2 unlocks")
    }

    @Test("R31, R32: a lesson names the next video, one who catches up the attempts used")
    func words() throws {
        let course = try Course()
        _ = try course.watch("V2-1a", at: "2026-01-18")
        #expect(
            try course.show("today", "S-1", now: "2026-01-18").word("primary.subtitle")
                == "Video 2 of 2 remaining -- T1")
        func card(_ now: String) throws -> String? {
            try course.show("today", "S-1", now: now).word("cards.submission.text")
        }
        #expect(try card("2026-02-01") == "2 behind -- catch up available")
        #expect(try course.record("R-1", week: 1, at: "2026-02-01") == "accepted")
        let week = try course.show("week", "E-1", now: "2026-02-01", ["week": "1"])
        #expect(
            week.word("submission.catchUpText") == "1 of 2 catch-up submissions used this week.")
        #expect(try course.record("R-3", week: 3, at: "2026-02-01") == "accepted")
        #expect(try card("2026-02-01") == "1 to catch up", "nothing is available")
    }

    @Test("R40: abbreviations stand for places, fixed distances are refused") func zones() throws {
        let course = try Course.bare()
        func register(_ student: String, _ zone: String) throws -> JSON {
            try course.outcome(
                "service:signup", "student.register", "2026-01-03",
                #"{"student":"\#(student)","name":"N","email":"e","gender":"female","#
                    + #""timeZone":"\#(zone)"}"#)
        }
        let places = [
            "EST": "America/New_York", "AEDT": "Australia/Sydney", "GST": "Asia/Dubai",
            "BST": "Europe/London", "UTC": "UTC", "Asia/Karachi": "Asia/Karachi",
        ]
        for (place, zone) in places.sorted(by: { $0.key < $1.key }).enumerated() {
            let outcome = try register("S-\(place)", zone.key)
            #expect(outcome.word("events.0.data.timeZone") == zone.value, "\(zone.key)")
        }
        for zone in ["Etc/GMT-3", "MST", "UTC+3", "GMT+0", "+03:00"] {
            let outcome = try register("S-9", zone)
            #expect(outcome.word("code") == "malformed", "\(zone)")
            #expect(outcome.word("message")?.contains("expected a place") == true, "\(outcome)")
        }
        #expect(try register("S-9", "AEDTX").word("code") == "malformed")
    }
}
