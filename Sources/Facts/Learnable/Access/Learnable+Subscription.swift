package import Core
import Folding
package import LearnableEvents

extension Learnable {
    /// A subscription that runs (R8).
    package struct SubscriptionTerm: Record {
        package var plan = PlanID.none
        package var paidUntil = Instant.epoch
        package var isCancelled = false

        package init() {}
    }
}

extension Learnable.State {
    static func subscriptionRoutes(_ routes: inout Routes<Learnable.State>) {
        routes.on(Learnable.Subscription.Activated.self) { state, event, metadata in
            state.students.updateExisting(event.student) { row in
                // Who subscribes forgoes the trial (R8).
                row.awaitsTrial = false
                row.subscription = .with {
                    $0.plan = event.plan
                    $0.paidUntil = event.paidUntil
                }
            }
            state.setSubscriptionEnd(of: event.student, event.paidUntil, metadata)
        }
        routes.on(Learnable.Subscription.Renewed.self) { state, event, metadata in
            state.students.updateExisting(event.student) {
                $0.subscription?.paidUntil = event.paidUntil
                $0.subscription?.isCancelled = false
            }
            state.setSubscriptionEnd(of: event.student, event.paidUntil, metadata)
        }
        routes.on(Learnable.Subscription.Cancelled.self) { state, event, _ in
            state.students.updateExisting(event.student) { $0.subscription?.isCancelled = true }
        }
        routes.on(Learnable.Subscription.Refunded.self) { state, event, metadata in
            state.endSubscription(of: event.student, metadata)
        }
        routes.on(Learnable.Subscription.Ended.self) { state, event, metadata in
            state.endSubscription(of: event.student, metadata)
        }
    }

    /// The end comes with the timer, unless a renewal or a refund comes first (R8).
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
