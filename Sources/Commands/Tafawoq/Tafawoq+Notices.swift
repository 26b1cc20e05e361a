import Commands
import Core
import Folding
import TafawoqEvents
import TafawoqFacts

extension DecisionContext<Tafawoq> {
    /// Tells a student something, right after its cause (page, Notifications). R42: a topic that is
    /// switched off suppresses it.
    func notify(
        _ student: Tafawoq.StudentID, _ kind: Tafawoq.Notification.Kind, _ facts: [(String, JSON)]
    ) {
        guard let row = state.students[student], !row.isErased else { return }
        if let topic = kind.topic, !row.isEnabled(topic) { return }
        var channels: [Tafawoq.Notification.Channel] = [.inApp]
        if kind.isMailed { channels.append(.email) }
        if !row.pushDevices.isEmpty { channels.append(.push) }
        record(
            Tafawoq.Notification.Raised.with {
                $0.student = student
                $0.number = row.notices + 1
                $0.type = kind
                $0.topic = kind.topic
                $0.target = kind.target
                $0.channels = channels
                $0.facts = KeptJSON(.object(of: facts))
            }, notification: student)
    }
}

extension Tafawoq.Notification.Kind {
    var topic: Tafawoq.Topic? {
        switch self {
        case .examReminder, .studyReminder: .examReminder
        case .milestone: .milestone
        case .engagement: .engagement
        case .sessionReplaced, .premiumUnlocked, .checkoutFailed, .paymentFailed, .downgraded: nil
        }
    }

    fileprivate var isMailed: Bool {
        switch self {
        case .checkoutFailed, .paymentFailed, .downgraded: true
        default: false
        }
    }

    fileprivate var target: String {
        switch self {
        case .sessionReplaced: "tafawoq://sign-in"
        case .premiumUnlocked, .engagement: "tafawoq://dashboard"
        case .checkoutFailed, .downgraded: "tafawoq://subscription/upgrade"
        case .paymentFailed: "tafawoq://subscription/payment"
        case .examReminder: "tafawoq://exam/start"
        case .studyReminder: "tafawoq://practice/new"
        case .milestone: "tafawoq://milestones"
        }
    }
}

extension DecisionContext<Tafawoq> {
    /// R46: after a failure, if there are too many in the window and nobody was told within it.
    func alertOnFailures(_ kind: Tafawoq.AlertKind) {
        let window = state.window(endingAt: at)
        let count: Int
        let threshold: Int
        switch kind {
        case .generationFailures:
            count = state.marksOfGeneration(in: window).count { $0.kind == .failed }
            threshold = policy.alertGenerationFailures
        case .paymentFailures:
            count = state.marksOfPayment(in: window).count { $0.kind == .failed }
            threshold = policy.alertPaymentFailures
        case .quota: return
        }
        guard count >= threshold, !state.hasAlert(kind, in: window) else { return }
        raiseAlert(kind, value: Percent(whole: count), threshold: Percent(whole: threshold))
    }

    func raiseAlert(_ kind: Tafawoq.AlertKind, value: Percent, threshold: Percent) {
        record(
            Tafawoq.AlertRaised.with {
                $0.kind = kind
                $0.value = value
                $0.threshold = threshold
            }, on: "tafawoq/alert/main")
    }
}
