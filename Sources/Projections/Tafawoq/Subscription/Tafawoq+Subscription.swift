import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// What is paid and until when: status, trial, cancellation, grace, and an activation that is awaited
    /// (R10, R11, R12).
    static let subscriptionView = ReadModel<State>(
        "tafawoq.subscription", "What is paid, until when?", key: "student",
        keys: { $0.studentKeys }, basis: .on(Grounds.life, Grounds.rules)
    ) { state, request, output in
        guard let (student, _) = state.student(request.key) else { return false }
        let row = state.subscriptions[student] ?? SubscriptionRow()
        let now = request.now
        let renews = row.isOn && row.endsAt == nil && row.renewal == nil
        output.object { output in
            output.member("student", student)
            output.member("tier", state.tier(of: student, at: now))
            output.member("status", state.status(of: student))
            output.member("periodStart", row.isOn ? row.periodStart : nil)
            output.member("periodEnd", row.isOn ? row.periodEnd : nil)
            output.member("renewsAt", renews ? row.periodEnd : nil)
            output.member("amountMinor", row.isOn ? row.amountMinor : nil)
            output.member("currency", row.isOn ? row.currency : nil)
            state.writeTrial(of: row, at: now, to: &output)
            output.objectOrNull("cancelled", row.endsAt != nil) { output in
                output.member("endsAt", row.endsAt)
            }
            state.writeGrace(of: row, at: now, to: &output)
            let checkout = row.lastCheckout.flatMap { state.checkouts[.init(student, $0)] }
            let expectedBy = checkout.flatMap { $0.isSettled ? nil : $0.expectedBy }
            let isWaiting = expectedBy.map { now < $0 } ?? false
            let isDelayed = expectedBy != nil && !isWaiting
            output.object("activation") { output in
                output.member("state", isWaiting ? "waiting" : isDelayed ? "delayed" : "none")
                output.member("pollSeconds", isWaiting ? state.policy.activationPollSeconds : nil)
                output.member("until", expectedBy)
                output.both("text", isDelayed ? Texts.notice("activation-delayed") : nil)
            }
        }
        return true
    }
}

extension Tafawoq.State {
    /// Writes `trial` of `subscription` and `dashboard`: until its renewal is requested.
    func writeTrial(
        of row: Tafawoq.SubscriptionRow, at now: Instant, to output: inout JSONOutput
    ) {
        let isOn = row.isOn && row.isTrial && row.renewal == nil
        output.objectOrNull("trial", isOn) { output in
            let left = row.periodEnd.milliseconds(since: now)
            let day = Tafawoq.day * 1000
            let days = left > 0 ? (left - 1) / day + 1 : 0
            output.member("endsAt", row.periodEnd)
            output.member("daysLeft", Int(days))
            output.both(
                "text", Tafawoq.Texts.notice("trial-ends").filling(.days, Int(days)))
        }
    }

    /// Writes `grace` of `subscription` and `dashboard`: from the first failure until settled.
    func writeGrace(
        of row: Tafawoq.SubscriptionRow, at now: Instant, to output: inout JSONOutput
    ) {
        let renewal = row.renewal.flatMap { $0.failedAt == nil ? nil : $0 }
        output.objectOrNull("grace", renewal != nil) { output in
            guard let renewal else { return }
            output.member("endsAt", renewal.accessUntil)
            output.member(
                "remainingSeconds", max(0, renewal.accessUntil.wholeSeconds(since: now)))
            output.member("attempts", renewal.attempt)
            output.member("nextAttemptAt", renewal.retryAt)
            output.member("target", Tafawoq.paymentTarget)
        }
    }
}

extension Tafawoq {
    static let upgradeTarget = "tafawoq://subscription/upgrade"

    static let paymentTarget = "tafawoq://subscription/payment"
}
