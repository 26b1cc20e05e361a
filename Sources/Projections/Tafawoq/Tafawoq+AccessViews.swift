import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

extension Tafawoq.State {
    /// `exam` of `access` and `dashboard`: may the student start one now?
    func writeExamAccess(
        of student: Tafawoq.StudentID, at now: Instant, to output: inout JSONOutput
    ) {
        let tier = tier(of: student, at: now)
        let limit = weeklyLimit(tier)
        let used = used(by: student, tier, at: now)
        let obstacle = obstacle(toExamOf: student, at: now)
        let next = nextRequest(of: student)
        output.object("exam") { output in
            output.member("allowed", obstacle == nil)
            output.member("reason", obstacle?.code)
            output.member("limit", limit)
            output.member("used", used)
            output.member("left", limit.map { max(0, $0 - used) })
            week(of: now).write(to: &output)
            output.member("nextRequestAt", next.flatMap { $0 > now ? $0 : nil })
        }
    }

    func writeBadge(_ tier: Tafawoq.Tier, to output: inout JSONOutput) {
        output.member("tier", tier)
        output.both("badge", Tafawoq.Texts.label(tier.rawValue))
    }

    /// `trial` of `subscription` and `dashboard`: until its renewal is requested.
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
                "text", Tafawoq.Texts.notice("trial-ends").filling("days", with: String(days)))
        }
    }

    /// `grace` of `subscription` and `dashboard`: from the first failure until settled.
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

extension Tafawoq.State.ExamObstacle {
    var code: String {
        switch self {
        case .emailUnverified: "email-unverified"
        case .profileIncomplete: "profile-incomplete"
        case .examInProgress: "exam-in-progress"
        case .weeklyLimit: "weekly-exam-limit"
        case .rateLimited: "rate-limited"
        case .unavailable: "generation-unavailable"
        }
    }
}

extension Tafawoq {
    static let accessView = ReadModel<State>(
        "tafawoq.access", "What may the student do now?", key: "student",
        keys: { $0.studentKeys }, basis: .on(Grounds.life, Grounds.rules)
    ) { state, request, output in
        guard let (student, _) = state.student(request.key) else { return false }
        let policy = state.policy
        let tier = state.tier(of: student, at: request.now)
        let isPremium = tier == .premium
        let limits = state.practiceLimits(tier)
        let delay = isPremium ? 0 : policy.freeExplanationDelaySeconds
        output.object { output in
            output.member("student", student)
            state.writeBadge(tier, to: &output)
            state.writeExamAccess(of: student, at: request.now, to: &output)
            output.object("practice") { output in
                output.member("questions", limits.questions)
                output.member("categories", limits.categories)
            }
            output.object("features") { output in
                output.member(
                    "explanations", isPremium ? "instant" : delay == nil ? "never" : "delayed")
                output.member("explanationDelaySeconds", delay)
                output.member("practiceTrends", isPremium)
                output.member("reportExport", isPremium)
                output.member("studyRepeats", isPremium && policy.reminderMode != .weekly)
                output.member("peerPercentile", isPremium && policy.peersEnabled)
                output.member("watermark", !isPremium && policy.freeWatermark)
                output.member("priorityGeneration", isPremium)
                output.member("prioritySupport", isPremium)
            }
            output.member("upgradeTarget", isPremium ? nil : upgradeTarget)
        }
        return true
    }

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
