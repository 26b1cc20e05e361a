import Commands
import Core
import Folding
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// Cancels the subscription: no further period is paid (R18).
    struct CancelSubscription: StudentAlone {
        static let type = "tafawoq.subscription.cancel"
        func senders(in state: State) -> Senders { .any(.student, .admin) }
        var student = StudentID.none

        func decide(in context: Context) throws(Rejection) {
            _ = try context.findOwn(student)
            guard context.tier(of: student) == .premium,
                let row = context.state.subscriptions[student]
            else { throw .notPremium }
            if row.endsAt != nil { throw .alreadyCancelled }
            context.record(
                Subscription.Cancelled(
                    student: student,
                    endsAt: row.renewal?.accessUntil ?? row.periodEnd),
                on: context.subscriptionStream(of: student))
        }
    }
}
