import Core
import QuranFlowEvents
import TestSupport
import Testing

@Suite struct `QuranFlow's people` {
    @Test("R1: the checks come in their order") func order() throws {
        let course = try Course()
        let data =
            #"{"enrollment":"E-9","recording":"R-1","week":1,"audio":"a","seconds":1,"confirmed":true}"#
        #expect(try course.tell("coach:C-1", "recording.submit", "2026-01-20", data) == "forbidden")
        #expect(
            try course.tell(Course.student, "recording.submit", "2026-01-20", data) == "not-found")
        #expect(
            try course.tell(Course.student, "recording.submit", "2026-01-20", "{}") == "malformed")
        let own = data.replacing("E-9", with: "E-1")
        #expect(
            try course.tell("student:S-2", "recording.submit", "2026-01-20", own) == "forbidden")
        #expect(
            try course.tell(Course.student, "recording.submit", "2026-01-20", own) == "accepted")
        // An id that exists comes before the row's codes, and those before the clock.
        #expect(
            try course.tell(Course.student, "recording.submit", "2026-01-01", own)
                == "already-exists")
        let place =
            #"{"student":"S-1","level":2,"coach":"C-1","enrollment":"E-7","semester":"SEM-1"}"#
        #expect(try course.tell("coach:C-8", "student.place", "2026-01-20", place) == "forbidden")
        #expect(
            try course.tell("coach:C-1", "student.place", "2026-01-01", place) == "already-placed")
        let zone = #"{"student":"S-1","timeZone":"UTC","source":"chosen"}"#
        #expect(
            try course.tell(Course.student, "timezone.choose", "2026-01-01", zone) == "clock-behind"
        )
    }

    @Test("R2: an erased person is named no more, and their id is never given again") func erased()
        throws
    {
        let course = try Course()
        _ = try course.record("R-1", week: 1, at: "2026-01-20")
        #expect(
            try course.tell(
                "student:S-2", "account.erase", "2026-01-21", #"{"subject":"quranflow/S-1"}"#)
                == "forbidden")
        try course.accept(
            Course.student, "account.erase", "2026-01-21", #"{"subject":"quranflow/S-1"}"#)
        #expect(
            try course.tell(
                "system", "account.erase", "2026-01-21", #"{"subject":"quranflow/S-1"}"#)
                == "not-found")
        #expect(
            try course.tell(
                Course.admin, "enrollment.withdraw", "2026-01-22", #"{"enrollment":"E-1"}"#)
                == "not-found")
        #expect(
            try course.tell(
                Course.admin, "coach.register", "2026-01-22",
                #"{"coach":"S-1","name":"N","gender":"male"}"#) == "already-exists")
        #expect(try course.show("today", "S-1").isNull)
        #expect(try course.show("work-queue", "C-1").number("total") == 0)
        #expect(try course.show("cohort", "SEM-1").number("students") == 1)
        #expect(try course.show("timers.pending").number("total") == 0)
        #expect(
            try course.show("week", "E-1", ["week": "1"]).word("submission.history.0.recording")
                == "R-1")
        #expect(try course.advance("2026-03-30") == [])
    }

    @Test("R2: an erased coach is called Your coach") func erasedCoach() throws {
        let course = try Course()
        _ = try course.record("R-1", week: 1, at: "2026-01-20")
        _ = try course.answer("R-1", at: "2026-01-20T10:00:00Z")
        try course.accept("system", "account.erase", "2026-01-21", #"{"subject":"quranflow/C-1"}"#)
        let week = try course.show("week", "E-1", ["week": "1"])
        #expect(week.word("feedback.items.0.title") == "Your coach's Feedback")
        #expect(week.part("feedback.items.0.coachName").isNull)
        #expect(week.word("feedback.items.0.audio") == "f", "sealed with the student's key")
        #expect(try course.show("today", "S-1").word("primary.title") == "Feedback from Your coach")
    }

    @Test("R3: the current enrolment is the one opened last") func current() throws {
        let course = try Course()
        try course.schedule("SEM-2", "2026-02-21", "America/New_York")
        try course.accept(
            Course.student, "enrollment.withdraw", "2026-01-20", #"{"enrollment":"E-1"}"#)
        try course.accept(
            Course.student, "enrollment.open", "2026-01-21",
            #"{"enrollment":"E-2","student":"S-1","semester":"SEM-2"}"#)
        #expect(try course.show("today", "S-1").word("enrollment") == "E-2")
        #expect(try course.show("learn", "S-1").word("pastLevels.0.outcome") == "withdrawn")
    }

    @Test("R10: placement is late after its due instant, not at it") func placement() throws {
        for (at, late) in [("2026-01-07T09:00:00Z", false), ("2026-01-07T09:00:01Z", true)] {
            let course = try Course.bare()
            try course.stage()
            try course.register("S-1", "female", "UTC")
            let assessment = #"{"student":"S-1","audio":"a","seconds":60}"#
            try course.accept(
                Course.student, "assessment.submit", "2026-01-05T09:00:00Z", assessment)
            #expect(
                try course.tell(Course.student, "assessment.submit", "2026-01-06", assessment)
                    == "assessment-pending")
            let outcome = try course.outcome(
                Course.coach, "student.place", at,
                #"{"student":"S-1","level":2,"coach":"C-1","enrollment":"E-1","semester":"SEM-1"}"#)
            let placed = outcome.part("events").array?.first {
                $0["type"]?.string == "quranflow.student.placed"
            }
            #expect(placed?.part("data.late").bool == late)
            #expect(
                try course.tell(Course.student, "assessment.submit", "2026-01-08", assessment)
                    == "already-placed")
        }
    }

    @Test("R11: a coach has the student's gender, and work passes to the one assigned last")
    func coach() throws {
        let course = try Course()
        try course.accept(
            Course.admin, "coach.register", "2026-01-08",
            #"{"coach":"C-2","name":"Coach Yusuf","gender":"male"}"#)
        try course.accept(
            Course.admin, "coach.register", "2026-01-08",
            #"{"coach":"C-3","name":"Coach Maryam","gender":"female"}"#)
        _ = try course.record("R-1", week: 1, at: "2026-01-20")
        let assign = #"{"enrollment":"E-1","coach":"C-2"}"#
        #expect(
            try course.tell(Course.admin, "coach.assign", "2026-01-21", assign)
                == "coach-gender-mismatch")
        let other = #"{"enrollment":"E-1","coach":"C-3"}"#
        #expect(
            try course.events(Course.admin, "coach.assign", "2026-01-21", other) == [
                "coach.assigned", "notification.raised",
            ])
        #expect(
            try course.tell(Course.admin, "coach.assign", "2026-01-21", other) == "already-assigned"
        )
        #expect(try course.answer("R-1", at: "2026-01-22") == "forbidden")
        #expect(try course.show("work-queue", "C-1").number("total") == 0)
        #expect(try course.show("work-queue", "C-3").number("total") == 1)
    }

    @Test("R12: which level may be opened, by whom and when") func openLevel() throws {
        let course = try Course()
        try course.schedule(
            "SEM-2", "2026-02-21", "America/New_York",
            more: #","enrollmentOpensAt":"2026-02-10T00:00:00Z""#)
        let open = #"{"enrollment":"E-2","student":"S-1","semester":"SEM-2"}"#
        #expect(
            try course.tell(Course.student, "enrollment.open", "2026-01-20", open)
                == "already-enrolled")
        try course.accept(
            Course.admin, "enrollment.withdraw", "2026-01-20", #"{"enrollment":"E-1"}"#)
        #expect(
            try course.tell(Course.student, "enrollment.open", "2026-01-21", open)
                == "enrollment-not-open")
        let named = #"{"enrollment":"E-2","student":"S-1","semester":"SEM-2","level":3}"#
        #expect(
            try course.tell(Course.student, "enrollment.open", "2026-01-21", named) == "forbidden")
        #expect(
            try course.tell(Course.admin, "enrollment.open", "2026-01-21", named)
                == "level-not-open")
        #expect(
            try course.tell(
                Course.admin, "enrollment.open", "2026-01-21", named.replacing(":3", with: ":1"))
                == "accepted")
        #expect(try course.advance("2026-02-10") == [], "nobody is between levels")
    }

    @Test("R13: set-up goes step by step, and only a font takes the third") func setUp() throws {
        let course = try Course.bare()
        try course.stage()
        try course.register("S-1", "female", "UTC")
        func step(_ verb: String, _ number: Int) throws -> String {
            try course.tell(
                Course.student, "onboarding.\(verb)-step", "2026-01-07",
                #"{"student":"S-1","step":\#(number)}"#)
        }
        #expect(try step("take", 1) == "not-placed")
        // Chosen before step 3 is next: it does not take it.
        try course.accept(
            Course.student, "font.choose", "2026-01-04", #"{"student":"S-1","font":"amiri-quran"}"#)
        try course.accept(
            Course.student, "assessment.submit", "2026-01-05",
            #"{"student":"S-1","audio":"a","seconds":60}"#)
        try course.accept(
            Course.coach, "student.place", "2026-01-06",
            #"{"student":"S-1","level":2,"coach":"C-1","enrollment":"E-1","semester":"SEM-1"}"#)
        #expect(try step("take", 2) == "step-out-of-order")
        #expect(try step("skip", 1) == "step-mandatory")
        #expect(try step("take", 1) == "accepted")
        #expect(try step("skip", 2) == "accepted")
        #expect(try step("take", 3) == "font-required")
        #expect(
            try course.events(
                Course.student, "font.choose", "2026-01-07",
                #"{"student":"S-1","font":"amiri-quran"}"#) == [
                    "font.chosen", "onboarding.step-taken",
                ])
        #expect(try step("skip", 4) == "accepted")
        #expect(try course.primary() == "onboarding")
        #expect(try step("take", 5) == "accepted")
        #expect(try step("take", 5) == "onboarding-complete")
        #expect(try course.show("onboarding", "S-1").word("steps.1.state") == "skipped")
    }

    @Test("R14: a passage is never recorded in a font that was not chosen") func font() throws {
        let course = try Course.bare()
        try course.stage()
        try course.register("S-1", "female", "UTC")
        try course.accept(
            Course.student, "assessment.submit", "2026-01-05",
            #"{"student":"S-1","audio":"a","seconds":60}"#)
        try course.accept(
            Course.coach, "student.place", "2026-01-06",
            #"{"student":"S-1","level":2,"coach":"C-1","enrollment":"E-1","semester":"SEM-1"}"#)
        let week = try course.show("week", "E-1", now: "2026-01-18")
        #expect(week.word("submission.font") == "amiri-quran")
        #expect(week.number("submission.fontSize") == 28)
        #expect(try course.record("R-1", week: 1, at: "2026-01-20") == "font-not-chosen")
        #expect(
            try course.tell(
                Course.student, "font.choose", "2026-01-20", #"{"student":"S-1","font":"arial"}"#)
                == "unknown-font")
        try course.accept(
            Course.student, "font.choose", "2026-01-20",
            #"{"student":"S-1","font":"simplified-arabic","size":40}"#)
        try course.accept(
            Course.student, "font.choose", "2026-01-20", #"{"student":"S-1","font":"amiri-quran"}"#)
        #expect(try course.show("settings", "S-1").number("fontSize") == 40, "the last given")
        #expect(try course.record("R-1", week: 1, at: "2026-01-20") == "accepted")
    }
}
