import Core
import TafawoqEvents
import TafawoqFacts
import TestSupport
import Testing

/// What the specifications ask of whole ways through the product.
@Suite struct `Tafawoq as its specifications ask` {
    @Test("R29: an exam that was left can be ended at once, and another one ends it")
    func leftExams() throws {
        let hall = try Hall(#""exam.resumeSeconds":86400,"exam.incompleteCounts":true"#)
        try hall.makePremium(at: "08:30")
        try hall.sit("EX-1", at: "09:00")
        #expect(try hall.on("EX-1", "exam.leave", at: "09:01") == "accepted")
        #expect(try hall.show("access", "S-1", now: "09:02").word("exam.replaces") == "EX-1")
        let started = try hall.outcome(
            "student:S-1", "exam.start", "09:02", #"{"student":"S-1","exam":"EX-2"}"#)
        #expect(started.types == ["exam.abandoned", "exam.started"])
        #expect(started.fact("exam.abandoned").word("reason") == "not-resumed")
        #expect(try hall.deliver("EX-2", at: "09:02:10") == "accepted")
        #expect(try hall.on("EX-1", "exam.resume", at: "09:03") == "not-suspended")
        #expect(try hall.on("EX-2", "exam.leave", at: "09:04") == "accepted")
        let ended = try hall.outcome(
            "student:S-1", "exam.abandon", "09:05", #"{"exam":"EX-2"}"#)
        #expect(ended.fact("exam.abandoned").word("reason") == "left")
        #expect(try hall.on("EX-2", "exam.abandon", at: "09:06") == "exam-not-open")
        #expect(try hall.show("access", "S-1", now: "09:06").text("exam.replaces") == "null")
    }

    @Test("R24, R29: where exams are limited, who left one starts no other")
    func leftExamThatCounts() throws {
        let hall = try Hall(#""exam.resumeSeconds":86400,"exam.incompleteCounts":true"#)
        try hall.sit("EX-1", at: "09:00")
        #expect(try hall.on("EX-1", "exam.leave", at: "09:01") == "accepted")
        #expect(try hall.start("EX-2", at: "09:02") == "exam-in-progress")
        #expect(try hall.on("EX-1", "exam.resume", at: "09:03") == "accepted")
    }

    @Test(
        "R10, R38: the free tier is called as the policy says, and takes any number of categories")
    func defaults() throws {
        let hall = try Hall()
        #expect(try hall.show("access", "S-1").word("badge") == "Free Tier")
        #expect(try hall.show("access", "S-1").text("practice.categories") == "null")
        try hall.adopt(#""free.label":"free-plan","free.practiceCategories":2"#, at: "09:00")
        #expect(try hall.show("access", "S-1").word("badge") == "Free Plan")
        #expect(try hall.show("access", "S-1").text("practice.categories") == "2")
    }

    @Test("R45: nobody is prompted until the policy says after how many days") func inactivity()
        throws
    {
        let hall = try Hall(#""reminder.mode":"scheduled""#)
        #expect(try hall.advance("27 00:00") == [])
        try hall.adopt(#""engagement.inactiveDays":7"#, at: "27 01:00")
        #expect(try hall.advance("28 00:00") == ["notification.raised"])
    }

    @Test("R30: only a question that was never answered is left out, a few of them, each listed")
    func voids() throws {
        let hall = try Hall(#""question.imageFailure":"void","question.voids":2"#)
        try hall.sit(
            "EX-1", at: "09:00", drawing: #","image":{"status":"ready","ref":"r","alt":"مثلث"}"#)
        let void = { (question: String) in
            try hall.tell(
                "student:S-1", "question.void", "09:02",
                #"{"of":"exam","id":"EX-1","question":"\#(question)"}"#)
        }
        _ = try hall.answer("EX-1", at: "09:01", Hall.answers([8], at: "09:01"))
        let cleared =
            #"[{"question":"q8","choice":null,"answeredAt":"2026-02-01T09:01:30Z","seconds":1}]"#
        _ = try hall.answer("EX-1", at: "09:01:30", cleared)
        #expect(try void("q8") == "already-answered")
        #expect(try void("q9") == "accepted")
        #expect(try void("q10") == "accepted")
        #expect(try void("q11") == "void-limit")
        let flags = try hall.show("flags")
        #expect(flags.text("voided.0.value") == "2")
        #expect(flags.count("voided") == 2)
        #expect(flags.text("total") == "0")
    }

    @Test("R40: a practice counts from answer to answer, an open one adds nothing")
    func practiceTime() throws {
        let hall = try Hall(#""practice.idleSeconds":600"#)
        let done = try hall.finishPractice("PR-1", at: "09:00", until: "27 09:00", right: 2)
        #expect(done.fact("practice.completed").text("seconds") == "600")
        let short = try hall.finishPractice("PR-2", at: "27 10:00", until: "27 10:05", right: 2)
        #expect(short.fact("practice.completed").text("seconds") == "300")
        #expect(short.fact("practice.completed").text("totalSeconds") == "900")
    }

    @Test("R8: who signed out is signed out; who never signed in is trusted by the envelope")
    func signedOut() throws {
        let hall = try Hall()
        try hall.sit("EX-1", at: "09:00")
        #expect(try hall.signIn("SE-1", at: "09:01") == "accepted")
        #expect(
            try hall.tell("student:S-1", "session.close", "09:02", #"{"session":"SE-1"}"#)
                == "accepted")
        #expect(try hall.on("EX-1", "exam.leave", at: "09:03") == "session-required")
        #expect(
            try hall.show("log", ["family": "auth"]).word("entries.0.code") == "session-required")
        #expect(
            try hall.tell(
                "student:S-1", "otp.request", "09:03",
                #"{"student":"S-1","purpose":"reset","otpDigest":"\#(Hall.digest("r"))"}"#)
                == "accepted")
        #expect(try hall.signIn("SE-2", at: "09:04") == "accepted")
        #expect(try hall.on("EX-1", "exam.leave", at: "09:05") == "accepted")
        try hall.adopt(#""session.required":false"#, at: "09:06")
        _ = try hall.tell("student:S-1", "session.close", "09:07", #"{"session":"SE-2"}"#)
        #expect(try hall.start("EX-2", at: "09:08") == "accepted")
    }

    @Test("R49: each noun of a stream has a family") func families() {
        let named = Set(Tafawoq.payloads.flatMap(\.streams))
        let others = named.subtracting(["account", "session", "audit", "subscription"])
        #expect(!others.isEmpty)
        #expect(others.filter { Tafawoq.LogFamily(rawValue: $0) == nil } == [])
    }

    @Test("R49: what is about legal texts is a family of its own, kept as long as most")
    func legalFamily() throws {
        let hall = try Hall()
        #expect(
            try hall.tell(
                "admin:A", "legal.publish", "09:00",
                #"{"document":"terms","version":"2","text":"x","textAr":"y"}"#) == "accepted")
        #expect(try hall.show("log", ["family": "legal"]).count("entries") == 1)
    }

    @Test("R23: exams count in seven rolling days where the policy says so") func rollingDays()
        throws
    {
        let hall = try Hall(#""limit.window":"rolling-7-days""#)
        try hall.sit("EX-1", at: "7 23:00")
        let resets = { (now: String) in
            try hall.show("settings", "S-1", now: now).text("weekResetsAt")
        }
        #expect(try resets("7 23:29") == "null")
        _ = try hall.submit("EX-1", at: "7 23:30")
        #expect(try resets("8 00:30") == #""2026-02-14T23:00:00Z""#)
        #expect(try resets("14 22:59:59") == #""2026-02-14T23:00:00Z""#)
        #expect(try resets("14 23:00") == "null")
        // Another calendar week, and not yet seven days.
        #expect(try hall.start("EX-2", at: "8 00:30") == "weekly-exam-limit")
        #expect(try hall.start("EX-2", at: "14 22:59:59") == "weekly-exam-limit")
        #expect(try hall.start("EX-2", at: "14 23:00") == "accepted")
    }

    @Test("R25: a policy asks for diagrams, and for more than one question of a passage")
    func composition() throws {
        let hall = try Hall(#""exam.diagrams":1,"passage.questions":5"#)
        #expect(try hall.start("EX-1", at: "09:00") == "accepted")
        #expect(try hall.deliver("EX-1", at: "09:00") == "wrong-composition")
        try hall.adopt(#""passage.questions":4"#, at: "09:00")
        #expect(try hall.deliver("EX-1", at: "09:00") == "wrong-composition")
        #expect(
            try hall.deliver(
                "EX-1", at: "09:00", drawing: #","image":{"status":"failed","alt":"مثلث"}"#)
                == "accepted")
    }

    @Test("R50: legal texts have versions in both languages, and each student an accepted one")
    func legalTexts() throws {
        let hall = try Hall()
        let publish = { (version: String) in
            try hall.tell(
                Hall.admin, "legal.publish", "09:00",
                #"{"document":"terms","version":"\#(version)","text":"Terms \#(version)","textAr":"شروط"}"#
            )
        }
        let accept = { (version: String) in
            try hall.tell(
                "student:S-1", "legal.accept", "09:01",
                #"{"student":"S-1","document":"terms","version":"\#(version)"}"#)
        }
        #expect(try publish("2") == "accepted")
        #expect(try publish("2") == "already-exists")
        #expect(try accept("1") == "already-accepted")
        #expect(try accept("3") == "not-found")
        #expect(try hall.show("settings", "S-1").count("toAccept") == 0)
        try hall.adopt(#""legal.termsVersion":"2""#, at: "09:00")
        #expect(try hall.show("settings", "S-1").text("toAccept") == #"["terms"]"#)
        #expect(try hall.show("legal").word("terms.textAr") == "شروط")
        #expect(try hall.show("legal", ["version": "1"]).text("terms.text") == "null")
        #expect(try accept("2") == "accepted")
        #expect(try hall.show("settings", "S-1").count("toAccept") == 0)
        #expect(try hall.show("profile", "S-1").word("termsVersion") == "2")
    }

    @Test("R29: an abandoned exam shows what was reached in each section") func partial() throws {
        let hall = try Hall()
        try hall.sit("EX-1", at: "09:00")
        _ = try hall.answer("EX-1", at: "09:10", Hall.answers(1...3, wrong: [3], at: "09:10"))
        #expect(try hall.show("exam-result", "EX-1").text("partial") == "null")
        _ = try hall.on("EX-1", "exam.leave", at: "09:11")
        let result = try hall.show("exam-result", "EX-1")
        #expect(
            result.text("partial.quantitative")
                == #"{"answered":3,"correct":2,"questions":20,"score":10}"#)
        #expect(try hall.show("exam-history", "S-1").text("exams.0.partial.verbal.answered") == "0")
    }

    @Test("R2: what students wrote is listed for the staff, until they are erased") func feedback()
        throws
    {
        let hall = try Hall(students: ["S-1", "S-2"])
        for student in ["S-1", "S-2"] {
            try hall.accept(
                "student:\(student)", "feedback.give", "09:00",
                #"{"student":"\#(student)","feedback":"F-\#(student)","about":"layout","text":"من \#(student)"}"#
            )
        }
        #expect(try hall.show("feedback").word("feedback.0.text") == "من S-2")
        #expect(try hall.show("feedback", ["about": "exam"]).text("total") == "0")
        try hall.accept("system", "account.erase", "09:01", #"{"subject":"tafawoq/S-2"}"#)
        #expect(try hall.show("feedback").text("total") == "1")
    }

    @Test("R12, R51: the price is known before checkout, the tour at any time") func access() throws
    {
        let hall = try Hall(#""price.monthlyMinor":4900"#)
        let access = try hall.show("access", "S-1")
        #expect(access.text("upgrade") == #"{"amountMinor":4900,"currency":"SAR","trialDays":7}"#)
        #expect(access.count("tour.screens") == 3)
        #expect(access.text("tour.finished") == "false")
        try hall.accept("student:S-1", "onboarding.finish", "09:00", #"{"student":"S-1"}"#)
        #expect(try hall.show("access", "S-1").text("tour.finished") == "true")
        #expect(try hall.show("journey").text("tourFinished") == "1")
        try hall.makePremium(at: "10:00")
        #expect(try hall.show("access", "S-1").text("upgrade") == "null")
    }

    @Test("R6: a code is asked for by address, with the same answer whoever has it")
    func codeByAddress() throws {
        let hall = try Hall()
        let ask = { (by: String, address: String, at: String) in
            try hall.outcome(
                by, "otp.request", at,
                #"{"email":"\#(address)","purpose":"reset","otpDigest":"\#(Hall.digest("r"))"}"#)
        }
        #expect(try ask(Hall.service, "nobody@example.sa", "09:00").word("status") == "accepted")
        #expect(try ask(Hall.service, "nobody@example.sa", "09:00").types == [])
        #expect(try ask(Hall.service, " S-1@example.sa", "09:00").types == ["otp.issued"])
        // The cooldown shows nothing, either.
        #expect(try ask(Hall.service, "s-1@example.sa", "09:00:30").word("status") == "accepted")
        #expect(try ask(Hall.service, "s-1@example.sa", "09:00:30").types == [])
        #expect(try ask("student:S-1", "s-1@example.sa", "09:05").word("code") == "forbidden")
        #expect(
            try hall.tell(
                Hall.service, "password.reset", "09:01",
                #"{"student":"S-1","otpDigest":"\#(Hall.digest("r"))","password":\#(Hall.password("n"))}"#
            )
                == "accepted")
    }

    @Test("R46: a failure says what was asked for, how often, and how long it took")
    func failures() throws {
        let hall = try Hall()
        #expect(
            try hall.practise("PR-1", at: "09:00", "quantitative", ["geometry"], level: "hard")
                == "accepted")
        try hall.accept(
            Hall.service, "generation.fail", "09:00:07",
            #"{"of":"practice","id":"PR-1","reason":"provider-error","attempts":3}"#)
        let failure = try hall.show("generation-health", now: "09:01").text("failures.0")
        #expect(
            failure
                == #"{"at":"2026-02-01T09:00:07Z","attempts":3,"categories":["geometry"],"difficulty":"hard","id":"PR-1","of":"practice","reason":"provider-error","section":"quantitative","waitedSeconds":7}"#
        )
    }

    @Test("R44: `premium-only` names the feature in both languages") func feature() throws {
        let hall = try Hall()
        let refused = try hall.outcome(
            "student:S-1", "report.export", "09:00", #"{"student":"S-1","report":"RP-1"}"#)
        #expect(refused.word("message") == "This is part of Premium: reports of all results.")
        #expect(refused.word("messageAr")?.hasSuffix("تصدير تقارير الأداء.") == true)
    }

    @Test(
        "Numbers stand in the plural forms of both languages",
        arguments: [
            (0, "0 days", "0 يوم"), (1, "1 day", "يوم واحد"), (2, "2 days", "يومين"),
            (3, "3 days", "3 أيام"), (10, "10 days", "10 أيام"), (11, "11 days", "11 يومًا"),
            (99, "99 days", "99 يومًا"), (100, "100 days", "100 يوم"), (102, "102 days", "102 يوم"),
            (103, "103 days", "103 أيام"), (111, "111 days", "111 يومًا"),
        ])
    func plurals(count: Int, english: String, arabic: String) {
        #expect(Tafawoq.Counted.days.english(count) == english)
        #expect(Tafawoq.Counted.days.arabic(count) == arabic)
    }
}

extension Hall {
    /// A read model without a key, with arguments.
    fileprivate func show(_ model: String, _ arguments: [String: String]) throws -> JSON {
        try show(model, nil, now: nil, asOf: nil, arguments)
    }
}
