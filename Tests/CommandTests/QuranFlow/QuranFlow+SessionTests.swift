import Core
import QuranFlowEvents
import TestSupport
import Testing

@Suite struct `QuranFlow's live sessions` {
    private func schedule(
        _ course: Course, _ session: String, _ start: String, kind: String = "office-hours",
        gender: String = "all", more: String = #","coach":"C-1""#, at: String = "2026-01-08"
    ) throws -> String {
        try course.tell(
            Course.admin, "session.schedule", at,
            #"{"session":"\#(session)","kind":"\#(kind)","title":"T \#(session)","#
                + #""startsAt":"\#(start)","minutes":60,"joinUrl":"u","gender":"\#(gender)"\#(more)}"#
        )
    }

    private func rsvp(_ course: Course, _ session: String, _ verb: String = "make", at: String)
        throws -> String
    {
        try course.tell(
            Course.student, "rsvp.\(verb)", at, #"{"session":"\#(session)","student":"S-1"}"#)
    }

    @Test("R24: a session is for a gender, a level and a semester") func audience() throws {
        let course = try Course()
        let start = "2026-01-20T20:00:00Z"
        #expect(try schedule(course, "M", start, gender: "male") == "accepted")
        #expect(
            try schedule(course, "L3", start, kind: "level-class", more: #","level":3"#)
                == "accepted")
        #expect(
            try schedule(
                course, "L2", start, kind: "level-class", more: #","level":2,"semester":"SEM-1""#)
                == "accepted")
        #expect(try rsvp(course, "M", at: "2026-01-19") == "session-not-for-you")
        #expect(try rsvp(course, "L3", at: "2026-01-19") == "session-not-for-you")
        #expect(try rsvp(course, "L2", at: "2026-01-19") == "accepted")
        #expect(try rsvp(course, "L2", at: "2026-01-19") == "already-going")
        try course.accept(
            Course.admin, "enrollment.withdraw", "2026-01-19", #"{"enrollment":"E-1"}"#)
        #expect(
            try course.show("session", "L2", ["student": "S-1"]).part("eligible").bool == false,
            "it has a level")
        #expect(try schedule(course, "QRC", start, kind: "reading-circle") == "gender-required")
        #expect(try schedule(course, "LC", start, kind: "level-class") == "level-required")
        #expect(try schedule(course, "OH", start, more: "") == "coach-required")
    }

    @Test(
        "R25: joining opens a window before the start, and the wait is told in minutes, rounded up")
    func joining() throws {
        let course = try Course()
        _ = try schedule(course, "SS", "2026-01-20T20:00:00Z")
        func join(_ at: String) throws -> String {
            try course.tell(
                Course.student, "session.join", at, #"{"session":"SS","student":"S-1"}"#)
        }
        func entry(_ now: String) throws -> JSON {
            try course.show("session", "SS", now: now, ["student": "S-1"])
        }
        #expect(
            try entry("2026-01-20T18:43:30Z").word("joinText")
                == "Join available in 1 hour 2 minutes")
        #expect(try entry("2026-01-20T18:43:30Z").part("joinUrl").isNull)
        #expect(try join("2026-01-20T19:44:59Z") == "join-not-open")
        #expect(try entry("2026-01-20T19:45:00Z").word("joinText") == "Starting in 15 min")
        #expect(try join("2026-01-20T19:45:00Z") == "accepted")
        #expect(try entry("2026-01-20T20:00:00Z").word("state") == "live")
        #expect(try join("2026-01-20T21:00:00Z") == "session-ended")
        #expect(try entry("2026-01-20T21:00:00Z").word("joinText") == "Ended")
    }

    @Test("R26: notices go to those going, or to all whom the session is for") func notices() throws
    {
        for (policy, kinds) in [("going", []), ("eligible", ["schedule-update"])] {
            let course = try Course(#""sessionNoticesTo":"\#(policy)""#)
            _ = try schedule(course, "SS", "2026-01-20T20:00:00Z")
            let shown = try course.show("notifications", "student:S-1").part("items").array ?? []
            #expect(
                shown.compactMap { $0["kind"]?.string }.filter { $0 != "placement-ready" } == kinds)
        }
        let course = try Course()
        _ = try schedule(course, "SS", "2026-01-20T20:00:00Z")
        _ = try rsvp(course, "SS", at: "2026-01-19")
        let move = #"{"session":"SS","startsAt":"2026-01-20T20:00:00Z"}"#
        #expect(
            try course.tell(Course.admin, "session.move", "2026-01-19", move) == "nothing-changed")
        let moved = move.replacing("T20", with: "T22")
        #expect(
            try course.events(Course.admin, "session.move", "2026-01-19", moved) == [
                "session.moved", "notification.raised",
            ])
        let text = try course.show("notifications", "student:S-1").word("items.0.text")
        #expect(text == "T SS has been rescheduled to January 20, 2026, 17:00 (UTC-05:00)")
        #expect(try course.advance("2026-01-20T21:45:00Z").last == "notification.raised")
        try course.accept(
            Course.admin, "session.cancel", "2026-01-20T22:59:59Z", #"{"session":"SS"}"#)
        #expect(
            try course.tell(
                Course.admin, "session.cancel", "2026-01-20T23:00:00Z", #"{"session":"SS"}"#)
                == "session-cancelled")
    }

    @Test("R27: attendance is what was joined of what was promised or joined") func attendance()
        throws
    {
        let course = try Course()
        #expect(try course.show("profile", "S-1").part("stats.attendancePercent").isNull)
        for (place, session) in ["A", "B", "C"].enumerated() {
            _ = try schedule(course, session, "2026-01-2\(place)T20:00:00Z")
        }
        for session in ["A", "B", "C"] { _ = try rsvp(course, session, at: "2026-01-18") }
        try course.accept(
            Course.student, "session.join", "2026-01-20T20:00:00Z",
            #"{"session":"A","student":"S-1"}"#)
        #expect(
            try course.show("profile", "S-1", now: "2026-01-23").part("stats.attendancePercent")
                .description == "33.33")
        #expect(
            try course.show("profile", "S-1", now: "2026-01-20T20:30:00Z").part(
                "stats.attendancePercent"
            ).isNull)
    }

    @Test("R27: what took place before the enrolment was opened counts in none of its weeks")
    func attendanceSinceTheOpening() throws {
        let course = try Course()
        _ = try schedule(course, "A", "2026-01-20T20:00:00Z")
        _ = try schedule(course, "B", "2026-01-22T20:00:00Z")
        _ = try rsvp(course, "A", at: "2026-01-18")
        try course.accept(
            Course.admin, "enrollment.withdraw", "2026-01-21", #"{"enrollment":"E-1"}"#)
        try course.accept(
            Course.admin, "enrollment.open", "2026-01-21T12:00:00Z",
            #"{"enrollment":"E-2","student":"S-1","semester":"SEM-1"}"#)
        _ = try rsvp(course, "B", at: "2026-01-21T13:00:00Z")
        let week = try course.show("week", "E-2", now: "2026-01-23", ["week": "1"])
        #expect(week.column("attendance.items", "session") == [#""B""#])
    }

    @Test("R28: a day with more than the limit is grouped by kind") func denseDays() throws {
        let course = try Course(#""maxUngrouped":2"#)
        _ = try schedule(course, "B", "2026-01-21T04:59:00Z")
        _ = try schedule(
            course, "A", "2026-01-20T20:00:00Z", kind: "reading-circle", gender: "female")
        let day = { (try course.show("schedule", "S-1", now: "2026-01-19")).part("days.3") }
        #expect(try day().word("date") == "2026-01-20")
        #expect(try day().word("sessions.1.session") == "B", "the local date counts")
        _ = try schedule(
            course, "C", "2026-01-20T20:00:00Z", kind: "level-class", more: #","level":2"#)
        #expect(try day().part("sessions").isNull)
        #expect(
            (try day().part("groups").array ?? []).compactMap { $0.word("label") } == [
                "Level Classes (1)", "QRCs (1)", "Office Hours (1)",
            ])
        let filtered = try course.show(
            "schedule", "S-1", now: "2026-01-19", ["kind": "reading-circle"])
        #expect(filtered.word("days.3.sessions.0.session") == "A")
    }

    @Test("R33: Today shows today's sessions, else tomorrow's, else the week's") func today() throws
    {
        let course = try Course(#""todaySessionsShown":1"#)
        _ = try schedule(course, "H", "2026-01-12T20:00:00Z", kind: "housewarming", more: "")
        _ = try schedule(course, "B", "2026-01-22T20:00:00Z")
        _ = try schedule(course, "A", "2026-01-22T20:00:00Z")
        _ = try schedule(course, "N", "2026-01-25T20:00:00Z")
        func section(_ now: String) throws -> String? {
            try course.show("today", "S-1", now: now).word("sessions.section")
        }
        #expect(try section("2026-01-09") == "pre-semester")
        #expect(try section("2026-01-13") == "none")
        #expect(try section("2026-01-20") == "week")
        #expect(try section("2026-01-21T12:00:00Z") == "tomorrow")
        let today = try course.show("today", "S-1", now: "2026-01-22T20:59:59Z").part("sessions")
        #expect(today.word("section") == "today" && today.number("total") == 2)
        #expect(today.word("items.0.session") == "A" && today.part("items").array?.count == 1)
        #expect(try section("2026-01-22T21:00:00Z") == "none", "the next one is in another week")
    }
}
