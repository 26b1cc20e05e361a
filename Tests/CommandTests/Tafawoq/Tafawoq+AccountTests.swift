import Core
import TafawoqEvents
import TestSupport
import Testing

@Suite struct `Tafawoq's accounts` {
    @Test("R1: a timer fires before a later command, not at its own instant") func moments() throws
    {
        let hall = try Hall()
        _ = try hall.start("EX-1", at: "09:00")
        #expect(try hall.deliver("EX-1", at: "09:00:20") == "accepted", "exactly in time")
        let other = try Hall()
        _ = try other.start("EX-1", at: "09:00")
        #expect(
            try other.events("student:S-1", "exam.leave", "09:00:21", #"{"exam":"EX-1"}"#) == [
                "generation.failed"
            ])
        #expect(try other.show("exam-sheet", "EX-1").word("status") == "failed")
    }

    @Test("R2: what is an erased student's is nobody's; the address is free, the id is not")
    func erasure() throws {
        let hall = try Hall()
        _ = try hall.signIn("SE-1", at: "08:10")
        _ = try hall.start("EX-1", at: "09:00")
        #expect(
            try hall.tell("student:S-2", "account.erase", "09:00", #"{"subject":"tafawoq/S-1"}"#)
                == "forbidden")
        try hall.accept("student:S-1", "account.erase", "09:00", #"{"subject":"tafawoq/S-1"}"#)
        #expect(try hall.show("profile", "S-1").isNull)
        #expect(try hall.show("exam-sheet", "EX-1").isNull)
        #expect(try hall.show("generation-queue").count("requests") == 0)
        #expect(try hall.advance("28 09:00") == [], "no timer of theirs")
        #expect(try hall.deliver("EX-1", at: "28 09:00") == "not-found")
        #expect(try hall.register("S-1", at: "28 10:00") == "already-exists")
        #expect(try hall.register("S-2", at: "28 10:00", email: "s-1@example.sa") == "accepted")
        #expect(try hall.show("journey").text("registered") == "2")
        #expect(try hall.show("log").text("total") != "0")
    }

    @Test("R3: refusals are recorded with the student, never before the stream's last event")
    func refusals() throws {
        let hall = try Hall()
        let refused = try hall.outcome(
            "student:S-1", "report.export", "10:00", #"{"student":"S-1","report":"RP-1"}"#,
            device: "D-9")
        #expect(refused.types == ["access.refused"])
        #expect(refused.word("events.0.stream") == "tafawoq/audit/S-1")
        #expect(refused.fact("access.refused").word("code") == "premium-only")
        #expect(refused.fact("access.refused").word("device") == "D-9")
        let early = try hall.outcome(
            "student:S-1", "report.export", "09:00", #"{"student":"S-1","report":"RP-1"}"#)
        #expect(early.word("events.0.at") == "2026-02-01T10:00:00Z")
        let nobody = try hall.outcome(
            "service:x", "policy.adopt", "11:00", #"{"changes":{"trial.days":1}}"#)
        #expect(nobody.word("events.0.stream") == "tafawoq/audit/none")
        #expect(nobody.fact("access.refused").part("student").isNull)
        #expect(
            try hall.events(
                "student:S-1", "track.change", "11:00", #"{"student":"S-1","track":"scientific"}"#)
                == [], "same-track is not recorded")
    }

    @Test("R4: addresses are trimmed, lowered and unique") func addresses() throws {
        let hall = try Hall(students: [])
        for bad in ["no", "@x", "x@", "a@b@c", String(repeating: "a", count: 250) + "@b.sa"] {
            #expect(try hall.register("S-1", email: bad) == "malformed")
        }
        #expect(try hall.register("S-1", email: "  Noura@Example.SA ") == "accepted")
        #expect(try hall.show("profile", "S-1").word("email") == "noura@example.sa")
        #expect(try hall.register("S-2", email: "NOURA@example.sa") == "email-taken")
    }

    @Test("R5: a password is as strong as the policy wants") func passwords() throws {
        let hall = try Hall(students: [])
        #expect(try hall.register("S-1", accepts: false) == "terms-not-accepted")
        #expect(try hall.register("S-1", password: Hall.password(length: 7)) == "weak-password")
        #expect(try hall.register("S-1", password: Hall.password(symbol: false)) == "weak-password")
        try hall.adopt(#""password.requireSymbol":false,"legal.required":false"#, at: "08:00")
        #expect(
            try hall.register("S-1", password: Hall.password(symbol: false), accepts: false)
                == "accepted")
        #expect(try hall.show("profile", "S-1").part("termsVersion").isNull)
    }

    private func verify(_ hall: Hall, _ code: String, at: String) throws -> String {
        try hall.tell(
            "student:S-1", "account.verify", at,
            #"{"student":"S-1","otpDigest":"\#(Hall.digest(code))"}"#)
    }

    @Test("R6: codes cool down, expire, are exhausted and used once") func codes() throws {
        let hall = try Hall(#""otp.maxAttempts":2"#, students: [])
        _ = try hall.register("S-1")
        let request =
            #"{"student":"S-1","purpose":"verify","otpDigest":"\#(Hall.digest("n"))"}"#
        #expect(
            try hall.tell("student:S-1", "otp.request", "08:00:59", request) == "otp-cooldown")
        #expect(try verify(hall, "x", at: "08:01") == "otp-wrong")
        #expect(try verify(hall, "x", at: "08:01") == "otp-wrong")
        #expect(try verify(hall, "o", at: "08:01") == "otp-exhausted")
        #expect(try hall.tell("student:S-1", "otp.request", "08:01", request) == "accepted")
        #expect(try verify(hall, "o", at: "08:02") == "otp-wrong", "only the last one counts")
        #expect(try verify(hall, "n", at: "08:16") == "otp-expired")
        #expect(try hall.tell("student:S-1", "otp.request", "08:16", request) == "accepted")
        #expect(try verify(hall, "n", at: "08:17") == "accepted")
        #expect(try verify(hall, "n", at: "08:17") == "already-verified")
        let reset =
            #"{"student":"S-1","otpDigest":"\#(Hall.digest("r"))","password":\#(Hall.password("q"))}"#
        #expect(try hall.tell("student:S-1", "password.reset", "08:18", reset) == "otp-missing")
        try hall.accept(
            "student:S-1", "otp.request", "08:18",
            #"{"student":"S-1","purpose":"reset","otpDigest":"\#(Hall.digest("r"))"}"#)
        #expect(try hall.tell("student:S-1", "password.reset", "08:19", reset) == "accepted")
        #expect(try hall.tell("student:S-1", "password.reset", "08:19", reset) == "otp-missing")
        #expect(try hall.signIn("SE-1", at: "08:20") == "wrong-credentials")
        #expect(try hall.signIn("SE-1", at: "08:20", password: "q") == "accepted")
    }

    @Test("R7: five wrong tries lock the account for a while, whatever the digest") func lockout()
        throws
    {
        let hall = try Hall()
        for _ in 1...5 {
            #expect(try hall.signIn("SE-1", at: "09:00", password: "x") == "wrong-credentials")
        }
        #expect(try hall.signIn("SE-1", at: "09:14:59") == "account-locked")
        #expect(try hall.signIn("SE-1", at: "09:15") == "accepted")
        #expect(try hall.signIn("SE-2", "nobody", at: "09:15") == "wrong-credentials")
    }

    @Test("R8: a device has one open session; sessions end by themselves") func sessions() throws {
        let hall = try Hall(students: ["S-1", "S-2"])
        #expect(try hall.signIn("SE-1", at: "09:00", device: nil) == "device-required")
        #expect(try hall.signIn("SE-1", at: "09:00") == "accepted")
        #expect(try hall.signIn("SE-2", "s-2", at: "09:10") == "accepted", "the same device")
        #expect(
            try hall.show("notifications", "S-1").word("notifications.0.type") == "session-replaced"
        )
        #expect(try hall.signIn("SE-3", "s-2", at: "09:20", device: "D-2") == "accepted")
        #expect(try hall.show("sessions", "S-2").count("sessions") == 2)
        #expect(
            try hall.tell("student:S-2", "session.refresh", "7 09:00", #"{"session":"SE-2"}"#)
                == "accepted")
        #expect(try hall.advance("8 09:20").contains("session.ended"))
        #expect(try hall.show("sessions", "S-2").word("sessions.0.session") == "SE-2")
        #expect(
            try hall.tell("student:S-2", "session.close", "14 09:00", #"{"session":"SE-2"}"#)
                == "session-ended", "at its very end")
        #expect(
            try hall.tell("student:S-1", "session.close", "14 09:00", #"{"session":"SE-2"}"#)
                == "forbidden")
    }

    @Test("R9: learning waits for the address and the track; a new track changes no result")
    func access() throws {
        let hall = try Hall(students: [])
        _ = try hall.register("S-1")
        #expect(try hall.start("EX-1", at: "08:01") == "email-unverified")
        #expect(try verify(hall, "o", at: "08:01") == "accepted")
        #expect(try hall.start("EX-1", at: "08:01") == "profile-incomplete")
        let track = { (name: String) in #"{"student":"S-1","track":"\#(name)"}"# }
        try hall.accept("student:S-1", "profile.complete", "08:02", track("scientific"))
        try hall.sit("EX-1", at: "09:00")
        _ = try hall.submit("EX-1", at: "09:30", Hall.answers(1...40, wrong: [1, 21], at: "09:20"))
        let before = try hall.show("exam-result", "EX-1").text("advice")
        try hall.accept("student:S-1", "track.change", "10:00", track("literary"))
        #expect(try hall.show("exam-result", "EX-1").text("advice") == before)
        #expect(try hall.show("practice-options", "S-1").word("sections.0.section") == "verbal")
    }
}
