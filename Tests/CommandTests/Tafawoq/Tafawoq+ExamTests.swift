import Core
import TafawoqEvents
import TestSupport
import Testing

@Suite struct `Tafawoq's exams` {
    @Test("R22, R23: a week begins where the policy says, and counts what was started in it")
    func weeks() throws {
        let hall = try Hall(#""exam.intervalSeconds":0"#)
        try hall.sit("EX-1", at: "7 23:59:59")
        _ = try hall.submit("EX-1", at: "8 00:10")
        #expect(
            try hall.start("EX-2", at: "8 00:11") == "accepted", "of the week it was started in")
        try hall.accept("student:S-1", "exam.leave", "8 00:11:10", #"{"exam":"EX-2"}"#)
        #expect(try hall.start("EX-3", at: "8 00:13") == "accepted", "a failed one never counts")
        #expect(try hall.deliver("EX-3", at: "8 00:13") == "accepted")
        _ = try hall.submit("EX-3", at: "8 00:20")
        #expect(try hall.start("EX-4", at: "8 00:21") == "weekly-exam-limit")
        try hall.adopt(#""week.startsOn":"wednesday","week.utcOffsetMinutes":180"#, at: "9 00:00")
        let week = try hall.show("access", "S-1", now: "10 21:00")
        #expect(week.word("exam.weekStart") == "2026-02-10T21:00:00Z")
        #expect(week.text("exam.used") == "0")
        #expect(try hall.show("access", "S-1", now: "10 20:59:59").text("exam.used") == "2")
    }

    @Test("R24: one at a time, not too often, and not without a quota") func requesting() throws {
        let hall = try Hall(#""free.examsPerWeek":null"#, students: ["S-1", "S-2"])
        _ = try hall.start("EX-1", at: "09:00")
        #expect(try hall.start("EX-2", at: "09:00:10") == "exam-in-progress")
        try hall.accept("student:S-1", "exam.leave", "09:00:11", #"{"exam":"EX-1"}"#)
        #expect(try hall.start("EX-2", at: "09:00:29") == "rate-limited")
        try hall.accept(
            "service:g", "quota.report", "09:01",
            #"{"usedPercent":100,"resetsAt":"2026-02-01T10:00:01Z"}"#)
        let refused = try hall.outcome(
            "student:S-1", "exam.start", "09:02", #"{"student":"S-1","exam":"EX-2"}"#)
        #expect(refused.word("code") == "generation-unavailable")
        #expect(refused.word("message")?.contains("59 minutes") == true)
        #expect(refused.word("messageAr")?.contains("59") == true)
        try hall.makePremium(at: "09:02", student: "S-2")
        let queued = try hall.outcome(
            "student:S-2", "exam.start", "09:03", #"{"student":"S-2","exam":"EX-3"}"#)
        #expect(queued.fact("exam.started").word("generateBy") == "2026-02-01T10:00:21Z")
        #expect(try hall.show("generation-queue").text("requests.0.queued") == "true")
    }

    @Test("R25: a delivery is checked question by question, then as a whole") func delivery() throws
    {
        let hall = try Hall()
        _ = try hall.start("EX-1", at: "09:00")
        var list = Hall.questions(seed: "a")
        #expect(
            try hall.deliver("EX-1", at: "09:00:01", list.dropLast() + [list[0]]) == "bad-question")
        list[0] = list[0].replacing("basic_operations", with: "algebra")
        #expect(try hall.deliver("EX-1", at: "09:00:01", list) == "bad-question")
        list = Hall.questions(seed: "a")
        list[0] = list[0].replacing(#""answer":1"#, with: #""answer":4"#)
        #expect(try hall.deliver("EX-1", at: "09:00:01", list) == "bad-question")
        list = Hall.questions(seed: "a")
        list[39] = list[39].replacing("P-1", with: "P-2")
        #expect(try hall.deliver("EX-1", at: "09:00:01", list) == "bad-question")
        list = Hall.questions(seed: "a")
        list[0] = list[0].dropLast() + #","image":{"status":"failed","alt":"x"}}"#
        #expect(try hall.deliver("EX-1", at: "09:00:01", list) == "bad-question", "not geometry")
        list = Hall.questions(seed: "a", drawing: #","image":{"status":"ready","alt":"x"}"#)
        #expect(try hall.deliver("EX-1", at: "09:00:01", list) == "bad-question", "no ref")
        list = Hall.questions(seed: "a")
        #expect(
            try hall.deliver("EX-1", at: "09:00:01", Array(list.dropLast())) == "wrong-composition")
        #expect(try hall.deliver("EX-1", at: "09:00:01") == "accepted")
        #expect(try hall.deliver("EX-1", at: "09:00:01") == "generation-closed")
        #expect(try hall.show("exam-sheet", "EX-1").text("questions.0.number") == "1")
    }

    @Test("R26: repeats are sent back, then tolerated below a share") func repeats() throws {
        let hall = try Hall(#""free.examsPerWeek":null,"generation.retries":1"#)
        try hall.sit("EX-1", at: "09:00")
        try hall.accept("student:S-1", "exam.leave", "09:01", #"{"exam":"EX-1"}"#)
        _ = try hall.start("EX-2", at: "09:02")
        var list = Hall.questions(seed: "b")
        list[0] = Hall.questions(seed: "EX-1")[0]
        let refused = try hall.outcome(
            Hall.service, "exam.deliver", "09:02",
            #"{"exam":"EX-2","attempt":1,"questions":[\#(list.joined(separator: ","))],"passages":[{"passage":"P-1","text":"x"}]}"#
        )
        #expect(refused.word("code") == "duplicate-questions")
        #expect(refused.fact("generation.refused").text("repeated") == "1")
        #expect(try hall.deliver("EX-2", at: "09:02", attempt: 2, list) == "accepted")
        try hall.accept("student:S-1", "exam.leave", "09:03", #"{"exam":"EX-2"}"#)
        _ = try hall.start("EX-3", at: "2026-03-03T09:00:00Z")
        #expect(
            try hall.deliver("EX-3", at: "2026-03-03T09:00:00Z", seed: "EX-1")
                == "duplicate-questions", "one was seen again two minutes later")
        _ = try hall.start("EX-4", at: "2026-04-05T09:00:00Z")
        #expect(
            try hall.deliver("EX-4", at: "2026-04-05T09:00:00Z", seed: "EX-1") == "accepted")
    }

    @Test("R27: answers that are known are skipped, late ones ignored, the latest counts")
    func answers() throws {
        let hall = try Hall(#""answers.perMinute":3"#)
        try hall.sit("EX-1", at: "09:00")
        let first = Hall.answers(1...1, at: "09:05", seconds: 30)
        #expect(try hall.answer("EX-1", at: "09:06", first) == ["exam.answered"])
        #expect(try hall.answer("EX-1", at: "09:06", first) == [], "known")
        // Told late, answered before.
        _ = try hall.answer(
            "EX-1", at: "09:06", Hall.answers(1...1, wrong: [1], at: "09:04", seconds: 9))
        let sheet = try hall.show("exam-sheet", "EX-1")
        #expect(sheet.text("questions.0.choice") == "1")
        #expect(sheet.text("questions.0.seconds") == "39")
        let late = try hall.outcome(
            "student:S-1", "exam.answer", "09:06",
            #"{"exam":"EX-1","answers":\#(Hall.answers(2...2, at: "10:00:01"))}"#)
        #expect(late.fact("exam.answered").text("ignored") == #"["q2"]"#)
        #expect(late.fact("exam.answered").text("answers") == "[]")
        let more = Hall.answers(3...3, at: "09:06")
        let data = #"{"exam":"EX-1","answers":\#(more)}"#
        #expect(try hall.tell("student:S-1", "exam.answer", "09:06:59", data) == "rate-limited")
        #expect(try hall.tell("student:S-1", "exam.answer", "09:07", data) == "accepted")
        let unknown = #"{"exam":"EX-1","answers":\#(Hall.answers(77...77, at: "09:08"))}"#
        #expect(try hall.tell("student:S-1", "exam.answer", "09:08", unknown) == "unknown-question")
        let bad = data.replacing(#""choice":3"#, with: #""choice":4"#)
        #expect(try hall.tell("student:S-1", "exam.answer", "09:08", bad) == "bad-choice")
    }

    @Test("R28: an expired exam may still be handed in for a while") func late() throws {
        let hall = try Hall(#""exam.syncSeconds":3600"#)
        try hall.sit("EX-1", at: "09:00")
        #expect(
            try hall.submit("EX-1", at: "09:30", finished: "08:59").word("code")
                == "bad-finish-time")
        #expect(
            try hall.submit("EX-1", at: "09:30", finished: "09:31").word("code")
                == "bad-finish-time")
        #expect(try hall.advance("10:30").contains("exam.expired"))
        #expect(
            try hall.submit("EX-1", at: "10:30", finished: "10:01").word("code") == "time-expired")
        let done = try hall.submit(
            "EX-1", at: "11:00", finished: "09:59", Hall.answers(1...40, at: "09:50"))
        #expect(done.fact("exam.completed").text("late") == "true")
        #expect(done.fact("exam.completed").text("seconds") == "3540")
        #expect(done.fact("exam.completed").text("overall") == "100")
        let other = try Hall(#""exam.syncSeconds":3600"#)
        try other.sit("EX-1", at: "09:00")
        _ = try other.start("EX-2", at: "10:01")
        #expect(
            try other.submit("EX-1", at: "10:02", finished: "09:10").word("code")
                == "exam-superseded")
        #expect(
            try other.submit("EX-1", at: "11:00:01", finished: "09:10").word("code")
                == "sync-closed")
    }

    @Test("R29: leaving gives an exam up or stops its clock") func leaving() throws {
        let hall = try Hall(#""exam.resumeSeconds":600"#)
        try hall.sit("EX-1", at: "09:00")
        #expect(try hall.on("EX-1", "exam.leave", at: "09:20") == "accepted")
        #expect(try hall.on("EX-1", "exam.leave", at: "09:20") == "exam-not-open")
        #expect(try hall.on("EX-1", "exam.resume", at: "09:30") == "accepted", "included")
        #expect(try hall.on("EX-1", "exam.resume", at: "09:30") == "not-suspended")
        #expect(try hall.show("exam-sheet", "EX-1").word("deadline") == "2026-02-01T10:10:00Z")
        let done = try hall.submit("EX-1", at: "09:40")
        #expect(done.fact("exam.completed").text("seconds") == "1800")
        let other = try Hall()
        try other.sit("EX-1", at: "09:00")
        #expect(
            try other.events("student:S-1", "exam.leave", "09:01", #"{"exam":"EX-1"}"#) == [
                "exam.abandoned"
            ])
    }

    @Test("R30: a missing diagram is told as text, or left out of the score") func diagrams() throws
    {
        let hall = try Hall(#""question.imageFailure":"void""#)
        try hall.sit(
            "EX-1", at: "09:00", drawing: #","image":{"status":"failed","alt":"مثلث"}"#)
        let sheet = try hall.show("exam-sheet", "EX-1")
        #expect(sheet.word("questions.7.noticeAr") == "الرسم غير متاح – عُرض السؤال نصيًا.")
        let void = { (question: String) in
            try hall.tell(
                "student:S-1", "question.void", "09:01",
                #"{"of":"exam","id":"EX-1","question":"\#(question)"}"#)
        }
        #expect(try void("q1") == "not-visual")
        #expect(try void("q99") == "unknown-question")
        #expect(try void("q8") == "accepted")
        #expect(try void("q8") == "already-voided")
        let done = try hall.submit("EX-1", at: "09:30", Hall.answers(1...40, at: "09:20"))
        #expect(done.fact("exam.completed").text("voided") == "1")
        #expect(done.fact("exam.completed").text("categories.1.questions") == "6")
        try hall.adopt(#""question.imageFailure":"text""#, at: "10:00")
        #expect(try void("q9") == "exam-not-open")
    }

    @Test("R31: what looks suspicious is flagged once and blocks nothing") func flags() throws {
        let hall = try Hall()
        try hall.sit("EX-1", at: "09:00")
        #expect(
            try hall.answer("EX-1", at: "09:01", Hall.answers(1...2, at: "08:00"), device: "D-2")
                == [
                    "exam.answered", "exam.flagged", "exam.flagged",
                ])
        let done = try hall.submit(
            "EX-1", at: "09:02", Hall.answers(3...13, at: "09:01", seconds: 2), device: "D-2")
        #expect(done.types.filter { $0 == "exam.flagged" }.count == 1, "rushed")
        let flags = try hall.show("flags")
        #expect(flags.text("total") == "3")
        #expect(flags.word("flags.0.pattern") == "rushed")
        #expect(flags.text("flags.0.value") == "11")
    }

    @Test("R32, R33, R34: scores are exact, rounded once, and set off strengths") func scores()
        throws
    {
        let hall = try Hall()
        try hall.sit("EX-1", at: "09:00")
        // Of 20 verbal 15, of 20 quantitative 14; one question open.
        let wrong: Set = [8, 9, 10, 15, 16, 21, 25, 29, 33]
        let done = try hall.submit(
            "EX-1", at: "09:50", Hall.answers(1...39, wrong: wrong, at: "09:40"))
        let exam = done.fact("exam.completed")
        #expect(exam.text("verbal") == "75")
        #expect(exam.text("quantitative") == "75")
        #expect(exam.text("overall") == "75")
        #expect(exam.word("band") == "good")
        #expect(exam.text("skipped") == "1")
        #expect(exam.text("categories.1.score") == "57.14")
        #expect(exam.word("strengths.0.category") == "basic_operations")
        #expect(exam.word("weaknesses.0.category") == "geometry")
        #expect(exam.text("averageSeconds") == "60")
    }

    @Test("R35: advice weighs the track's own section heavier") func advice() throws {
        let hall = try Hall()
        try hall.sit("EX-1", at: "09:00")
        let done = try hall.submit(
            "EX-1", at: "09:50",
            Hall.answers(1...40, wrong: [8, 9, 21, 22], at: "09:40", seconds: 61))
        let advice = done.fact("exam.completed").text("advice")
        #expect(
            advice.contains(#"{"code":"focus-section","section":"quantitative"}"#), "equal: own")
        #expect(advice.contains(#""code":"work-faster""#))
        let total = (done.fact("exam.completed").part("advice").array ?? [])
            .compactMap { $0["minutes"]?.wholeNumber }.reduce(0, +)
        #expect(total == 180)
    }

    @Test("R37: explanations wait for premium or for their delay; answers for completion")
    func explanations() throws {
        let hall = try Hall(#""free.explanationDelaySeconds":60"#)
        try hall.sit("EX-1", at: "09:00")
        #expect(try hall.show("exam-review", "EX-1").text("total") == "0")
        _ = try hall.submit("EX-1", at: "09:30", Hall.answers(1...40, at: "09:20"))
        let early = try hall.show("exam-review", "EX-1", now: "09:30:59")
        #expect(early.part("questions.0.explanation").isNull)
        #expect(early.text("questions.0.answer") == "1")
        let later = try hall.show("exam-review", "EX-1", now: "09:31")
        #expect(later.word("questions.0.explanation") == "شرح 1")
        try hall.makePremium(at: "09:30:30")
        #expect(
            try hall.show("exam-result", "EX-1", now: "09:30:31").text("explanations.available")
                == "true")
    }
}
