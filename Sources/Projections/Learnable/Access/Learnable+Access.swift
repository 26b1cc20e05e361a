import Core
import Folding
import LearnableEvents
import LearnableFacts
import Projections

extension Learnable {

    /// What may be used, until when? (R5-R9)
    static let accessView = ReadModel<State>(
        "learnable.access", "What may be used, until when?", key: "student",
        keys: { $0.studentKeys }, basis: .on(Grounds.life, Grounds.policy)
    ) { state, request, output in
        guard let (student, row) = state.student(request.key) else { return false }
        let access = row.access(at: request.now)
        let policy = state.policy
        let subscription = access == .subscribed ? row.subscription : nil
        let trial = access == .trial ? row.trial : nil
        let isLimited = access == .none && policy.afterTrial == .premiumFeatures
        output.object { output in
            output.member("access", access)
            output.member("blocking", policy.afterTrial)
            output.member("daysRemaining", trial?.daysRemaining(at: request.now))
            output.member("endsAt", subscription?.paidUntil ?? trial?.endsAt)
            let waits = access == .none && row.awaitsTrial
            output.member(
                "notice",
                waits
                    ? "Open the app on a device to start your free trial"
                    : access == .none ? "Subscribe to continue" : nil)
            let options: [String] =
                if let subscription {
                    subscription.isCancelled ? [] : ["cancel"]
                } else {
                    ["subscribe"]
                }
            output.member("options", options)
            let isVerified = state.isVerified(student, at: request.now)
            output.array("perks", perks) { output, perk in
                output.object { output in
                    output.member(
                        "held", perk.name == "verified-user" ? isVerified : access != .none)
                    output.member("perk", perk.name)
                    output.member("title", perk.title)
                }
            }
            output.member("plan", subscription?.plan)
            output.member("renews", subscription.map { !$0.isCancelled })
            output.member("subjectLimit", isLimited ? policy.freeLimit : nil)
            output.member("subjectsCounted", state.subjectsCounted(student))
            output.member("subjectsHeld", state.subjectsHeld(student))
        }
        return true
    }

    private static let perks = [
        (name: "chat-assistant", title: "Chat Assistant"),
        (name: "unlimited-subjects", title: "Unlimited Creation of Subjects"),
        (name: "publishing", title: "Publishing Sources to Book Marketplace"),
        (name: "verified-user", title: "Verified User"),
    ]
}
