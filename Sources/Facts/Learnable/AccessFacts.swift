package import Core
import Folding
package import LearnableEvents

extension Learnable {
    /// The timers of a student that concern access (page, Timers).
    package enum AccessTimer {
        package static let trialReminder = "trial-reminder"
        package static let trialEnd = "trial-end"
        package static let subscriptionEnd = "subscription-end"
    }
}

extension Learnable.State {
    static func accessRoutes(_ routes: inout Routes<Learnable.State>) {
        routes.fold(Learnable.Trial.Started.self) { $0.trialStarted($1, $2) }
        routes.fold(Learnable.Trial.Refused.self) { _, _, _ in }
        routes.fold(Learnable.Trial.Ended.self) { state, event, metadata in
            state.students.updateExisting(event.student) { $0.trial = nil }
            state.timers.cancel(Learnable.AccessTimer.trialReminder, on: metadata.stream)
            state.timers.cancel(Learnable.AccessTimer.trialEnd, on: metadata.stream)
        }
        routes.fold(Learnable.Subscription.Activated.self) { state, event, metadata in
            state.students.updateExisting(event.student) { row in
                row.subscription = .with {
                    $0.plan = event.plan
                    $0.paidUntil = event.paidUntil
                }
            }
            state.setSubscriptionEnd(of: event.student, event.paidUntil, metadata)
        }
        routes.fold(Learnable.Subscription.Renewed.self) { state, event, metadata in
            state.students.updateExisting(event.student) {
                $0.subscription?.paidUntil = event.paidUntil
                $0.subscription?.isCancelled = false
            }
            state.setSubscriptionEnd(of: event.student, event.paidUntil, metadata)
        }
        routes.fold(Learnable.Subscription.Cancelled.self) { state, event, _ in
            state.students.updateExisting(event.student) { $0.subscription?.isCancelled = true }
        }
        routes.fold(Learnable.Subscription.Refunded.self) { state, event, metadata in
            state.endSubscription(of: event.student, metadata)
        }
        routes.fold(Learnable.Subscription.Ended.self) { state, event, metadata in
            state.endSubscription(of: event.student, metadata)
        }
    }

    /// R7: a device has its trial once; a command without one counts as an unused one.
    private func trialStarted(_ event: Learnable.Trial.Started, _ metadata: EventMetadata) {
        guard students.contains(event.student) else { return }
        if let device = event.device { trialDevices.insert(.init(), at: .init(device.symbol)) }
        students.updateExisting(event.student) { row in
            row.wasTrialStarted = true
            row.trial = .with { $0.endsAt = event.endsAt }
        }
        var entries = [
            Timers.Entry(
                Learnable.AccessTimer.trialEnd, due: event.endsAt, cause: metadata.position)
        ]
        if let remindAt = event.remindAt {
            entries.append(
                Timers.Entry(
                    Learnable.AccessTimer.trialReminder, due: remindAt, cause: metadata.position))
        }
        timers.set(entries, on: metadata.stream)
    }

    private func setSubscriptionEnd(
        of student: Learnable.StudentID, _ due: Instant, _ metadata: EventMetadata
    ) {
        guard students.read(student, { $0.isActive && $0.subscription != nil }) == true else {
            return
        }
        timers.set(
            [.init(Learnable.AccessTimer.subscriptionEnd, due: due, cause: metadata.position)],
            on: metadata.stream)
    }

    private func endSubscription(of student: Learnable.StudentID, _ metadata: EventMetadata) {
        students.updateExisting(student) { $0.subscription = nil }
        timers.cancel(Learnable.AccessTimer.subscriptionEnd, on: metadata.stream)
    }
}

extension Learnable.StudentRow {
    /// R5: what may be used at an instant, whether or not the timers have fired yet.
    package func access(at instant: Instant) -> Learnable.Access {
        if let subscription, instant < subscription.paidUntil { return .subscribed }
        if let trial, instant < trial.endsAt { return .trial }
        return .none
    }
}

extension Learnable.State {
    package func access(
        of student: Learnable.StudentID, at instant: Instant
    ) -> Learnable.Access {
        students.read(student) { $0.access(at: instant) } ?? Learnable.Access.none
    }

    /// R9.
    package func isVerified(_ student: Learnable.StudentID, at instant: Instant) -> Bool {
        switch access(of: student, at: instant) {
        case .subscribed: true
        case .trial: policy.verifiedDuringTrial
        case .none: false
        }
    }

    /// R6: whether the need `quiz` is met.
    package func admitsQuiz(_ access: Learnable.Access) -> Bool {
        access != .none || policy.afterTrial == .premiumFeatures
    }
}
