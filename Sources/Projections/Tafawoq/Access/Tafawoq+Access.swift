import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// What a student may do now: the next exam, practice limits, and the features of the tier (R10, R23,
    /// R24, R38).
    static let accessView = ReadModel<State>(
        "tafawoq.access", "What may the student do now?", key: "student",
        keys: { $0.studentKeys }, basis: .on(Grounds.life, Grounds.rules)
    ) { state, request, output in
        guard let (student, row) = state.student(request.key) else { return false }
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
            output.object("tour") { output in
                output.member("finished", row.isOnboarded)
                output.member("screens", policy.tour)
            }
            output.objectOrNull("upgrade", !isPremium) { output in
                let hadTrial = state.subscriptions[student]?.hadTrial ?? false
                output.member("trialDays", hadTrial ? 0 : policy.trialDays)
                output.member("amountMinor", policy.priceMonthlyMinor)
                output.member("currency", policy.priceCurrency)
            }
            output.member("upgradeTarget", isPremium ? nil : upgradeTarget)
        }
        return true
    }
}

extension Tafawoq.State {
    /// Writes `exam` of `access` and `dashboard`: whether the student may start one now (R23, R24).
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
            limitWindow(at: now).write(to: &output)
            output.member("replaces", limit == nil ? suspendedExam(of: student)?.key.id : nil)
            output.member("nextRequestAt", next.flatMap { $0 > now ? $0 : nil })
        }
    }

    /// Writes the tier with its label.
    func writeBadge(_ tier: Tafawoq.Tier, to output: inout JSONOutput) {
        output.member("tier", tier)
        output.both("badge", Tafawoq.Texts.label(of: tier, policy))
    }
}

extension Tafawoq.State.ExamObstacle {
    /// The code with which `exam.start` would be rejected.
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

extension Tafawoq.Week {
    func write(to output: inout JSONOutput) {
        output.member("weekStart", start)
        output.member("weekEnd", end)
    }
}
