import Core
import LearnableEvents
import TestSupport
import Testing

@Suite struct `Access to Learnable` {
    @Test("R5, R7: a trial is over at its very end, whether or not the timer has fired")
    func trial() throws {
        let school = try Lessons(empty: ())
        try school.join()
        let early = try school.show("access", "S-1", now: "2026-03-03T08:00:00.001Z")
        #expect(early["daysRemaining"] == .integer(5))
        #expect(early["endsAt"] == .string("2026-03-08T08:00:00Z"))
        #expect(
            try school.show("access", "S-1", now: "2026-03-08T07:59:59Z")["access"]
                == .string("trial"))
        #expect(
            try school.show("access", "S-1", now: "2026-03-08T08:00:00Z")["access"]
                == .string("none"))
        #expect(
            try school.timers() == [
                "trial-reminder 2026-03-05T08:00:00Z", "trial-end 2026-03-08T08:00:00Z",
            ])
        // At the instant of the timer the command comes first, and is refused all the same.
        #expect(
            try school.tell(
                "student:S-1", "draft.start", "2026-03-08T08:00:00Z",
                #""student":"S-1","draft":"DR-1""#) == "subscription-required")
        try school.advance("2026-03-08T08:00:00Z")
        let told = try school.show("notifications", "S-1")["notifications"]?.array ?? []
        #expect(told.map { $0["notification"]?.string } == ["trial-ended", "trial-ending"])
        #expect(told[1]["facts"] == .object(of: [("daysRemaining", .integer(3))]))
    }

    @Test("R7, R47: a device has one trial; under another policy the account alone counts")
    func devices() throws {
        let school = try Lessons(empty: ())
        func join(_ student: String, _ at: String) throws -> [String] {
            let outcome = try school.outcome(
                "student:\(student)", "student.join", at,
                #""student":"\#(student)","timeZone":"UTC""#, device: "D-1")
            return (outcome["events"]?.array ?? []).compactMap { $0["type"]?.string }
        }
        #expect(try join("S-1", "2026-03-01T08:00:00Z").last == "learnable.trial.started")
        #expect(try join("S-2", "2026-03-01T09:00:00Z").last == "learnable.trial.refused")
        #expect(try school.show("account", "S-2")["trialUsed"] == .bool(false))
        #expect(try school.show("audit.rejections")["total"] == .integer(1))
        // Also of an account that is deleted since.
        try school.tell(
            "student:S-1", "account.delete", "2026-03-01T10:00:00Z",
            #""student":"S-1","confirmed":true"#)
        #expect(try join("S-3", "2026-03-01T11:00:00Z").last == "learnable.trial.refused")
        #expect(try join("S-1", "2026-03-01T12:00:00Z") == [])
        try school.adopt(
            #""trial.tracking":"account","trial.remindDaysBefore":0"#, at: "2026-03-01T12:00:00Z")
        #expect(try join("S-4", "2026-03-01T13:00:00Z").last == "learnable.trial.started")
        #expect(try school.timers() == ["trial-end 2026-03-08T13:00:00Z"])
    }

    @Test("R35, R45: study before joining or starting over is not recorded")
    func studyBefore() throws {
        let school = try Lessons(empty: ())
        try school.join()
        func record(_ from: String, _ to: String, at: String) throws -> String {
            try school.tell(
                "student:S-1", "study.record", at,
                #""student":"S-1","activity":"lecture","from":"\#(from)","to":"\#(to)""#)
        }
        let at = "2026-03-01T09:00:00Z"
        #expect(
            try record("2026-03-01T07:59:59Z", "2026-03-01T08:30:00Z", at: at) == "span-invalid")
        #expect(
            try record("2026-02-27T08:00:00Z", "2026-02-27T09:00:00Z", at: at) == "span-invalid")
        #expect(try record("2026-03-01T08:00:00Z", "2026-03-01T08:30:00Z", at: at) == "accepted")
        #expect(
            try school.tell(
                "student:S-1", "student.start-over", "2026-03-02T08:00:00Z",
                #""student":"S-1","confirmed":true"#) == "accepted")
        #expect(
            try record("2026-03-01T08:00:00Z", "2026-03-01T08:30:00Z", at: "2026-03-02T09:00:00Z")
                == "span-invalid")
    }

    @Test("R44: a quick-quiz reminder comes only where an optional quiz can be taken")
    func quickQuiz() throws {
        let school = try Lessons(empty: ())
        try school.join()
        try school.subject("SU")
        try school.complete("SU", "1.1", at: "2026-03-01T09:30:00Z")
        try school.pool("SU", "1.1", (1...4).map { "Q-\($0)" }, at: "2026-03-01T09:30:00Z")
        let own = #""student":"S-1""#
        try school.tell("student:S-1", "app.open", "2026-03-01T10:00:00Z", own)
        try school.tell(
            "student:S-1", "reminders.configure", "2026-03-01T10:00:00Z",
            own + #","quickQuiz":true,"quickQuizFrequency":"daily""#)
        #expect(try !school.timers().contains { $0.hasPrefix("quick-quiz-reminder") })
        try school.adopt(#""quiz.optionalQuestions":4"#, at: "2026-03-01T11:00:00Z")
        #expect(
            try school.timers().contains("quick-quiz-reminder 2026-03-01T17:00:00Z"))
    }

    @Test("R7: a trial needs a device; without one it begins when the app is opened on one")
    func awaited() throws {
        let school = try Lessons(empty: ())
        func tell(
            _ student: String, _ command: String, _ at: String, device: String? = nil,
            _ more: String = ""
        ) throws -> [String] {
            let outcome = try school.outcome(
                "student:\(student)", command, at, #""student":"\#(student)"\#(more)"#,
                device: device)
            // Not what others' timers recorded before it.
            return (outcome["events"]?.array ?? []).filter {
                $0["data"]?["student"] == .string(student)
            }.compactMap { $0["type"]?.string?.replacing("learnable.", with: "") }
        }
        let zone = #","timeZone":"UTC""#
        #expect(
            try tell("S-1", "student.join", "2026-03-01T08:00:00Z", zone) == ["student.joined"])
        #expect(try school.timers() == [])
        #expect(try tell("S-1", "app.open", "2026-03-01T08:01:00Z") == ["app.opened"])
        let waiting = try school.show("access", "S-1")
        #expect(waiting["access"] == .string("none"))
        #expect(
            waiting["notice"] == .string("Open the app on a device to start your free trial"))
        // The trial lasts from then.
        #expect(
            try tell("S-1", "app.open", "2026-03-03T09:00:00Z", device: "D-1") == [
                "trial.started", "app.opened",
            ])
        #expect(try school.show("access", "S-1")["endsAt"] == .string("2026-03-10T09:00:00Z"))
        #expect(
            try tell("S-1", "app.open", "2026-03-03T10:00:00Z", device: "D-2") == ["app.opened"])
        // The device is used up, for whoever comes by either way.
        #expect(
            try tell("S-2", "student.join", "2026-03-04T08:00:00Z", zone) == ["student.joined"])
        #expect(
            try tell("S-2", "app.open", "2026-03-04T08:00:00Z", device: "D-1") == [
                "trial.refused", "app.opened",
            ])
        // Refused once is refused for good, on whichever device the app is opened next.
        #expect(
            try tell("S-2", "app.open", "2026-03-04T09:00:00Z", device: "D-3") == ["app.opened"])
        #expect(
            try school.show("access", "S-2")["notice"] == .string("Subscribe to continue"))
        // Who subscribes forgoes the trial (R8).
        #expect(
            try tell("S-3", "student.join", "2026-03-05T08:00:00Z", zone) == ["student.joined"])
        #expect(
            try school.tell(
                "service:pay", "subscription.activate", "2026-03-05T08:01:00Z",
                #""student":"S-3","plan":"P","paidUntil":"2026-03-06T00:00:00Z","payment":"PAY""#)
                == "accepted")
        try school.advance("2026-03-07T00:00:00Z")
        #expect(
            try tell("S-3", "app.open", "2026-03-07T08:00:00Z", device: "D-4") == ["app.opened"])
        // Where the account alone counts, no device is asked for.
        try school.adopt(#""trial.tracking":"account""#, at: "2026-03-08T08:00:00Z")
        #expect(
            try tell("S-4", "student.join", "2026-03-08T09:00:00Z", zone) == [
                "student.joined", "trial.started",
            ])
    }

    @Test("R6: what a need asks without access")
    func needs() throws {
        let school = try Lessons(empty: ())
        try school.adopt(
            #""access.afterTrial":"premium-features","subjects.freeLimit":1,"trial.days":1"#)
        try school.join()
        try school.subject("SU-1")
        let later = "2026-03-05T08:00:00Z"
        #expect(
            try school.tell("student:S-1", "draft.start", later, #""student":"S-1","draft":"DR-9""#)
                == "subject-limit")
        #expect(
            try school.tell("student:S-1", "topic.open", later, #""subject":"SU-1","topic":"1.1""#)
                == "accepted")
        #expect(
            try school.tell(
                "student:S-1", "chat.send", later,
                #""subject":"SU-1","topic":"1.1","message":"M","blocks":[{"kind":"text","text":"?"}]"#
            )
                == "subscription-required")
        #expect(
            try school.tell(
                "student:S-1", "offer.publish", later,
                #""offer":"OF-1","subject":"SU-1","price":{"amount":0,"currency":"USD"},"summary":"S""#
            )
                == "subscription-required")
        let access = try school.show("access", "S-1", now: later)
        #expect(access["subjectLimit"] == .integer(1))
        #expect(access["subjectsHeld"] == .integer(1))
    }

    @Test("R8, R9: a subscription runs until its end is recorded")
    func subscription() throws {
        let school = try Lessons(empty: ())
        try school.join()
        let end = "2026-04-01T00:00:00Z"
        #expect(
            try school.events(
                "service:pay", "subscription.activate", "2026-03-02T00:00:00Z",
                #""student":"S-1","plan":"P","paidUntil":"\#(end)","payment":"X""#)
                == ["trial.ended", "subscription.activated"])
        #expect(try school.show("account", "S-1")["verified"] == .bool(true))
        #expect(try school.show("account", "S-1", now: end)["verified"] == .bool(false))
        #expect(
            try school.tell(
                "service:pay", "subscription.renew", end,
                #""student":"S-1","paidUntil":"2026-05-01T00:00:00Z","payment":"Y""#) == "accepted")
        try school.tell("student:S-1", "subscription.cancel", end, #""student":"S-1""#)
        #expect(
            try school.tell("student:S-1", "subscription.cancel", end, #""student":"S-1""#)
                == "already-cancelled")
        #expect(try school.show("access", "S-1")["options"] == .array([]))
        try school.advance("2026-05-01T00:00:00Z")
        let told = try school.show("notifications", "S-1")["notifications"]?.array?.first
        #expect(told?["facts"] == .object(of: [("reason", .string("cancelled"))]))
        #expect(
            try school.tell(
                "service:pay", "subscription.refund", "2026-05-02T00:00:00Z",
                #""student":"S-1","payment":"Y""#)
                == "not-subscribed")
    }

    @Test("R44: reminders come once a day, while the app was opened lately and there is a reason")
    func reminders() throws {
        let school = try Lessons(empty: ())
        try school.join(zone: "Europe/Berlin")
        let own = { (timers: [String]) in timers.filter { !$0.hasPrefix("trial") } }
        #expect(own(try school.timers()) == [])
        try school.tell("student:S-1", "app.open", "2026-03-01T09:00:00Z", #""student":"S-1""#)
        #expect(own(try school.timers()) == ["study-reminder 2026-03-01T18:00:00Z"])
        try school.tell(
            "student:S-1", "study.record", "2026-03-01T10:00:00Z",
            #""student":"S-1","activity":"lecture","from":"2026-03-01T09:00:00Z","to":"2026-03-01T09:05:00Z""#
        )
        #expect(own(try school.timers()) == ["study-reminder 2026-03-02T18:00:00Z"])
        try school.adopt(
            #""reminder.studyWhen":"too-short","reminder.studyAt":"21:30""#,
            at: "2026-03-01T10:00:00Z")
        #expect(own(try school.timers()) == ["study-reminder 2026-03-01T20:30:00Z"])
        // Nothing brings back a moment that has passed.
        try school.adopt(#""reminder.studyAt":"10:30""#, at: "2026-03-01T10:01:00Z")
        #expect(own(try school.timers()) == ["study-reminder 2026-03-02T09:30:00Z"])
        // Access ends on the eighth, the quiet days later: the last one is that of the eighth at 10:30.
        try school.advance("2026-03-20T00:00:00Z")
        let told = (try school.show("notifications", "S-1")["notifications"]?.array ?? []).filter {
            $0["notification"] == .string("study-reminder")
        }
        #expect(told.map { $0["day"]?.string } == (2...7).reversed().map { "2026-03-0\($0)" })
        #expect(own(try school.timers()) == [])
    }

    @Test("R44: the quick quiz is missed once a week, and a quiz or a reminder silences it")
    func quickQuizThatIsTaken() throws {
        let school = try Lessons(empty: ())
        try school.adopt(#""reminder.quietAfterDays":365,"trial.days":300"#)
        try school.join()
        try school.subject("SU-1")
        try school.complete("SU-1", "1.1", at: "2026-03-01T10:00:00Z")
        try school.pool("SU-1", "1.1", (1...5).map { "Q-\($0)" }, at: "2026-03-01T10:00:00Z")
        try school.tell("student:S-1", "app.open", "2026-03-01T10:01:00Z", #""student":"S-1""#)
        try school.tell(
            "student:S-1", "reminders.configure", "2026-03-01T10:02:00Z",
            #""student":"S-1","quickQuiz":true,"dailyQuiz":false,"study":false"#)
        try school.advance("2026-03-10T00:00:00Z")
        #expect(try school.timers().first == "quick-quiz-reminder 2026-03-15T17:00:00Z")
        try school.tell(
            "student:S-1", "quiz.begin", "2026-03-10T09:00:00Z",
            #""student":"S-1","quiz":"QZ","kind":"optional""#)
        for question in 1...5 {
            try school.answer("QZ", "Q-\(question)", right: true, at: "2026-03-10T09:01:00Z")
        }
        #expect(try school.show("quiz", "QZ")["state"] == .string("completed"))
        #expect(try school.timers().first == "quick-quiz-reminder 2026-03-17T17:00:00Z")
        let told = try school.show("notifications", "S-1")["notifications"]?.array ?? []
        #expect(
            told.filter { $0["notification"] == .string("quick-quiz-reminder") }.map {
                $0["day"]?.string
            } == ["2026-03-08", "2026-03-01"])
    }
}
