package import Core
import Folding
package import TafawoqEvents

extension Tafawoq {
    /// A student's subscription; the row is there from registration on (R10 to R18).
    package struct SubscriptionRow: Record {
        /// Whether there ever was a trial (R12).
        package var hadTrial = false
        package var lastCheckout: CheckoutID?
        /// Premium before this instant (R10).
        package var accessUntil: Instant?
        /// There is a subscription, and its trial or period.
        package var isOn = false
        package var isTrial = false
        package var anchor = Instant.epoch
        package var periodNumber = 0
        package var periodStart = Instant.epoch
        package var periodEnd = Instant.epoch
        package var amountMinor = 0
        package var currency = ""
        package var renewal: RenewalRow?
        /// When the cancelled subscription ends (R18).
        package var endsAt: Instant?
        /// What a late payment may recover (R20).
        package var unresolved: RenewalRow?

        package init() {}
    }

    /// The status of a subscription (R11).
    package enum SubscriptionStatus: String, Choice {
        case free, incomplete, trialing, active
        case pastDue = "past_due"
        case canceled
    }
}

extension Tafawoq.State {
    static func subscriptionRoutes(_ routes: inout Routes<Tafawoq.State>) {
        routes.on(Tafawoq.Subscription.TrialStarted.self) { $0.started($1, $2) }
        routes.on(Tafawoq.Subscription.Activated.self) { $0.activated($1, $2) }
        routes.on(Tafawoq.Subscription.Renewed.self) { $0.renewed($1, $2) }
        routes.on(Tafawoq.Subscription.Cancelled.self) { state, event, metadata in
            guard state.subscriptions.contains(event.student) else { return }
            state.subscriptions.updateExisting(event.student) {
                $0.endsAt = event.endsAt
                $0.accessUntil = event.endsAt
                $0.renewal?.retryAt = nil
            }
            state.setPeriodEnd(event.endsAt, metadata)
        }
        routes.on(Tafawoq.Subscription.Downgraded.self) { $0.downgraded($1, $2) }
    }

    /// Replaces the subscription that was there; its unsettled renewal counts as downgraded (R13).
    private func replaceSubscription(of student: Tafawoq.StudentID) {
        if let open = subscriptions[student]?.renewal?.case {
            cases.updateExisting(Ordinal(open)) { $0.isDowngraded = true }
        }
        subscriptions.updateExisting(student) {
            $0.isOn = true
            $0.renewal = nil
            $0.endsAt = nil
            $0.unresolved = nil
        }
    }

    private func started(_ event: Tafawoq.Subscription.TrialStarted, _ metadata: EventMetadata) {
        guard students.contains(event.student) else { return }
        let checkout = checkouts[.init(event.student, event.checkout)]
        let grace = policy.graceSeconds
        replaceSubscription(of: event.student)
        subscriptions.updateExisting(event.student) {
            $0.hadTrial = true
            $0.isTrial = true
            $0.periodStart = event.startsAt
            $0.periodEnd = event.endsAt
            $0.periodNumber = 0
            $0.anchor = event.endsAt
            $0.amountMinor = checkout?.amountMinor ?? 0
            $0.currency = checkout?.currency ?? ""
            // The grace only bridges the wait for the first payment (R10).
            $0.accessUntil = event.endsAt + Int64(grace)
        }
        settle(event.checkout, of: event.student)
        take(event.providerEvent, of: event.student)
        markPayment(.succeeded, event.reportedAfterSeconds, metadata)
        setPeriodEnd(event.endsAt, metadata)
    }

    private func activated(_ event: Tafawoq.Subscription.Activated, _ metadata: EventMetadata) {
        guard let before = subscriptions[event.student] else { return }
        let settled = event.origin == .recovery ? before.unresolved : before.renewal
        if event.origin != .checkout, let open = settled?.case {
            cases.updateExisting(Ordinal(open)) { $0.isRecovered = true }
            subscriptions.updateExisting(event.student) { $0.renewal = nil }
        }
        replaceSubscription(of: event.student)
        cover(
            event.student, event.periodNumber, from: event.periodStart, to: event.periodEnd,
            isCancelled: event.cancelled, event.amountMinor, event.currency)
        subscriptions.updateExisting(event.student) { $0.anchor = event.anchor }
        if let checkout = event.checkout { settle(checkout, of: event.student) }
        take(event.providerEvent, of: event.student)
        markPayment(.succeeded, event.reportedAfterSeconds, metadata)
        setPeriodEnd(event.periodEnd, metadata)
    }

    private func renewed(_ event: Tafawoq.Subscription.Renewed, _ metadata: EventMetadata) {
        guard let before = subscriptions[event.student] else { return }
        if let open = before.renewal?.case {
            cases.updateExisting(Ordinal(open)) { $0.isRecovered = true }
        }
        subscriptions.updateExisting(event.student) { $0.renewal = nil }
        cover(
            event.student, event.periodNumber, from: event.periodStart, to: event.periodEnd,
            isCancelled: event.cancelled, event.amountMinor, event.currency)
        take(event.providerEvent, of: event.student)
        markPayment(.succeeded, event.reportedAfterSeconds, metadata)
        setPeriodEnd(event.periodEnd, metadata)
    }

    /// Enters a paid period. The grace only bridges the wait for the next renewal (R10); a cancelled
    /// subscription runs to its own end (R18).
    private func cover(
        _ student: Tafawoq.StudentID, _ number: Int, from start: Instant, to end: Instant,
        isCancelled: Bool, _ amountMinor: Int, _ currency: String
    ) {
        let grace = policy.graceSeconds
        subscriptions.updateExisting(student) {
            $0.isOn = true
            $0.isTrial = false
            $0.periodNumber = number
            $0.periodStart = start
            $0.periodEnd = end
            $0.amountMinor = amountMinor
            $0.currency = currency
            $0.endsAt = isCancelled ? end : nil
            $0.accessUntil = isCancelled ? end : end + Int64(grace)
        }
    }

    private func downgraded(_ event: Tafawoq.Subscription.Downgraded, _ metadata: EventMetadata) {
        guard let before = subscriptions[event.student] else { return }
        if let open = before.renewal?.case {
            cases.updateExisting(Ordinal(open)) { $0.isDowngraded = true }
        }
        subscriptions.updateExisting(event.student) { row in
            row.unresolved = event.reason == .paymentUnresolved ? row.renewal : nil
            row.renewal = nil
            row.isOn = false
            row.isTrial = false
            row.endsAt = nil
            row.accessUntil = nil
        }
        timers.cancelAll(on: metadata.stream)
    }

    /// Sets the only timer of a subscription without an open renewal: the end of its trial or period
    /// (R15).
    private func setPeriodEnd(_ due: Instant, _ metadata: EventMetadata) {
        timers.cancelAll(on: metadata.stream)
        timers.set(
            [.init(Tafawoq.TimerName.periodEnd, due: due, cause: metadata.position)],
            on: metadata.stream)
    }

    /// The tier at an instant: premium before `accessUntil`, else free (R10).
    package func tier(of student: Tafawoq.StudentID, at instant: Instant) -> Tafawoq.Tier {
        let until = subscriptions.read(student) { $0.accessUntil } ?? nil
        guard let until, instant < until else { return .free }
        return .premium
    }

    /// The status that the student is shown (R11).
    package func status(of student: Tafawoq.StudentID) -> Tafawoq.SubscriptionStatus {
        guard let row = subscriptions[student] else { return .free }
        guard row.isOn else {
            let isOpen =
                row.lastCheckout.flatMap { checkouts[.init(student, $0)] }.map { !$0.isSettled }
                ?? false
            return isOpen ? .incomplete : .free
        }
        if row.endsAt != nil { return .canceled }
        if let renewal = row.renewal { return renewal.failedAt == nil ? .active : .pastDue }
        return row.isTrial ? .trialing : .active
    }
}
