import Core
import QuranFlowEvents
import TestSupport
import Testing

@Suite struct `QuranFlow's reminders` {
    private func told(_ course: Course, _ kind: String) throws -> [JSON] {
        let items = try course.show("notifications", "student:S-1").part("items").array ?? []
        return items.reversed().filter { $0.word("kind") == kind }
    }

    private func weeks(_ course: Course, until: String) throws -> [String] {
        _ = try course.advance(until)
        return try told(course, "deadline-reminder").map { $0.text("about.week") }
    }

    @Test("R17: nobody is reminded of a recording that the week's limit refuses") func limit()
        throws
    {
        // Two attempts a week: in the second both go to the first week.
        let course = try Course()
        _ = try course.advance("2026-01-24T06:00:00Z")
        for recording in ["R-1", "R-2"] {
            #expect(try course.record(recording, week: 1, at: "2026-01-25") == "accepted")
        }
        #expect(try course.record("R-3", week: 2, at: "2026-01-26") == "submission-limit")
        #expect(try weeks(course, until: "2026-01-31T06:00:00Z") == ["1", "1"], "of week 1 before")
        // In the next one attempts are there again.
        #expect(try weeks(course, until: "2026-02-07T05:00:00Z") == ["1", "1", "3", "3"])
    }

    @Test("R17: one attempt left, or one that opens before the week is due, is reminded of")
    func left() throws {
        let one = try Course()
        _ = try one.advance("2026-01-24T06:00:00Z")
        #expect(try one.record("R-1", week: 1, at: "2026-01-25") == "accepted")
        #expect(try weeks(one, until: "2026-01-31T04:00:00Z") == ["1", "1", "2", "2"])
        // Rolling over two days: those of Monday open again on Wednesday.
        let rolling = try Course(#""submissionPeriod":"rolling","submissionPeriodDays":2"#)
        _ = try rolling.advance("2026-01-24T06:00:00Z")
        for recording in ["R-1", "R-2"] {
            #expect(try rolling.record(recording, week: 1, at: "2026-01-28") == "accepted")
        }
        #expect(
            try rolling.record("R-3", week: 2, at: "2026-01-29T06:00:00Z") == "submission-limit")
        #expect(try weeks(rolling, until: "2026-01-31T04:00:00Z") == ["1", "1", "2", "2"])
    }

    @Test("R39: a reply's notification leads to what was answered") func reply() throws {
        let course = try Course()
        try course.accept(
            Course.student, "message.send", "2026-01-09",
            #"{"student":"S-1","message":"M-1","text":"When?"}"#)
        try course.accept(
            Course.student, "support.request", "2026-01-09",
            #"{"student":"S-1","request":"HR-1","category":"billing","text":"Why?"}"#)
        try course.accept(
            Course.coach, "help.reply", "2026-01-10",
            #"{"message":"M-1","reply":"RP-1","text":"So."}"#)
        try course.accept(
            Course.admin, "help.reply", "2026-01-10",
            #"{"request":"HR-1","reply":"RP-1","text":"So."}"#)
        #expect(
            try told(course, "help-reply").map { $0.part("link").description } == [
                #"{"message":"M-1","section":"help","tab":"profile"}"#,
                #"{"request":"HR-1","section":"help","tab":"profile"}"#,
            ])
    }

    @Test("R12: the notification of an open enrolment leads to its semester") func open() throws {
        let course = try Course()
        try course.accept(
            Course.admin, "enrollment.withdraw", "2026-01-20", #"{"enrollment":"E-1"}"#)
        try course.accept(
            Course.admin, "semester.schedule", "2026-01-21",
            #"{"semester":"SEM-2","name":"n","startsOn":"2026-02-21","timeZone":"UTC"}"#)
        let link = try told(course, "enrollment-open").last?.part("link")
        #expect(link?.description == #"{"screen":"enroll","semester":"SEM-2"}"#)
    }

    @Test("What a provider says of a payment is erased with the student; the payment stays")
    func payment() throws {
        let course = try EngineOnDisk<QuranFlow>.bare()
        try course.stage()
        try course.register("S-1", "female", "America/New_York")
        try course.accept(
            "service:pay", "payment.record", "2026-01-06",
            #"{"student":"S-1","payment":"P-1","amount":1,"currency":"USD","description":"For Sarah"}"#
        )
        #expect(
            try course.show("payments", "S-1").word("items.0.description") == "For Sarah")
        try course.accept(
            Course.student, "account.erase", "2026-01-07", #"{"subject":"quranflow/S-1"}"#)
        let paid = try course.engine.allEvents().first { $0.type == "quranflow.payment.recorded" }
        #expect(paid?.data.part("description").isNull == true && paid?.data.number("amount") == 1)
        #expect(try course.engine.exported().allSatisfy { !$0.contains("For Sarah") })
    }
}
