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

extension Learnable.Academy {
    static func accessRoutes(_ routes: inout Routes<Learnable.Academy>) {
        routes.fold(Learnable.Trial.Started.self) { $0.trialStarted($1, $2) }
        routes.fold(Learnable.Trial.Refused.self) { _, _, _ in }
        routes.fold(Learnable.Trial.Ended.self) { academy, fact, event in
            academy.students.updateExisting(fact.student) { $0.trial = nil }
            academy.timers.cancel(Learnable.AccessTimer.trialReminder, on: event.stream)
            academy.timers.cancel(Learnable.AccessTimer.trialEnd, on: event.stream)
        }
        routes.fold(Learnable.Subscription.Activated.self) { academy, fact, event in
            academy.students.updateExisting(fact.student) { row in
                row.subscription = .with {
                    $0.plan = fact.plan
                    $0.paidUntil = fact.paidUntil
                }
            }
            academy.setSubscriptionEnd(of: fact.student, fact.paidUntil, event)
        }
        routes.fold(Learnable.Subscription.Renewed.self) { academy, fact, event in
            academy.students.updateExisting(fact.student) {
                $0.subscription?.paidUntil = fact.paidUntil
                $0.subscription?.isCancelled = false
            }
            academy.setSubscriptionEnd(of: fact.student, fact.paidUntil, event)
        }
        routes.fold(Learnable.Subscription.Cancelled.self) { academy, fact, _ in
            academy.students.updateExisting(fact.student) { $0.subscription?.isCancelled = true }
        }
        routes.fold(Learnable.Subscription.Refunded.self) { academy, fact, event in
            academy.endSubscription(of: fact.student, event)
        }
        routes.fold(Learnable.Subscription.Ended.self) { academy, fact, event in
            academy.endSubscription(of: fact.student, event)
        }
    }

    /// R7: a device has its trial once; a command without one counts as an unused one.
    private func trialStarted(_ fact: Learnable.Trial.Started, _ event: Circumstances) {
        guard students.contains(fact.student) else { return }
        if let device = fact.device { trialDevices.insert(.init(), at: .init(device.symbol)) }
        students.updateExisting(fact.student) { row in
            row.wasTrialStarted = true
            row.trial = .with { $0.endsAt = fact.endsAt }
        }
        var entries = [
            Timers.Entry(
                Learnable.AccessTimer.trialEnd, due: fact.endsAt, cause: event.position)
        ]
        if let remindAt = fact.remindAt {
            entries.append(
                Timers.Entry(
                    Learnable.AccessTimer.trialReminder, due: remindAt, cause: event.position))
        }
        timers.set(entries, on: event.stream)
    }

    private func setSubscriptionEnd(
        of student: Learnable.StudentID, _ due: Instant, _ event: Circumstances
    ) {
        guard students.read(student, { $0.isActive && $0.subscription != nil }) == true else {
            return
        }
        timers.set(
            [.init(Learnable.AccessTimer.subscriptionEnd, due: due, cause: event.position)],
            on: event.stream)
    }

    private func endSubscription(of student: Learnable.StudentID, _ event: Circumstances) {
        students.updateExisting(student) { $0.subscription = nil }
        timers.cancel(Learnable.AccessTimer.subscriptionEnd, on: event.stream)
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

extension Learnable.Academy {
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
