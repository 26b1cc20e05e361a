import Core
import QuranFlowEvents
import TestSupport
import Testing

@Suite struct `QuranFlow's end of course` {
    /// Two weeks recorded, and the EOC unlocked at the beginning of the third.
    private func unlocked(_ policy: String = "") throws -> Course {
        let course = try Course(policy)
        _ = try course.record("R-1", week: 1, at: "2026-01-20")
        _ = try course.record("R-2", week: 2, at: "2026-01-27")
        return course
    }

    @Test("R20: it opens, is taken once at a time, and results are due by business days")
    func attempts()
        throws
    {
        let course = try unlocked()
        #expect(try course.submitEOC(at: "2026-01-31T04:59:59Z") == "eoc-not-open")
        #expect(
            try course.evaluate(passed: true, at: "2026-01-31T06:00:00Z") == "no-eoc-to-evaluate")
        #expect(
            try course.tell(
                Course.student, "eoc.review-results", "2026-01-31T06:00:00Z",
                #"{"enrollment":"E-1"}"#) == "no-results-yet")
        // Friday evening in New York: five business days later it is the next Friday.
        #expect(try course.submitEOC(at: "2026-02-07T03:00:00Z") == "accepted")
        let eoc = try course.show("eoc", "E-1")
        #expect(eoc.word("resultsDueOn") == "2026-02-13")
        #expect(eoc.word("resultsDueAt.at") == "2026-02-14T05:00:00Z")
        #expect(eoc.part("passage").isNull, "under review")
        #expect(try course.submitEOC(at: "2026-02-08") == "eoc-under-review")
        #expect(try course.advance("2026-02-14T05:00:00Z").contains("results.fell-due"))
        let locked = try Course()
        #expect(try locked.submitEOC(at: "2026-02-01") == "eoc-locked")
    }

    @Test("R21: passing graduates, failing opens a retake of two weeks at least") func results()
        throws
    {
        let course = try unlocked()
        _ = try course.submitEOC(at: "2026-02-10")
        #expect(try course.evaluate(passed: false, at: "2026-02-12") == "accepted")
        #expect(try course.show("eoc", "E-1").word("retakeUntil.at") == "2026-02-26T09:00:00Z")
        #expect(try course.primary() == "results-failed")
        try course.accept(
            Course.student, "eoc.review-results", "2026-02-13", #"{"enrollment":"E-1"}"#)
        #expect(
            try course.tell(
                Course.student, "eoc.review-results", "2026-02-13", #"{"enrollment":"E-1"}"#)
                == "already-reviewed")
        #expect(
            try course.show("today", "S-1").word("primary.subtitle")
                == "A retake is open until February 25, 2026.", "the last day that is included")
        #expect(try course.submitEOC(at: "2026-02-22") == "accepted")
        let passed = #"{"enrollment":"E-1","passed":true,"audio":"r","seconds":9}"#
        #expect(
            try course.events(Course.coach, "eoc.evaluate", "2026-02-23", passed) == [
                "eoc.evaluated", "enrollment.graduated", "notification.raised",
            ])
        #expect(try course.submitEOC(at: "2026-02-24") == "already-graduated")
        #expect(try course.primary() == "results-passed")
        #expect(try course.show("eoc", "E-1").number("next.level") == 3)
    }

    @Test("R22: without results awaited it lapses at the closing, which a retake moves")
    func closing()
        throws
    {
        let course = try unlocked()
        _ = try course.submitEOC(at: "2026-02-10")
        #expect(
            !(try course.advance("2026-02-21T05:00:00Z")).contains("enrollment.lapsed"),
            "the result decides")
        _ = try course.evaluate(passed: false, at: "2026-02-25")
        #expect(try course.show("eoc", "E-1").word("closesAt.at") == "2026-03-11T09:00:00Z")
        #expect(!(try course.advance("2026-03-11T08:59:59Z")).contains("enrollment.lapsed"))
        #expect((try course.advance("2026-03-11T09:00:00Z")).contains("enrollment.lapsed"))
        #expect(try course.primary() == "repeat-level")
        #expect(try course.submitEOC(at: "2026-03-12") == "enrollment-not-active")
    }

    @Test("R23: only graduates of Level 4 go on to Advanced, from the day on that is set")
    func advanced()
        throws
    {
        let course = try unlocked()
        let enroll = #"{"student":"S-1"}"#
        #expect(
            try course.tell(Course.student, "advanced.enroll", "2026-01-28", enroll)
                == "not-eligible")
        #expect(
            try course.tell(
                Course.student, "elective.choose", "2026-01-28",
                #"{"student":"S-1","elective":"EL"}"#) == "not-found")
        let graduate = try Graduate("\"advancedEnrollmentOpensOn\":\"2026-02-10\"", enrolls: false)
            .course
        #expect(
            try graduate.show("today", "S-1").word("next.text")
                == "Enrollment is separate and opens February 10, 2026")
        #expect(
            try graduate.tell(Course.student, "advanced.enroll", "2026-02-09T23:59:59Z", enroll)
                == "enrollment-not-open")
        #expect(
            try graduate.tell(Course.student, "advanced.enroll", "2026-02-10T00:00:00Z", enroll)
                == "accepted")
        #expect(
            try graduate.tell(Course.student, "advanced.enroll", "2026-02-11", enroll)
                == "already-advanced")
        let learn = try graduate.show("learn", "S-1")
        #expect(learn.part("level").isNull && learn.word("pastLevels.0.enrollment") == "E-1")
        #expect(
            try graduate.show("learn", "S-1", ["enrollment": "E-1"]).number("weeks.0.week") == 3)
    }

    @Test("R29: slots and appointments, at each of their boundaries") func appointments() throws {
        let course = try Graduate(#""appointmentsOpenMax":1"#).course
        func slot(_ id: String, _ start: String, at: String = "2026-02-12") throws -> String {
            try course.tell(
                Course.coach, "slot.offer", at,
                #"{"slot":"\#(id)","coach":"C-1","startsAt":"\#(start)","minutes":30,"joinUrl":"u"}"#
            )
        }
        func book(_ id: String, _ slot: String, _ at: String) throws -> String {
            try course.tell(
                Course.student, "appointment.book", at,
                #"{"appointment":"\#(id)","student":"S-1","slot":"\#(slot)"}"#)
        }
        #expect(try slot("SL-0", "2026-02-12T09:00:00Z") == "starts-in-past")
        #expect(try slot("SL-1", "2026-02-20T10:00:00Z") == "accepted")
        #expect(try slot("SL-2", "2026-02-20T10:29:00Z") == "coach-busy")
        #expect(try slot("SL-2", "2026-02-20T10:30:00Z") == "accepted")
        #expect(try book("A-1", "SL-1", "2026-02-20T08:00:01Z") == "slot-too-soon")
        #expect(try book("A-1", "SL-1", "2026-02-18T10:00:00Z") == "accepted")
        #expect(try book("A-2", "SL-1", "2026-02-18T10:00:00Z") == "slot-taken")
        #expect(try book("A-2", "SL-2", "2026-02-18T10:00:00Z") == "appointment-limit")
        #expect(
            try course.tell(Course.coach, "slot.withdraw", "2026-02-18", #"{"slot":"SL-1"}"#)
                == "slot-taken")
        let cancel = #"{"appointment":"A-1"}"#
        #expect(
            try course.tell(Course.student, "appointment.cancel", "2026-02-19T10:00:01Z", cancel)
                == "too-late-to-change")
        let move = #"{"appointment":"A-1","slot":"SL-2"}"#
        #expect(
            try course.tell(Course.student, "appointment.reschedule", "2026-02-19T10:00:00Z", move)
                == "accepted")
        #expect(
            try course.show("appointment-slots", "S-1").word("days.0.slots.0.slot") == "SL-1",
            "free again")
        let outcome = #"{"appointment":"A-1","attended":true}"#
        #expect(
            try course.tell(
                Course.coach, "appointment.record-outcome", "2026-02-20T10:59:59Z", outcome)
                == "not-ended")
        #expect(
            try course.tell(
                Course.coach, "appointment.record-outcome", "2026-02-20T11:00:00Z", outcome)
                == "accepted")
        #expect(
            try course.tell(Course.coach, "appointment.cancel", "2026-02-20T11:00:00Z", cancel)
                == "appointment-not-open")
        #expect(try course.show("appointments", "S-1").word("history.0.status") == "held")
    }

    @Test("R1: forbidden names the thing that is another's, and who asked")
    func forbidden() throws {
        let graduate = try Graduate(#""appointmentsOpenMax":1"#).course
        try graduate.accept(
            Course.coach, "slot.offer", "2026-02-12",
            #"{"slot":"SL-1","coach":"C-1","startsAt":"2026-02-20T10:00:00Z","minutes":30,"#
                + #""joinUrl":"u"}"#)
        try graduate.accept(
            Course.student, "appointment.book", "2026-02-18",
            #"{"appointment":"AP-1","student":"S-1","slot":"SL-1"}"#)
        for by in ["student:S-2", "coach:C-9"] {
            let refused = try graduate.outcome(
                by, "appointment.cancel", "2026-02-18", #"{"appointment":"AP-1"}"#)
            #expect(
                refused.word("message")
                    == "The actor may not do this: appointment AP-1, asked by \(by).")
        }
        let course = try Course()
        _ = try course.record("R-1", week: 1, at: "2026-01-20")
        let refused = try course.outcome(
            "coach:C-9", "feedback.give", "2026-01-21",
            #"{"recording":"R-1","audio":"f","seconds":9}"#)
        #expect(
            refused.word("message")
                == "The actor may not do this: recording R-1, asked by coach:C-9.")
    }
}

/// S-1 has graduated Level 4 on 2026-02-05, reviewed the results and, if wanted, gone on to Advanced.
struct Graduate {
    let course: Course

    init(_ policy: String, enrolls: Bool = true) throws {
        course = try Course.bare(
            policy: #""weeksPerSemester":3,"eocOpensWeek":3,"requiredSubmissions":0,"# + policy)
        try course.stage()
        try course.accept(
            Course.admin, "eoc.define", "2026-01-02",
            #"{"level":4,"description":"d","passage":\#(Course.passage)}"#)
        try course.register("S-1", "female", "America/New_York")
        try course.accept(
            Course.student, "assessment.submit", "2026-01-05",
            #"{"student":"S-1","audio":"a","seconds":60}"#)
        try course.accept(
            Course.coach, "student.place", "2026-01-06",
            #"{"student":"S-1","level":4,"coach":"C-1","enrollment":"E-1","semester":"SEM-1"}"#)
        try course.finishSetUp("S-1")
        #expect(try course.submitEOC(at: "2026-02-04") == "accepted")
        #expect(try course.evaluate(passed: true, at: "2026-02-05") == "accepted")
        try course.accept(
            Course.student, "eoc.review-results", "2026-02-05T10:00:00Z", #"{"enrollment":"E-1"}"#)
        if enrolls {
            try course.accept(
                Course.student, "advanced.enroll", "2026-02-11", #"{"student":"S-1"}"#)
        }
    }
}
