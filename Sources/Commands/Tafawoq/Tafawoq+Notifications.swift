import Commands
import Core
import Folding
import TafawoqEvents
import TafawoqFacts

extension DecisionContext<Tafawoq> {
    /// Notifies a student, right after the cause (page, Notifications), unless its topic is switched off
    /// (R42).
    func notify(
        _ student: Tafawoq.StudentID, _ kind: Tafawoq.Notification.Kind, _ facts: [(String, JSON)]
    ) {
        guard let row = state.students[student], !row.isErased else { return }
        if let topic = kind.topic, !row.isEnabled(topic) { return }
        var channels: [Tafawoq.Notification.Channel] = [.inApp]
        if kind.isMailed { channels.append(.email) }
        if !row.pushDevices.isEmpty { channels.append(.push) }
        record(
            Tafawoq.Notification.Raised(
                student: student,
                number: row.lastNotificationNumber + 1,
                type: kind,
                topic: kind.topic,
                target: kind.target,
                channels: channels,
                facts: KeptJSON(.object(of: facts))), on: notificationStream(of: student))
    }
}

/// The table of the page: topic, e-mail and target of each type.
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
