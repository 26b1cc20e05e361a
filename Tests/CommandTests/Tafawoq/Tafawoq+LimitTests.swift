import Core
import TafawoqEvents
import TestSupport
import Testing

/// What another thing must not reset, and what is only called to while it is allowed.
@Suite struct `Tafawoq's limits` {
    // MARK: One-time codes

    private func verify(_ hall: Hall, _ code: String, at: String) throws -> String {
        try hall.tell(
            "student:S-1", "account.verify", at,
            #"{"student":"S-1","otpDigest":"\#(Hall.digest(code))"}"#)
    }

    private func request(
        _ hall: Hall, _ code: String, at: String, _ purpose: String = "verify"
    ) throws -> String {
        try hall.tell(
            "student:S-1", "otp.request", at,
            #"{"student":"S-1","purpose":"\#(purpose)","otpDigest":"\#(Hall.digest(code))"}"#)
    }

    private func reset(_ hall: Hall, _ code: String, at: String) throws -> String {
        try hall.tell(
            "student:S-1", "password.reset", at,
            #"{"student":"S-1","otpDigest":"\#(Hall.digest(code))","password":\#(Hall.password("q"))}"#
        )
    }

    @Test("R6: another code has tries of its own, but no more than the account has in a window")
    func codes() throws {
        let hall = try Hall(
            #""otp.maxAttempts":2,"otp.windowAttempts":3,"otp.windowSeconds":3600"#, students: [])
        _ = try hall.register("S-1")
        #expect(try verify(hall, "x", at: "08:01") == "otp-wrong")
        #expect(try verify(hall, "x", at: "08:02") == "otp-wrong")
        #expect(try verify(hall, "o", at: "08:02") == "otp-exhausted")
        #expect(try request(hall, "n", at: "08:03") == "accepted")
        #expect(try verify(hall, "x", at: "08:03") == "otp-wrong")
        let refused = try hall.outcome(
            "student:S-1", "account.verify", "08:03",
            #"{"student":"S-1","otpDigest":"\#(Hall.digest("n"))"}"#)
        #expect(refused.word("code") == "otp-exhausted", "the right one, too")
        #expect(refused.word("message")?.contains("not before 2026-02-01T09:01:00Z") == true)
        #expect(refused.word("messageAr")?.contains("ليس قبل 2026-02-01T09:01:00Z") == true)
        #expect(try request(hall, "m", at: "09:00:59") == "otp-cooldown")
        #expect(try request(hall, "m", at: "09:01") == "accepted", "the window is over")
        #expect(try verify(hall, "x", at: "09:02") == "otp-wrong")
        #expect(try verify(hall, "m", at: "09:02") == "accepted")
    }

    @Test("R6: a code that was right begins the count anew") func success() throws {
        let hall = try Hall(#""otp.windowAttempts":2"#, students: [])
        _ = try hall.register("S-1")
        #expect(try verify(hall, "x", at: "08:01") == "otp-wrong")
        #expect(try verify(hall, "o", at: "08:01") == "accepted")
        #expect(try request(hall, "r", at: "08:02", "reset") == "accepted")
        #expect(try reset(hall, "x", at: "08:03") == "otp-wrong")
        #expect(try reset(hall, "x", at: "08:03") == "otp-wrong")
        #expect(try reset(hall, "r", at: "08:03") == "otp-exhausted")
        // By an address nothing tells that there is no code.
        let byAddress = try hall.outcome(
            Hall.service, "otp.request", "08:10",
            #"{"email":"s-1@example.sa","purpose":"reset","otpDigest":"\#(Hall.digest("s"))"}"#)
        #expect(byAddress.word("status") == "accepted" && byAddress.types == [])
        #expect(try request(hall, "s", at: "2 08:03", "reset") == "accepted")
        #expect(try reset(hall, "s", at: "2 08:04") == "accepted")
    }

    @Test("R6: whoever asks for a code every minute has twenty tries a day") func bound() throws {
        let hall = try Hall(students: [])
        _ = try hall.register("S-1", at: "1 08:00")
        var tries = 0
        for minute in 1...(24 * 60) {
            let at = "\(1 + (480 + minute) / 1440) \(clock(480 + minute))"
            _ = try request(hall, "n", at: at)
            for _ in 1...5 where try verify(hall, "x", at: at) == "otp-wrong" { tries += 1 }
        }
        #expect(tries == 20)
    }

    private func clock(_ minutes: Int) -> String {
        let hour = minutes / 60 % 24
        let minute = minutes % 60
        return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
    }

    // MARK: Reminders of an exam

    private func sit(_ hall: Hall, _ exam: String, day: Int) throws {
        try hall.sit(exam, at: "\(day) 09:00")
        _ = try hall.submit(exam, at: "\(day) 09:30")
    }

    private func reminders(_ hall: Hall, until: String) throws -> [String] {
        try hall.advance(until)
        let told = try hall.show("notifications", "S-1").part("notifications").array ?? []
        return told.reversed().filter { $0.word("type") == "exam-reminder" }
            .compactMap { $0.word("raisedAt") }
    }

    private static let first = "2026-02-01T16:00:00Z"
    private static let second = "2026-02-08T16:00:00Z"
    private static let third = "2026-02-15T16:00:00Z"

    @Test("R43: nobody is called to an exam that the rolling limit refuses") func rolling() throws {
        let hall = try Hall(#""limit.window":"rolling-7-days""#)
        try hall.advance("2 00:00")
        try sit(hall, "EX-1", day: 4)
        #expect(try reminders(hall, until: "16 00:00") == [Self.first, Self.third])
        // Neither does the day before the limit lets go: it is no week later.
        #expect(try hall.start("EX-2", at: "16 09:00") == "accepted")
    }

    @Test("R43: nor to one that the calendar week refuses") func calendarWeek() throws {
        let hall = try Hall()
        try sit(hall, "EX-1", day: 1)
        #expect(try reminders(hall, until: "9 00:00") == [Self.second])
    }

    @Test("R43: what lifts the limit brings the reminder back, what is past is not made up for")
    func lifted() throws {
        let premium = try Hall(#""limit.window":"rolling-7-days""#)
        try premium.advance("2 00:00")
        try sit(premium, "EX-1", day: 4)
        try premium.makePremium(at: "5 09:00")
        #expect(try reminders(premium, until: "9 00:00") == [Self.first, Self.second])
        let more = try Hall()
        try sit(more, "EX-1", day: 1)
        try more.advance("2 00:00")
        try more.adopt(#""free.examsPerWeek":2"#, at: "2 09:00")
        #expect(try reminders(more, until: "9 00:00") == [Self.second])
        let none = try Hall(#""free.examsPerWeek":0"#)
        #expect(try none.timers().allSatisfy { !$0.hasPrefix("exam-reminder") })
        try none.adopt(#""free.examsPerWeek":1"#, at: "2 09:00")
        #expect(try reminders(none, until: "9 00:00") == [Self.second])
    }

    // MARK: Exams that are left

    @Test("R23, R29: exams that are left give no more than the page says where they do not count")
    func incomplete() throws {
        let hall = try Hall()
        for number in 1...3 {
            let exam = "EX-\(number)"
            #expect(try hall.start(exam, at: "09:0\(number):00") == "accepted")
            #expect(try hall.start("EX-9", at: "09:0\(number):01") == "exam-in-progress")
            #expect(try hall.deliver(exam, at: "09:0\(number):02", seed: exam) == "accepted")
            _ = try hall.answer(
                exam, at: "09:0\(number):10", Hall.answers(1...4, at: "09:0\(number)"))
            #expect(try hall.on(exam, "exam.leave", at: "09:0\(number):20") == "accepted")
            #expect(try hall.start("EX-9", at: "09:0\(number):29") == "rate-limited")
            // What was right is told, not which answers are.
            let review = try hall.show("exam-review", exam)
            #expect(review.text("total") == "0", "\(review)")
            #expect(try hall.show("exam-result", exam).word("status") == "abandoned")
        }
        #expect(try hall.show("access", "S-1", now: "09:10").text("exam.used") == "0")
        let dashboard = try hall.show("dashboard", "S-1")
        #expect(dashboard.text("examsCompleted") == "0")
        #expect(dashboard.text("categories") == "[]")
        let counting = try Hall(#""exam.incompleteCounts":true"#)
        try counting.sit("EX-1", at: "09:01")
        #expect(try counting.on("EX-1", "exam.leave", at: "09:02") == "accepted")
        #expect(try counting.start("EX-2", at: "09:03") == "weekly-exam-limit")
    }

    // MARK: What a notification names

    @Test("A checkout that failed is named in its notification") func checkout() throws {
        let hall = try Hall()
        _ = try hall.begin("CO-1", at: "09:00")
        _ = try hall.pay("e-1", "checkout-failed", at: "09:01", #""checkout":"CO-1","reason":"no""#)
        let told = try hall.show("notifications", "S-1").part("notifications.0")
        #expect(told.word("type") == "checkout-failed")
        #expect(told.part("facts").description == #"{"checkout":"CO-1","reason":"no"}"#)
    }
}
