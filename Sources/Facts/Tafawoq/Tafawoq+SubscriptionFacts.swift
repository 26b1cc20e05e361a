package import Core
import Folding
package import TafawoqEvents

extension Tafawoq.State {
    static func subscriptionRoutes(_ routes: inout Routes<Tafawoq.State>) {
        routes.on(Tafawoq.Checkout.Begun.self) { state, event, _ in
            guard state.students.contains(event.student) else { return }
            state.checkouts.update(.init(event.student, event.checkout)) {
                $0.trialDays = event.trialDays
                $0.amountMinor = event.amountMinor
                $0.currency = event.currency
            }
            state.subscriptions.updateExisting(event.student) { $0.lastCheckout = event.checkout }
        }
        routes.on(Tafawoq.Checkout.Confirmed.self) { state, event, _ in
            state.checkouts.updateExisting(.init(event.student, event.checkout)) {
                $0.expectedBy = event.expectedBy
            }
        }
        routes.on(Tafawoq.Checkout.Failed.self) { state, event, metadata in
            guard state.students.contains(event.student) else { return }
            state.settle(event.checkout, of: event.student)
            state.take(event.providerEvent, of: event.student)
            state.mark(.failed, event.reportedAfterSeconds, metadata)
        }
        routes.on(Tafawoq.Subscription.TrialStarted.self) { $0.started($1, $2) }
        routes.on(Tafawoq.Subscription.Activated.self) { $0.activated($1, $2) }
        routes.on(Tafawoq.Subscription.Renewed.self) { $0.renewed($1, $2) }
        routes.on(Tafawoq.Renewal.Requested.self) { $0.requested($1, $2) }
        routes.on(Tafawoq.Renewal.Failed.self) { $0.failed($1, $2) }
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
        routes.on(Tafawoq.Subscription.PaymentIgnored.self) { state, event, metadata in
            guard state.students.contains(event.student) else { return }
            state.take(event.providerEvent, of: event.student)
            state.mark(.ignored, event.reportedAfterSeconds, metadata)
        }
    }

    /// R13: the subscription that was there is replaced; its unsettled renewal counts as downgraded.
    private func begin(_ student: Tafawoq.StudentID) {
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
        begin(event.student)
        subscriptions.updateExisting(event.student) {
            $0.hadTrial = true
            $0.isTrial = true
            $0.periodStart = event.startsAt
            $0.periodEnd = event.endsAt
            $0.periodNumber = 0
            $0.anchor = event.endsAt
            $0.amountMinor = checkout?.amountMinor ?? 0
            $0.currency = checkout?.currency ?? ""
            $0.accessUntil = event.endsAt + Int64(grace)  // R10
        }
        settle(event.checkout, of: event.student)
        take(event.providerEvent, of: event.student)
        mark(.succeeded, event.reportedAfterSeconds, metadata)
        setPeriodEnd(event.endsAt, metadata)
    }

    private func activated(_ event: Tafawoq.Subscription.Activated, _ metadata: EventMetadata) {
        guard let before = subscriptions[event.student] else { return }
        let settled = event.origin == .recovery ? before.unresolved : before.renewal
        if event.origin != .checkout, let open = settled?.case {
            cases.updateExisting(Ordinal(open)) { $0.isRecovered = true }
            subscriptions.updateExisting(event.student) { $0.renewal = nil }
        }
        begin(event.student)
        cover(
            event.student, event.periodNumber, from: event.periodStart, to: event.periodEnd,
            isCancelled: event.cancelled, event.amountMinor, event.currency)
        subscriptions.updateExisting(event.student) { $0.anchor = event.anchor }
        if let checkout = event.checkout { settle(checkout, of: event.student) }
        take(event.providerEvent, of: event.student)
        mark(.succeeded, event.reportedAfterSeconds, metadata)
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
        mark(.succeeded, event.reportedAfterSeconds, metadata)
        setPeriodEnd(event.periodEnd, metadata)
    }

    /// A period is paid. R10: the grace only bridges the wait for the next renewal; R18: what was
    /// cancelled runs to its own end.
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

    private func requested(_ event: Tafawoq.Renewal.Requested, _ metadata: EventMetadata) {
        guard subscriptions.contains(event.student) else { return }
        subscriptions.updateExisting(event.student) { row in
            var renewal = row.renewal ?? Tafawoq.RenewalRow()
            if row.renewal == nil {
                renewal.period = event.period
                renewal.followsTrial = row.isTrial
            }
            renewal.attempt = event.attempt
            renewal.hasFailed = false
            renewal.retryAt = nil
            renewal.accessUntil = event.accessUntil
            renewal.amountMinor = event.amountMinor
            renewal.currency = event.currency
            row.renewal = renewal
            row.accessUntil = event.accessUntil
        }
        timers.cancelAll(on: metadata.stream)
        setAccessEnd(event.accessUntil, metadata)
    }

    private func failed(_ event: Tafawoq.Renewal.Failed, _ metadata: EventMetadata) {
        guard let before = subscriptions[event.student], before.renewal != nil else { return }
        var open = before.renewal?.case
        if open == nil {
            let number = count(\.cases)
            cases.update(Ordinal(number)) {
                $0.student = event.student
                $0.period = event.period
                $0.openedAt = metadata.at
            }
            open = number
        }
        if let open {
            cases.updateExisting(Ordinal(open)) { row in
                row.accessUntil = event.accessUntil
                var attempt = Tafawoq.CaseAttempt()
                attempt.attempt = event.attempt
                attempt.at = metadata.at
                attempt.reason = event.reason
                row.attempts.append(attempt)
            }
        }
        subscriptions.updateExisting(event.student) { row in
            row.accessUntil = event.accessUntil
            row.renewal?.hasFailed = true
            row.renewal?.retryAt = event.retryAt
            row.renewal?.accessUntil = event.accessUntil
            row.renewal?.case = open
            if row.renewal?.failedAt == nil { row.renewal?.failedAt = metadata.at }
        }
        take(event.providerEvent, of: event.student)
        mark(.failed, event.reportedAfterSeconds, metadata)
        guard before.endsAt == nil else { return }
        timers.cancelAll(on: metadata.stream)
        setAccessEnd(event.accessUntil, metadata)
        if let retryAt = event.retryAt {
            timers.set(
                [.init(Tafawoq.TimerName.renewalRetry, due: retryAt, cause: metadata.position)],
                on: metadata.stream)
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

    // MARK: Small steps

    private func settle(_ checkout: Tafawoq.CheckoutID, of student: Tafawoq.StudentID) {
        checkouts.updateExisting(.init(student, checkout)) { $0.isSettled = true }
    }

    /// R20: an event of the provider counts once.
    private func take(_ metadata: Tafawoq.ProviderEventID, of student: Tafawoq.StudentID) {
        providerEvents.insert(.init(), at: .init(student, metadata))
    }

    private func mark(
        _ kind: Tafawoq.PaymentMarkKind, _ seconds: Int, _ metadata: EventMetadata
    ) {
        var mark = Tafawoq.PaymentMark()
        mark.at = metadata.at
        mark.kind = kind
        mark.reportedAfterSeconds = seconds
        paymentMarks.append(mark, at: count(\.paymentMarks))
    }

    private func setPeriodEnd(_ due: Instant, _ metadata: EventMetadata) {
        timers.cancelAll(on: metadata.stream)
        timers.set(
            [.init(Tafawoq.TimerName.periodEnd, due: due, cause: metadata.position)],
            on: metadata.stream)
    }

    private func setAccessEnd(_ due: Instant, _ metadata: EventMetadata) {
        timers.set(
            [.init(Tafawoq.TimerName.accessEnd, due: due, cause: metadata.position)],
            on: metadata.stream)
    }
}

// MARK: - Asking

extension Tafawoq {
    /// Where a subscription stands (R11).
    package enum SubscriptionStatus: String, Choice {
        case free, incomplete, trialing, active
        case pastDue = "past_due"
        case canceled
    }
}

extension Tafawoq.State {
    /// R10: premium before `accessUntil`.
    package func tier(of student: Tafawoq.StudentID, at instant: Instant) -> Tafawoq.Tier {
        let until = subscriptions.read(student) { $0.accessUntil } ?? nil
        guard let until, instant < until else { return .free }
        return .premium
    }

    /// R11
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
