import Core
import TafawoqEvents
import TestSupport
import Testing

@Suite struct `Tafawoq's subscriptions` {
    private let noTrial = #""trial.days":0"#

    private func tier(_ hall: Hall, _ now: String) throws -> String? {
        try hall.show("access", "S-1", now: now).word("tier")
    }

    private func status(_ hall: Hall) throws -> String? {
        try hall.show("subscription", "S-1").word("status")
    }

    @Test("R10, R13: a trial is premium until its end and the grace that bridges the renewal")
    func trial() throws {
        let hall = try Hall()
        try hall.makePremium(at: "09:00")
        #expect(try hall.show("subscription", "S-1").word("trial.endsAt") == "2026-02-08T09:00:00Z")
        #expect(try tier(hall, "11 08:59:59") == "premium")
        #expect(try tier(hall, "11 09:00") == "free")
    }

    @Test("R11: a subscription goes through its states") func states() throws {
        let hall = try Hall()
        #expect(try status(hall) == "free")
        _ = try hall.begin("CO-1", at: "09:00")
        #expect(try status(hall) == "incomplete")
        _ = try hall.pay("e-1", "checkout-paid", at: "09:01", #""checkout":"CO-1""#)
        #expect(try status(hall) == "trialing")
        try hall.advance("8 09:01")
        #expect(try status(hall) == "active", "a first attempt is awaited")
        let period = #""period":"2026-02-08T09:01:00Z""#
        _ = try hall.pay(
            "e-2", "renewal-failed", at: "8 09:02", period + #","attempt":1,"reason":"no""#)
        #expect(try status(hall) == "past_due")
        try hall.accept("student:S-1", "subscription.cancel", "8 09:03", #"{"student":"S-1"}"#)
        #expect(try status(hall) == "canceled")
        try hall.advance("11 09:02")
        #expect(try status(hall) == "free")
    }

    @Test("R12: a second checkout has no trial; confirming tells how long to wait") func checkout()
        throws
    {
        let hall = try Hall()
        _ = try hall.begin("CO-1", at: "09:00")
        let confirm = #"{"student":"S-1","checkout":"CO-1"}"#
        #expect(try hall.tell("student:S-1", "checkout.confirm", "09:01", confirm) == "accepted")
        #expect(
            try hall.tell("student:S-1", "checkout.confirm", "09:01", confirm)
                == "already-confirmed")
        #expect(
            try hall.show("subscription", "S-1", now: "09:01:59").word("activation.state")
                == "waiting")
        #expect(
            try hall.show("subscription", "S-1", now: "09:02").word("activation.state") == "delayed"
        )
        _ = try hall.pay("e-1", "checkout-paid", at: "09:03", #""checkout":"CO-1""#)
        #expect(try hall.begin("CO-2", at: "09:04") == "already-premium")
        #expect(
            try hall.tell("student:S-1", "checkout.confirm", "09:04", confirm) == "checkout-settled"
        )
        try hall.accept("student:S-1", "subscription.cancel", "09:05", #"{"student":"S-1"}"#)
        let begun = try hall.outcome(
            "student:S-1", "checkout.begin", "9 09:00", #"{"student":"S-1","checkout":"CO-3"}"#)
        #expect(begun.fact("checkout.begun").text("trialDays") == "0")
    }

    @Test("R14, R15: periods are calendar months from the anchor, asked for at their end")
    func periods() throws {
        let hall = try Hall(noTrial)
        _ = try hall.begin("CO-1", at: "2026-03-31T10:30:00Z")
        _ = try hall.pay(
            "e-1", "checkout-paid", at: "2026-03-31T10:30:00Z", #""checkout":"CO-1""#)
        #expect(try hall.advance("2026-04-30T10:30:00Z").contains("renewal.requested"))
        let paid = try hall.outcome(
            "service:p", "payment.report", "2026-04-30T10:31:00Z",
            #"{"student":"S-1","providerEvent":"e-2","kind":"renewal-paid","occurredAt":"2026-04-30T10:30:30Z","signatureVerified":true,"period":"2026-04-30T10:30:00Z","attempt":7}"#
        )
        let renewed = paid.fact("subscription.renewed")
        #expect(renewed.word("periodEnd") == "2026-05-31T10:30:00Z", "not the 30th")
        #expect(renewed.text("periodNumber") == "2")
        #expect(renewed.text("reportedAfterSeconds") == "30")
    }

    @Test("R16, R17: failures are retried, then the grace ends the subscription") func retries()
        throws
    {
        let hall = try Hall(noTrial + #","renewal.retrySeconds":[5]"#)
        try hall.makePremium(at: "2026-01-10T09:00:00Z")
        let period = #""period":"2026-02-10T09:00:00Z","reason":"card""#
        #expect(
            try hall.pay("f-1", "renewal-failed", at: "10 09:00:10", period + #","attempt":1"#)
                .suffix(2) == ["renewal.failed", "notification.raised"])
        let grace = try hall.show("subscription", "S-1", now: "10 09:00:12")
        #expect(grace.word("grace.nextAttemptAt") == "2026-02-10T09:00:15Z")
        #expect(grace.word("grace.endsAt") == "2026-02-13T09:00:10Z")
        #expect(
            try hall.pay("f-2", "renewal-failed", at: "10 09:00:20", period + #","attempt":2"#)
                == ["renewal.requested", "renewal.failed"])
        #expect(try hall.show("subscription", "S-1").part("grace.nextAttemptAt").isNull)
        #expect(try tier(hall, "13 09:00:09") == "premium")
        #expect(try hall.advance("13 09:00:10").contains("subscription.downgraded"))
        #expect(try hall.show("payment-cases").word("cases.0.status") == "downgraded")
        #expect(
            try hall.pay("e-9", "renewal-paid", at: "14 09:00", period + #","attempt":2"#) == [
                "subscription.activated", "notification.raised",
            ])
        #expect(try hall.show("payment-cases").word("cases.0.status") == "recovered")
    }

    @Test("R18: a cancelled period runs to its own end") func cancelling() throws {
        let hall = try Hall(noTrial)
        let cancel = #"{"student":"S-1"}"#
        #expect(
            try hall.tell("student:S-1", "subscription.cancel", "09:00", cancel) == "not-premium")
        try hall.makePremium(at: "09:00")
        #expect(try hall.tell("admin:A-1", "subscription.cancel", "10:00", cancel) == "accepted")
        #expect(
            try hall.tell("student:S-1", "subscription.cancel", "10:00", cancel)
                == "already-cancelled")
        #expect(
            try hall.events("system", "clock.advance", "2026-03-01T09:00:00Z", "{}").filter {
                $0.hasPrefix("subscription")
            } == ["subscription.downgraded"])
    }

    @Test("R19, R20: a provider event is trusted, timed and counted once") func webhooks() throws {
        let hall = try Hall()
        _ = try hall.begin("CO-1", at: "09:00")
        let report = { (signed: Bool, at: String) in
            #"{"student":"S-1","providerEvent":"e-1","kind":"checkout-paid","occurredAt":"\#(at)","signatureVerified":\#(signed),"checkout":"CO-1"}"#
        }
        let now = "2026-02-01T09:00:00Z"
        #expect(
            try hall.tell("service:p", "payment.report", "09:00", report(false, now))
                == "signature-unverified")
        #expect(
            try hall.tell(
                "service:p", "payment.report", "09:00", report(true, "2026-02-01T09:00:01Z"))
                == "bad-occurrence")
        #expect(
            try hall.events("service:p", "payment.report", "09:01", report(true, now)) == [
                "trial.started", "notification.raised",
            ])
        #expect(try hall.events("service:p", "payment.report", "09:01", report(true, now)) == [])
        #expect(
            try hall.pay("e-2", "checkout-paid", at: "09:02", #""checkout":"CO-1""#) == [
                "payment.ignored"
            ])
        #expect(
            try hall.pay(
                "e-3", "renewal-failed", at: "09:03",
                #""period":"2026-02-08T09:00:00Z","attempt":1,"reason":"x""#) == ["payment.ignored"]
        )
        #expect(try hall.show("payment-health").text("ignored") == "2")
        #expect(try hall.show("payment-health").text("inTimePercent") == "100")
    }

    @Test("R21: what was begun on premium is finished after a downgrade") func middle() throws {
        let hall = try Hall(noTrial + #","exam.durationSeconds":864000"#)
        try hall.makePremium(at: "2026-01-10T09:00:00Z")
        try hall.accept(
            "student:S-1", "subscription.cancel", "2026-01-11T09:00:00Z", #"{"student":"S-1"}"#)
        try hall.sit("EX-1", at: "10 08:59")
        #expect(try tier(hall, "10 09:00") == "free")
        #expect(try hall.answer("EX-1", at: "11 09:00", Hall.answers(1...1, at: "11 09:00")) != [])
        #expect(try hall.submit("EX-1", at: "11 09:01").word("status") == "accepted")
        #expect(try hall.show("exam-history", "S-1").word("exams.0.tier") == "premium")
    }

    @Test("What the provider calls a student is erased with them, whose contract it was is not")
    func customer() throws {
        let hall = try EngineOnDisk<Tafawoq>(noTrial)
        let pay = { (event: String, at: String) in
            try hall.pay(
                event, "checkout-paid", at: at,
                #""checkout":"CO-1","customer":"mona@example.sa","providerSubscription":"sub-1""#)
        }
        _ = try hall.begin("CO-1", at: "09:00")
        _ = try pay("e-1", "09:01")
        let paid = {
            try hall.engine.allEvents().first { $0.type == "tafawoq.subscription.activated" }?.data
        }
        #expect(try paid()?.word("customer") == "mona@example.sa")
        try hall.accept("student:S-1", "account.erase", "10:00", #"{"subject":"tafawoq/S-1"}"#)
        #expect(try paid()?.part("customer").isNull == true)
        #expect(try paid()?.word("providerSubscription") == "sub-1")
        #expect(try hall.engine.exported().allSatisfy { !$0.contains("mona@example.sa") })
        // A trial's, too.
        let trial = try EngineOnDisk<Tafawoq>("")
        _ = try trial.begin("CO-1", at: "09:00")
        _ = try trial.pay(
            "e-1", "checkout-paid", at: "09:01", #""checkout":"CO-1","customer":"cus-77""#)
        try trial.accept("student:S-1", "account.erase", "10:00", #"{"subject":"tafawoq/S-1"}"#)
        #expect(try trial.engine.exported().allSatisfy { !$0.contains("cus-77") })
    }
}
