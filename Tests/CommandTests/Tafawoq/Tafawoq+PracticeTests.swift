import Engine
import Core
import TafawoqEvents
import TestSupport
import Testing

@Suite struct `Tafawoq's practice and reminders` {
    @Test("R36: practice advises another level beyond the borders") func advice() throws {
        let hall = try Hall()
        let done = try hall.finishPractice("PR-1", at: "09:00", until: "09:05", right: 2)
        #expect(
            done.fact("practice.completed").text("advice").hasPrefix(
                #"[{"code":"raise-difficulty","difficulty":"hard"}"#))
        let half = try hall.finishPractice("PR-2", at: "10:00", until: "10:05", right: 1)
        #expect(
            half.fact("practice.completed").text("advice").hasPrefix(
                #"[{"code":"keep-difficulty","difficulty":"medium"}"#))
        let poor = try hall.finishPractice("PR-3", at: "11:00", until: "11:05", right: 0)
        #expect(
            poor.fact("practice.completed").text("advice")
                == #"[{"code":"lower-difficulty","difficulty":"easy"},{"code":"related-section","section":"verbal"}]"#
        )
    }

    @Test("R38, R39: categories fit the section, shares are even, deliveries follow the plan")
    func plans() throws {
        let hall = try Hall()
        let mixed = ["analogies", "geometry"]
        #expect(try hall.practise("PR-1", at: "09:00", "mixed", ["geometry"]) == "bad-categories")
        #expect(try hall.practise("PR-1", at: "09:00", "verbal", mixed) == "bad-categories")
        #expect(
            try hall.practise("PR-1", at: "09:00", "verbal", ["analogies", "analogies"])
                == "bad-categories")
        #expect(try hall.practise("PR-1", at: "09:00", "verbal", ["algebra"]) == "bad-categories")
        #expect(
            try hall.practise("PR-1", at: "09:00", "mixed", mixed, questions: 1)
                == "too-few-questions")
        #expect(
            try hall.practise("PR-1", at: "09:00", "mixed", mixed, questions: 6)
                == "practice-question-limit")
        #expect(try hall.practise("PR-1", at: "09:00", "mixed", mixed, questions: 5) == "accepted")
        #expect(try hall.practise("PR-2", at: "09:00") == "practice-in-progress")
        #expect(
            try hall.show("practice-result", "PR-1").text("chosenCategories")
                == #"["geometry","analogies"]"#, "track order")
        let right = (1...5).map {
            Hall.question(
                $0, $0 < 4 ? "geometry" : "analogies", $0 < 4 ? "quantitative" : "verbal", seed: "p"
            )
        }
        #expect(
            try hall.deliverPractice("PR-1", at: "09:00:05", Array(right.dropFirst()))
                == "wrong-composition")
        let hard = right.map { $0.replacing("medium", with: "hard") }
        #expect(try hall.deliverPractice("PR-1", at: "09:00:05", hard) == "wrong-composition")
        #expect(try hall.deliverPractice("PR-1", at: "09:00:05", right) == "accepted")
    }

    @Test("R40, R41: practice time adds up to milestones, each once") func milestones() throws {
        let hall = try Hall(#""milestones.practiceHours":[1],"milestones.exams":[1]"#)
        _ = try hall.finishPractice("PR-1", at: "09:00", until: "09:30", right: 2)
        let done = try hall.finishPractice("PR-2", at: "10:00", until: "10:30", right: 1)
        #expect(done.fact("practice.completed").text("totalSeconds") == "3600")
        #expect(done.fact("milestone.reached").word("milestone") == "practice-hours-1")
        let hours = try hall.show("practice-hours", "S-1")
        #expect(hours.text("hours") == "1")
        #expect(hours.part("weeks").isNull)
        try hall.sit("EX-1", at: "11:00")
        let exam = try hall.submit("EX-1", at: "11:30", Hall.answers(1...7, at: "11:20"))
        #expect(
            exam.types.suffix(4) == [
                "milestone.reached", "notification.raised", "milestone.reached",
                "notification.raised",
            ])
        #expect(
            try hall.show("notifications", "S-1").word("notifications.0.textAr")
                == "أحسنت! حققت إنجازًا جديدًا: العلامة الكاملة في العمليات الأساسية.")
    }

    @Test("R40: as of an instant only the practices that count are hours") func hoursToldLate()
        throws
    {
        let hall = try EngineOnDisk<Tafawoq>()
        _ = try hall.finishPractice("PR-1", at: "12:00", until: "12:10", right: 2)
        _ = try hall.finishPractice("PR-2", at: "10:00", until: "10:20", right: 2)
        let now = try hall.show("dashboard", "S-1")
        #expect(now.text("practiceHours") == "0.5")
        let then = try hall.show("dashboard", "S-1", asOf: "11:00")
        #expect(then.text("practiceHours") == "0.33", "the one told first ended later")
        let hours = try hall.show("practice-hours", "S-1", asOf: "11:00")
        #expect(hours.text("hours") == "0.33")
    }

    @Test("R42: a topic that is switched off says nothing") func topics() throws {
        let hall = try Hall(#""milestones.practiceHours":[1]"#)
        let topic = { (name: String) in #"{"student":"S-1","topic":"\#(name)"}"# }
        #expect(
            try hall.tell("student:S-1", "notification.enable", "08:30", topic("milestone"))
                == "already-enabled")
        try hall.accept("student:S-1", "notification.disable", "08:30", topic("milestone"))
        let done = try hall.finishPractice("PR-1", at: "09:00", until: "10:00", right: 2)
        #expect(done.types.last == "milestone.reached")
        #expect(try hall.show("notifications", "S-1").text("total") == "0")
        try hall.accept(
            "student:S-1", "device.enrol", "10:00", #"{"student":"S-1","pushToken":"t"}"#,
            device: "D-1")
        try hall.advance("2 00:00")
        #expect(
            try hall.show("notifications", "S-1").text("notifications.0.channels")
                == #"["in-app","push"]"#)
    }

    @Test("R43: the weekly reminder comes once a week, anew after each change") func weekly() throws
    {
        let hall = try Hall(#""engagement.inactiveDays":36500"#)
        #expect(try hall.advance("1 16:00") == ["notification.raised"])
        #expect(try hall.advance("8 15:59:59") == [])
        try hall.adopt(#""reminder.weekSecond":60"#, at: "8 15:59:59")
        #expect(try hall.advance("15 00:00:59") == [])
        #expect(try hall.advance("15 00:01") == ["notification.raised"])
        #expect(
            try hall.show("notifications", "S-1").word("notifications.0.facts.weekStart")
                == "2026-02-15T00:00:00Z")
        try hall.adopt(#""reminder.mode":"scheduled""#, at: "16 00:00")
        #expect(try hall.advance("28 00:00") == [])
    }

    private func schedule(_ hall: Hall, _ study: String, _ starts: String, _ rhythm: String) throws
        -> String
    {
        try hall.tell(
            "student:S-1", "study.schedule", "09:00",
            #"{"student":"S-1","study":"\#(study)","startsAt":"\#(Hall.instant(starts))","repeat":"\#(rhythm)"}"#
        )
    }

    @Test("R44: study times remind ahead, as often as they come") func studies() throws {
        let hall = try Hall(#""reminder.mode":"scheduled","engagement.inactiveDays":36500"#)
        #expect(try schedule(hall, "ST-1", "10:00", "daily") == "premium-only")
        #expect(try schedule(hall, "ST-1", "09:00", "once") == "bad-schedule")
        #expect(try schedule(hall, "ST-1", "09:10", "once") == "accepted")
        #expect(
            try hall.show("settings", "S-1").word("studyTimes.0.nextReminderAt")
                == "2026-02-01T09:10:00Z", "too near for the lead")
        try hall.makePremium(at: "09:00")
        #expect(try schedule(hall, "ST-2", "10:00", "daily") == "accepted")
        #expect(try hall.advance("09:45") == ["notification.raised", "notification.raised"])
        #expect(try hall.advance("3 09:45") == ["notification.raised", "notification.raised"])
        #expect(
            try hall.show("notifications", "S-1").word("notifications.0.facts.startsAt")
                == "2026-02-03T10:00:00Z")
        try hall.accept("student:S-1", "study.cancel", "3 10:00", #"{"study":"ST-2"}"#)
        #expect(
            try hall.tell("student:S-1", "study.cancel", "3 10:00", #"{"study":"ST-2"}"#)
                == "already-cancelled")
        #expect(try hall.advance("5 09:45") == [])
    }

    @Test("R45: who does nothing for a week is prompted once") func inactivity() throws {
        let hall = try Hall(#""reminder.mode":"scheduled","engagement.inactiveDays":7"#)
        #expect(try hall.advance("8 08:00") == ["notification.raised"])
        #expect(try hall.advance("28 00:00") == [])
        #expect(
            try hall.show("notifications", "S-1").text("notifications.0.facts")
                == #"{"inactiveDays":7}"#)
        let other = try Hall(#""reminder.mode":"scheduled","engagement.inactiveDays":30"#)
        try other.adopt(#""engagement.inactiveDays":2"#, at: "10 00:00")
        #expect(try other.advance("10 00:00") == ["notification.raised"], "not before the adoption")
    }

    @Test("R46: failures beyond a number in the window alert once; so does the quota") func alerts()
        throws
    {
        let hall = try Hall(
            #""alert.generationFailures":2,"exam.intervalSeconds":0,"alert.windowSeconds":600"#)
        var types: [String] = []
        for number in 1...3 {
            _ = try hall.start("EX-\(number)", at: "09:0\(number)")
            types = try hall.events(
                "service:g", "generation.fail", "09:0\(number)",
                #"{"of":"exam","id":"EX-\#(number)","reason":"invalid-output","attempts":1}"#)
            #expect(
                types
                    == (number == 2
                        ? ["generation.failed", "alert.raised"] : ["generation.failed"]))
        }
        let quota = { (used: String) in
            try hall.events(
                "service:g", "quota.report", "09:05",
                #"{"usedPercent":\#(used),"resetsAt":"2026-02-02T00:00:00Z"}"#)
        }
        #expect(try quota("79.99") == ["quota.reported"])
        #expect(try quota("80") == ["quota.reported", "alert.raised"])
        #expect(try quota("99") == ["quota.reported"])
        #expect(try hall.show("alerts").text("total") == "2")
        #expect(try hall.show("generation-health").text("alert") == "true")
    }

    @Test("R46: the window looks at instants, however late a failure is told") func toldLate()
        throws
    {
        let hall = try Hall(#""alert.generationFailures":1000,"alert.windowSeconds":600"#)
        let fail = { (practice: String, at: String) in
            #expect(try hall.practise(practice, at: at) == "accepted")
            try hall.accept(
                Hall.service, "generation.fail", at,
                #"{"of":"practice","id":"\#(practice)","reason":"invalid-output","attempts":1}"#)
        }
        try fail("PR-0", "09:00")
        for number in 1...70 { try fail("PR-\(number)", "20:00") }
        try fail("PR-71", "09:09:59")
        for (now, failed) in [("09:09:59", "2"), ("09:10", "1"), ("19:59", "0"), ("20:00", "70")] {
            let health = try hall.show("generation-health", now: now)
            #expect(health.text("failed") == failed, "\(now)")
            #expect(health.text("requested") == failed, "\(now)")
        }
        let failures = try hall.show("generation-health", now: "20:00")
        #expect(failures.count("failures") == 50)
        #expect(failures.word("failures.0.id") == "PR-70")
        #expect(failures.word("failures.49.id") == "PR-21")
    }

    @Test("R47: of each peer the last practice of the same kind counts") func lastOfPeers() throws {
        let hall = try Hall(
            #""peers.enabled":true,"peers.minimum":2"#, students: ["S-1", "S-2", "S-3"])
        _ = try hall.finishPractice("PR-1", at: "09:00", until: "09:05", right: 1)
        try hall.makePremium(at: "09:10")
        _ = try hall.finishPractice("PR-2", at: "09:20", until: "09:25", right: 2, student: "S-2")
        _ = try hall.finishPractice("PR-3", at: "09:30", until: "09:35", right: 0, student: "S-2")
        let percentile = { try hall.show("practice-result", "PR-1").text("comparison.percentile") }
        #expect(try percentile() == "null", "one other is too few")
        _ = try hall.finishPractice("PR-4", at: "09:40", until: "09:45", right: 2, student: "S-3")
        #expect(try percentile() == "50")
        try hall.accept(
            Hall.admin, "account.erase", "09:50", #"{"subject":"tafawoq/S-3"}"#)
        #expect(try percentile() == "null", "who is erased is nobody")
    }

    @Test("R47: peers are counted only when there are enough") func peers() throws {
        let hall = try Hall(
            #""peers.enabled":true,"peers.minimum":2,"trial.days":7"#,
            students: ["S-1", "S-2", "S-3"])
        _ = try hall.finishPractice("PR-2", at: "09:00", until: "09:05", right: 0, student: "S-2")
        _ = try hall.finishPractice("PR-1", at: "09:10", until: "09:15", right: 1)
        try hall.makePremium(at: "09:20")
        #expect(try hall.show("practice-result", "PR-1").part("comparison.percentile").isNull)
        _ = try hall.finishPractice("PR-3", at: "09:30", until: "09:35", right: 1, student: "S-3")
        #expect(try hall.show("practice-result", "PR-1").text("comparison.percentile") == "75")
    }

    @Test("R1: numbers of an export that somebody changed end no program") func changedExport()
        throws
    {
        let hall = try EngineOnDisk<Tafawoq>(
            #""engagement.inactiveDays":7,"advice.trackWeight":110"#)
        try hall.sit("EX-1", at: "09:00")
        _ = try hall.submit("EX-1", at: "09:30", Hall.answers(1...12, at: "09:10"))
        let lines = try hall.engine.exported()
        let largest = "9007199254740991"
        for (name, value) in [("inactiveDays", "7"), ("trackWeight", "110"), ("number", "1")] {
            let changed = lines.map {
                $0.replacing("\(name)\":\(value)", with: "\(name)\":\(largest)")
            }
            #expect(changed != lines, "\(name)")
            let journal = try EventEngine.imported(changed)
            let engine = try journal.open()
            for model in ["access", "dashboard", "notifications", "practice-options", "settings"] {
                #expect(
                    try engine.show("tafawoq.\(model)", key: "S-1", ShowRequest()).bytes.count > 4)
            }
        }
    }

    @Test("R48: a category improves when it never falls and ends above") func directions() throws {
        let hall = try Hall(#""free.examsPerWeek":null"#)
        for (number, wrong) in [Set(1...3), Set(1...3), Set(1...1)].enumerated() {
            let hour = "\(10 + number):00"
            try hall.sit("EX-\(number)", at: hour)
            let end = "\(10 + number):30"
            _ = try hall.submit(
                "EX-\(number)", at: end, Hall.answers(1...40, wrong: wrong, at: hour))
        }
        let board = try hall.show("dashboard", "S-1")
        #expect(board.word("categories.0.direction") == "improving")
        #expect(board.word("categories.1.direction") == "steady")
        #expect(try hall.show("trends", "S-1").text("exams.2.change") == "5")
    }

    @Test("R49: the log tells families and levels, forgets in time, and names nobody") func log()
        throws
    {
        let hall = try Hall()
        _ = try hall.start("EX-1", at: "09:00")
        try hall.advance("09:01")
        let failed = try hall.show("log", nil, ["level": "ERROR"])
        #expect(failed.word("entries.0.family") == "generation")
        #expect(failed.word("entries.0.code") == "timeout")
        #expect(failed.word("entries.0.user") == "4a01da7194ef8e13")
        let auth = try hall.show("log", nil, ["family": "auth"])
        #expect(auth.word("entries.0.type") == "tafawoq.profile.completed")
        #expect(!auth.text("entries").contains("example.sa"))
        let later = try hall.show("log", nil, now: "2026-06-01T00:00:00Z")
        #expect(later.text("total") == auth.text("total"), "only auth is kept so long")
        #expect(
            try hall.show("log", nil, now: "2027-03-01T00:00:00Z").text("total") == "0")
    }
}
