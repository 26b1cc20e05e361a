import Engine
import Core
import QuranFlowEvents
import TestSupport
import Testing

@Suite struct `QuranFlow's weeks` {
    @Test("R4: a week begins at midnight of its zone, across a change of the clock") func calendar()
        throws
    {
        let course = try Course.bare(policy: #""weeksPerSemester":2"#)
        #expect(
            try course.tell(
                Course.admin, "semester.schedule", "2026-01-02",
                #"{"semester":"X","name":"n","startsOn":"2026-03-15","timeZone":"UTC"}"#)
                == "wrong-weekday")
        // New York leaves winter time on 2026-03-08.
        let outcome = try course.outcome(
            Course.admin, "semester.schedule", "2026-01-02",
            #"{"semester":"A","name":"n","startsOn":"2026-03-07","timeZone":"America/New_York"}"#)
        let starts = outcome.part("events.0.data.weekStarts").array?.compactMap(\.string)
        #expect(starts == ["2026-03-07T05:00:00Z", "2026-03-14T04:00:00Z", "2026-03-21T04:00:00Z"])
        // Cairo's clock skips 00:00 on Friday 2026-04-24, Beirut's on Sunday 2026-03-29.
        let skipping = try Course.bare(policy: #""weeksPerSemester":1,"unlockWeekday":"sunday""#)
        let beirut = try skipping.outcome(
            Course.admin, "semester.schedule", "2026-01-02",
            #"{"semester":"A","name":"n","startsOn":"2026-03-29","timeZone":"Asia/Beirut"}"#)
        #expect(
            beirut.word("events.0.data.weekStarts.0") == "2026-03-28T22:00:00Z",
            "with the offset before")
    }

    @Test("R4: a calendar that leaves the years of texts is imported as it was exported")
    func farCalendar() throws {
        for (weekday, first) in [("saturday", "2199-12-28"), ("thursday", "1970-01-01")] {
            let course = try EngineOnDisk<QuranFlow>.bare(policy: #""unlockWeekday":"\#(weekday)""#)
            try course.schedule("SEM-9", first, "Asia/Tokyo")
            let export = try course.engine.exported()
            let copy = try EventEngine.imported(export)
            #expect(try copy.open().exported() == export)
            withExtendedLifetime(copy) {}
        }
    }

    @Test("R4: an enrolment's weeks may follow the student's zone, which later changes leave alone")
    func studentZone() throws {
        let course = try Course(#""weekZone":"student""#)
        try course.schedule("SEM-2", "2026-02-21", "Asia/Tokyo")
        try course.accept(
            Course.admin, "enrollment.withdraw", "2026-01-20", #"{"enrollment":"E-1"}"#)
        let outcome = try course.outcome(
            Course.student, "enrollment.open", "2026-01-20",
            #"{"enrollment":"E-2","student":"S-1","semester":"SEM-2"}"#)
        #expect(outcome.word("events.0.data.weekZone") == "America/New_York")
        #expect(outcome.word("events.0.data.weekStarts.0") == "2026-02-21T05:00:00Z")
        try course.accept(
            Course.student, "timezone.choose", "2026-01-21",
            #"{"student":"S-1","timeZone":"Asia/Dubai","source":"chosen"}"#)
        let header = try course.show("today", "S-1", now: "2026-01-22")
        #expect(header.word("header.nextUnlockAt.at") == "2026-02-21T05:00:00Z")
        #expect(header.word("header.nextUnlockAt.local") == "2026-02-21T09:00")
    }

    @Test("R5: a recording is on time before the next week begins, and a week unlocks at its start")
    func onTime() throws {
        for (at, onTime) in [("2026-01-24T04:59:59Z", true), ("2026-01-24T05:00:00Z", false)] {
            let course = try Course()
            _ = try course.record("R-1", week: 1, at: at)
            #expect(try course.show("submissions", "S-1").part("items.0.onTime").bool == onTime)
        }
        let course = try Course()
        #expect(try course.record("R-1", week: 2, at: "2026-01-24T04:59:59Z") == "week-locked")
        #expect(try course.record("R-1", week: 2, at: "2026-01-24T05:00:00Z") == "accepted")
        #expect(
            try course.show("week", "E-1", ["week": "2"]).word("dueAt.at") == "2026-01-31T04:59:00Z"
        )
    }

    @Test(
        "R6: opening in the middle counts from the week it falls in; one that is over opens no more"
    )
    func opening() throws {
        let course = try Course()
        try course.accept(
            Course.admin, "enrollment.withdraw", "2026-01-25", #"{"enrollment":"E-1"}"#)
        let open = #"{"enrollment":"E-2","student":"S-1","semester":"SEM-1"}"#
        let outcome = try course.outcome(Course.admin, "enrollment.open", "2026-01-25", open)
        let data = outcome.part("events.0.data")
        #expect(data.number("firstWeek") == 2)
        #expect(data.word("coach") == "C-1", "the coach to keep")
        #expect(data.word("closesAt") == "2026-02-21T05:00:00Z")
        try course.accept(
            Course.admin, "enrollment.withdraw", "2026-01-26", #"{"enrollment":"E-2"}"#)
        let again = open.replacing("E-2", with: "E-3")
        #expect(
            try course.tell(Course.admin, "enrollment.open", "2026-02-07T05:00:00Z", again)
                == "semester-over")
    }

    @Test("R7: phases change by themselves") func phases() throws {
        let course = try Course()
        let phases = try ["2026-01-17T04:59:59Z", "2026-01-17T05:00:00Z", "2026-01-31T05:00:00Z"]
            .map {
                try course.show("today", "S-1", now: $0).word("phase")
            }
        #expect(phases == ["pre-semester", "active", "eoc"])
        _ = try course.advance("2026-02-21T05:00:00Z")
        #expect(try course.show("today", "S-1").word("phase") == "lapsed")
    }

    @Test("R8: a countdown counts whole days, or dates if the policy says so") func countdown()
        throws
    {
        let course = try Course()
        func text() throws -> String? {
            try course.show("today", "S-1", now: "2026-01-23T04:00:00Z").word("header.countdown")
        }
        #expect(try text() == "1 day until Week 2 unlocks")
        try course.accept(
            Course.admin, "policy.adopt", "2026-01-08",
            #"{"changes":{"countdown":"calendar-days"}}"#)
        #expect(try text() == "2 days until Week 2 unlocks", "it is still Thursday in New York")
        #expect(
            try course.show("today", "S-1", now: "2026-01-24T04:30:00Z").word("header.countdown")
                == "1 day until Week 2 unlocks")
    }

    @Test("R9: the ring counts what the policy names") func ring() throws {
        for (ring, percent) in [
            ("weeks-elapsed", "33.33"), ("week-number", "66.67"), ("weeks-completed", "0"),
        ] {
            let course = try Course(#""progressRing":"\#(ring)""#)
            let header = try course.show("today", "S-1", now: "2026-01-25").part(
                "header.progressPercent")
            #expect(header.description == percent)
        }
        let course = try Course()
        #expect(
            try course.show("today", "S-1", now: "2026-02-08").part("header.progressPercent")
                .description == "100")
    }

    @Test("R15: a video is watched from the threshold on, for good, and resumes where it stopped")
    func videos() throws {
        let course = try Course()
        #expect(try course.watch("V2-1a", to: 101, at: "2026-01-18") == "position-past-end")
        #expect(try course.watch("V2-2a", to: 10, at: "2026-01-18") == "week-locked")
        #expect(try course.watch("V2-9a", to: 10, at: "2026-01-18") == "not-found")
        let watch = { (position: Int) in
            try course.events(
                Course.student, "video.watch", "2026-01-18",
                #"{"student":"S-1","video":"V2-1a","position":\#(position)}"#)
        }
        #expect(try watch(89).last == "video.progressed")
        #expect(try watch(90) == ["video.progressed", "video.watched"])
        #expect(try watch(100) == ["video.progressed"])
        let lesson = try course.show("week", "E-1").part("lesson")
        #expect(lesson.number("videos.0.resumeAt") == 0)
        #expect(lesson.word("state") == "in-progress")
        let complete = #"{"enrollment":"E-1","week":1}"#
        #expect(
            try course.tell(Course.student, "lesson.complete", "2026-01-18", complete)
                == "videos-unwatched")
        #expect(try course.completeLesson(week: 1, at: "2026-01-18") == "accepted")
        #expect(
            try course.tell(Course.student, "lesson.complete", "2026-01-18", complete)
                == "already-complete")
        try course.accept(Course.student, "lesson.reopen", "2026-01-18", complete)
        #expect(
            try course.tell(Course.student, "lesson.reopen", "2026-01-18", complete)
                == "lesson-not-complete")
        #expect(try course.show("week", "E-1").part("lesson.canComplete").bool == true)
    }

    @Test("R16: the EOC unlocks once, with whatever makes both conditions hold") func unlock()
        throws
    {
        let course = try Course(#""submissionCountsWhen":"feedback-given""#)
        _ = try course.record("R-1", week: 1, at: "2026-01-20")
        _ = try course.record("R-2", week: 2, at: "2026-01-27")
        _ = try course.answer("R-1", at: "2026-01-28")
        #expect(!(try course.advance("2026-01-31T05:00:00Z")).contains("eoc.unlocked"))
        let feedback = #"{"recording":"R-2","audio":"f","seconds":9}"#
        #expect(
            try course.events(Course.coach, "feedback.give", "2026-02-01", feedback) == [
                "feedback.given", "notification.raised", "eoc.unlocked", "notification.raised",
            ])
        #expect(try course.show("eoc", "E-1").word("state") == "available")
        let early = try Course()
        _ = try early.record("R-1", week: 1, at: "2026-01-20")
        _ = try early.record("R-2", week: 2, at: "2026-01-27")
        #expect((try early.advance("2026-01-31T05:00:00Z")).contains("eoc.unlocked"))
    }

    @Test("R17: no more than the limit in a programme week, all weeks together") func limit() throws
    {
        let course = try Course()
        #expect(try course.record("R-1", week: 1, at: "2026-01-20") == "accepted")
        #expect(try course.record("R-2", week: 1, at: "2026-01-24T04:59:59Z") == "accepted")
        #expect(try course.record("R-3", week: 1, at: "2026-01-24T04:59:59Z") == "submission-limit")
        let week = try course.show("week", "E-1", now: "2026-01-24T04:59:59Z", ["week": "1"])
        #expect(week.word("submission.attemptsText") == "0 of 2 Attempts Remaining")
        #expect(week.word("submission.nextAttemptAt.at") == "2026-01-24T05:00:00Z")
        #expect(try course.record("R-3", week: 1, at: "2026-01-24T05:00:00Z") == "accepted")
    }

    @Test("R17: a rolling period forgets what is exactly as old as it is long") func rolling()
        throws
    {
        let course = try Course(#""submissionPeriod":"rolling","submissionPeriodDays":3"#)
        _ = try course.record("R-1", week: 1, at: "2026-01-20T10:00:00Z")
        _ = try course.record("R-2", week: 1, at: "2026-01-21T10:00:00Z")
        #expect(try course.record("R-3", week: 1, at: "2026-01-23T09:59:59Z") == "submission-limit")
        let check = try course.show("submission-check", "E-1", now: "2026-01-22")
        #expect(check.word("nextAttemptAt.at") == "2026-01-23T10:00:00Z")
        #expect(check.word("code") == "submission-limit")
        #expect(try course.record("R-3", week: 1, at: "2026-01-23T10:00:00Z") == "accepted")
    }

    @Test("R18: any unlocked week, in any order, again, until the closing") func anyWeek() throws {
        let course = try Course()
        #expect(try course.record("R-1", week: 2, at: "2026-02-01") == "accepted")
        #expect(try course.record("R-2", week: 2, at: "2026-02-02") == "accepted")
        #expect(try course.record("R-3", week: 4, at: "2026-02-03") == "no-such-week")
        #expect(
            try course.show("week", "E-1", ["week": "2"]).number("submission.history.1.attempt")
                == 2)
        let unconfirmed =
            #"{"enrollment":"E-1","recording":"R-9","week":1,"audio":"a","seconds":1,"confirmed":false}"#
        #expect(
            try course.tell(Course.student, "recording.submit", "2026-02-08", unconfirmed)
                == "not-confirmed")
        #expect(try course.record("R-3", week: 1, at: "2026-02-21T04:59:59Z") == "accepted")
        #expect(try course.record("R-4", week: 1, at: "2026-02-21T05:00:00Z") == "semester-closed")
    }

    @Test(
        "R19: behind counts weeks that are over without a recording; overdue begins at the due instant"
    )
    func behind() throws {
        let course = try Course()
        _ = try course.record("R-1", week: 1, at: "2026-01-20T12:00:00Z")
        #expect(try course.show("today", "S-1", now: "2026-01-31T04:59:59Z").part("banner").isNull)
        #expect(
            try course.show("today", "S-1", now: "2026-01-31T05:00:00Z").number("banner.behind")
                == 1)
        #expect(
            try course.show("work-queue", "C-1", now: "2026-01-22T11:59:59Z").number("overdue") == 0
        )
        #expect(
            try course.show("work-queue", "C-1", now: "2026-01-22T12:00:00Z").number("overdue") == 1
        )
        #expect(try course.advance("2026-01-22T12:00:00Z").contains("feedback.fell-due"))
        let outcome = try course.outcome(
            Course.coach, "feedback.give", "2026-01-22T12:00:00Z",
            #"{"recording":"R-1","audio":"f","seconds":9}"#)
        #expect(outcome.part("events.0.data.late").bool == false, "late is after the due instant")
        #expect(outcome.number("events.0.data.waitedSeconds") == 172_800)
    }
}
