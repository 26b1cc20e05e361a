import Core
import QuranFlowEvents
import TestSupport
import Testing

/// Coaches who leave, help that is answered, and what staff may correct.
@Suite struct `QuranFlow's staff` {
    private func addCoach(_ course: Course, _ coach: String, _ gender: String = "female") throws {
        try course.accept(
            Course.admin, "coach.register", "2026-01-08",
            #"{"coach":"\#(coach)","name":"Coach \#(coach)","gender":"\#(gender)"}"#)
    }

    @Test("R38: a coach who retires hands over, and the queues follow") func handsOver() throws {
        let course = try Course()
        try addCoach(course, "C-2")
        try addCoach(course, "C-3", "male")
        _ = try course.record("R-1", week: 1, at: "2026-01-20")
        func retire(_ successor: String) throws -> String {
            try course.tell(
                Course.admin, "coach.retire", "2026-01-21",
                #"{"coach":"C-1","successor":"\#(successor)"}"#)
        }
        #expect(try retire("C-1") == "already-assigned")
        #expect(try retire("C-3") == "coach-gender-mismatch")
        #expect(
            try course.events(
                Course.admin, "coach.retire", "2026-01-21", #"{"coach":"C-1","successor":"C-2"}"#)
                == ["coach.retired", "coach.assigned", "notification.raised"])
        #expect(try course.show("work-queue", "C-1").number("total") == 0)
        #expect(try course.show("work-queue", "C-2").word("items.0.id") == "R-1")
        #expect(try course.show("unassigned").number("total") == 0)
    }

    @Test("R38: without a successor enrolments stand without a coach, and admins see them")
    func leavesUnassigned() throws {
        let course = try Course()
        _ = try course.record("R-1", week: 1, at: "2026-01-20")
        #expect(
            try course.events(Course.admin, "coach.retire", "2026-01-21", #"{"coach":"C-1"}"#)
                == ["coach.retired", "coach.unassigned"])
        #expect(
            try course.advance("2026-01-22T09:00:00Z").last == "feedback.fell-due",
            "nobody is told that it is overdue")
        let entry = try course.show("unassigned").part("items.0")
        #expect(entry.word("enrollment") == "E-1" && entry.number("overdue") == 1)
        #expect(try course.show("cohort", "SEM-1").number("unassigned") == 1)
        try addCoach(course, "C-2")
        try course.accept(
            Course.admin, "coach.assign", "2026-01-23", #"{"enrollment":"E-1","coach":"C-2"}"#)
        #expect(try course.show("unassigned").number("total") == 0)
        #expect(try course.show("work-queue", "C-2").number("overdue") == 1)
    }

    @Test("R38: an erased coach's enrolments wait for another, too") func erasedCoach() throws {
        let course = try Course()
        try course.accept(
            Course.admin, "account.erase", "2026-01-21", #"{"subject":"quranflow/C-1"}"#)
        #expect(try course.show("unassigned").word("items.0.enrollment") == "E-1")
        #expect(try course.show("cohort", "SEM-1").number("unassigned") == 1)
    }

    @Test("R11, R38: staff correct a gender, and a coach who does not suit is taken away")
    func gender() throws {
        let course = try Course()
        let correct = #"{"student":"S-1","gender":"male"}"#
        #expect(
            try course.tell(Course.student, "student.correct-gender", "2026-01-08", correct)
                == "forbidden")
        #expect(
            try course.events(Course.admin, "student.correct-gender", "2026-01-08", correct)
                == ["student.gender-corrected", "coach.unassigned"])
        #expect(
            try course.tell(Course.admin, "student.correct-gender", "2026-01-08", correct)
                == "nothing-changed")
        let profile = try course.show("profile", "S-1")
        #expect(profile.word("gender") == "male" && profile.part("coach").isNull)
    }

    @Test("R39: questions are answered, and the student sees it") func help() throws {
        let course = try Course()
        try course.accept(
            Course.student, "support.request", "2026-01-08",
            #"{"student":"S-1","request":"HR-1","category":"billing","text":"Why?"}"#)
        try course.accept(
            Course.student, "message.send", "2026-01-09",
            #"{"student":"S-1","message":"M-1","text":"When?"}"#)
        func reply(_ by: String, _ data: String) throws -> String {
            try course.tell(by, "help.reply", "2026-01-10", "{\(data),\"text\":\"So.\"}")
        }
        let toRequest = #""request":"HR-1","reply":"RP-1""#
        #expect(try reply(Course.student, toRequest) == "forbidden")
        #expect(try reply(Course.coach, toRequest) == "forbidden", "a request is the staff's")
        #expect(try reply(Course.admin, toRequest) == "accepted")
        #expect(try reply(Course.admin, toRequest) == "already-exists")
        #expect(try reply("coach:C-9", #""message":"M-1","reply":"RP-1""#) == "forbidden")
        #expect(try reply(Course.coach, #""message":"M-1","reply":"RP-1""#) == "accepted")
        #expect(try reply(Course.admin, #""message":"M-9","reply":"RP-1""#) == "not-found")
        #expect(try reply(Course.admin, #""reply":"RP-1""#) == "malformed")
        let items = try course.show("help", "S-1").part("items").array ?? []
        #expect(items.map { $0.word("id") } == ["M-1", "HR-1"])
        #expect(items.map { $0.word("replies.0.author") } == ["coach", "admin"])
        #expect(items.first?.word("replies.0.name") == "Coach Amina")
        #expect(try course.show("help-requests").part("items.0.answered").bool == true)
        let notice = try course.show("notifications", "student:S-1").part("items.0")
        #expect(notice.word("title") == "Reply to your message" && notice.word("text") == "So.")
        try course.accept(
            Course.student, "account.erase", "2026-01-11", #"{"subject":"quranflow/S-1"}"#)
        #expect(try course.show("help", "S-1").isNull)
        #expect(try course.show("help-requests").part("items.0.text").isNull)
    }

    @Test("R10: one who waits for a placement is told until when; all payments can be read")
    func profile() throws {
        let course = try Course.bare()
        try course.stage()
        try course.register("S-1", "female", "America/New_York")
        try course.accept(
            Course.student, "assessment.submit", "2026-01-05",
            #"{"student":"S-1","audio":"a","seconds":60}"#)
        #expect(
            try course.show("profile", "S-1").word("placementDueAt.at") == "2026-01-07T09:00:00Z")
        for number in 1...9 {
            try course.accept(
                "service:pay", "payment.record", "2026-01-06",
                #"{"student":"S-1","payment":"P-\#(number)","amount":1,"currency":"USD","#
                    + #""description":"d"}"#)
        }
        let payments = try course.show("payments", "S-1")
        #expect(payments.number("total") == 9 && payments.word("items.8.payment") == "P-1")
        #expect(
            try course.show("profile", "S-1").part("subscription.payments").array?.count == 7)
    }

    @Test("R27: a week says which of its live sessions were attended") func attendance() throws {
        let course = try Course()
        for (session, start) in [("A", "2026-01-20T20:00:00Z"), ("B", "2026-01-21T20:00:00Z")] {
            try course.accept(
                Course.admin, "session.schedule", "2026-01-08",
                #"{"session":"\#(session)","kind":"office-hours","title":"T","coach":"C-1","#
                    + #""startsAt":"\#(start)","minutes":60,"joinUrl":"u","gender":"all"}"#)
        }
        for session in ["A", "B"] {
            try course.accept(
                Course.student, "rsvp.make", "2026-01-18",
                #"{"session":"\#(session)","student":"S-1"}"#)
        }
        try course.accept(
            Course.student, "session.join", "2026-01-20T20:00:00Z",
            #"{"session":"A","student":"S-1"}"#)
        let week = try course.show("week", "E-1", now: "2026-01-22", ["week": "1"])
        #expect(week.part("attendance.percent").description == "50")
        #expect(week.word("attendance.items.1.session") == "B")
        #expect(week.part("attendance.items.1.joined").bool == false)
        let notices = try course.show("notifications", "student:S-1").part("items").array ?? []
        #expect(
            notices.contains { $0.word("title") == "Office Hours starting in 15 minutes -- Week 1" }
        )
    }

    @Test("V2: the switch of deadlines holds back reminders, not news") func switches() throws {
        let course = try Course()
        try course.accept(
            Course.student, "notifications.choose", "2026-01-08",
            #"{"student":"S-1","deadlines":false}"#)
        #expect(
            try course.advance("2026-01-24T05:00:00Z") == [
                "week.unlocked", "notification.raised", "week.unlocked", "notification.raised",
            ])
    }

    @Test("a passage has ayahs in order, and of a surah's number") func passages() throws {
        let course = try Course.bare()
        func define(_ from: Int, _ to: Int) throws -> String {
            try course.tell(
                Course.admin, "eoc.define", "2026-01-02",
                #"{"level":1,"description":"d","passage":{"surah":"s","from":\#(from),"to":\#(to),"#
                    + #""text":"t"}}"#)
        }
        #expect(try define(9, 1) == "malformed")
        #expect(try define(0, 1) == "malformed")
        #expect(try define(1, 287) == "malformed")
        #expect(try define(1, 286) == "accepted")
        #expect(try define(7, 7) == "accepted")
    }

    @Test("R17: a refusal names the limit and the value") func refusals() throws {
        let course = try Course(#""commentMaxCharacters":3"#)
        _ = try course.record("R-1", week: 1, at: "2026-01-20T10:00:00Z")
        _ = try course.record("R-2", week: 1, at: "2026-01-20T10:01:00Z")
        func message(_ command: String, _ data: String) throws -> String? {
            try course.outcome(Course.student, command, "2026-01-20T10:02:00Z", data).word(
                "message")
        }
        let third =
            #"{"enrollment":"E-1","recording":"R-3","week":1,"audio":"r","seconds":5,"confirmed":true}"#
        #expect(
            try message("recording.submit", third)
                == "All attempts of the period are used: 2 of 2, the next opens at 2026-01-24T05:00:00Z."
        )
        #expect(
            try message("message.send", #"{"student":"S-1","message":"M-1","text":"1234"}"#)
                == "The text is too long: 4 characters, at most 3.")
        #expect(
            try message("video.watch", #"{"student":"S-1","video":"V2-1a","position":101}"#)
                == "The position lies behind the video's end: second 101 of 100.")
    }

    @Test func `a value that no policy can have is refused with what may be given`() throws {
        let course = try Course.bare()
        let long = String(repeating: "x", count: 20_001)
        func adopt(_ changes: String) throws -> JSON {
            try course.outcome(
                Course.admin, "policy.adopt", "2026-01-02", #"{"changes":{\#(changes)}}"#)
        }
        let fonts = "all different, each a text of 1 to 20000 characters"
        let texts = "a list of 4, each a text of 1 to 20000 characters"
        let address = "at most 254 characters, or null"
        let hours = "a list of at most 5, each a whole number from 1 to 167"
        let day = "one of monday, tuesday, wednesday, thursday, friday, saturday, sunday"
        let refused: [(changes: String, allowed: String)] = [
            (#""fonts":["\#(long)"]"#, fonts),
            (#""fonts":["a","a"]"#, fonts),
            (#""levelNames":["\#(long)","b","c","d"]"#, texts),
            (#""levelDescriptions":["a"]"#, texts),
            (#""coachTeamEmail":"a b@example.org""#, address),
            (#""coachTeamEmail":"a@b""#, address),
            (#""coachTeamEmail":"\#(long)""#, address),
            (#""deadlineReminderHours":[168]"#, hours),
            (#""deadlineReminderHours":[9,9]"#, hours),
            (#""advancedEnrollmentOpensOn":"soon""#, "a date such as 2026-01-17, or null"),
            (#""unlockWeekday":"Saturday""#, day),
            (#""businessDays":[]"#, "a list of 1 to 7 different days, monday to sunday"),
            (#""onboardingSkippable":[3]"#, "a list, all different, each one of 2, 4, 5"),
        ]
        for (changes, allowed) in refused {
            let outcome = try adopt(changes)
            #expect(outcome.word("code") == "policy-value-invalid", "\(allowed)")
            #expect(outcome.word("message")?.hasSuffix("\(allowed).") == true, "\(allowed)")
        }
        for changes in [
            #""fonts":["\#(long.dropLast())"]"#, #""coachTeamEmail":"a@example.org""#,
            #""coachTeamEmail":"desk""#, #""coachTeamEmail":null"#,
        ] {
            #expect(try adopt(changes).word("status") == "accepted")
        }
    }

    @Test("R1: texts have a length, numbers a range") func bounds() throws {
        let course = try Course.bare()
        func register(_ name: String, _ email: String) throws -> String {
            try course.tell(
                "service:signup", "student.register", "2026-01-03",
                #"{"student":"S-9","name":"\#(name)","email":"\#(email)","gender":"female","#
                    + #""timeZone":"UTC"}"#)
        }
        #expect(try register(String(repeating: "n", count: 201), "e") == "malformed")
        #expect(try register("N", "not an email") == "malformed")
        #expect(try register("N", "a@b") == "malformed")
        #expect(try register(String(repeating: "n", count: 200), "a@b.org") == "accepted")
        try course.stage()
        let lesson =
            #"{"level":2,"week":53,"topic":"T","objectives":[],"#
            + #""videos":[{"video":"V","title":"T","seconds":9}],"passage":\#(Course.passage)}"#
        #expect(
            try course.tell(Course.admin, "lesson.publish", "2026-01-03", lesson) == "malformed")
        #expect(
            try course.tell(
                Course.admin, "lesson.publish", "2026-01-03",
                lesson.replacing("53", with: "52").replacing(
                    "\"seconds\":9", with: "\"seconds\":86401"))
                == "malformed")
    }
}
