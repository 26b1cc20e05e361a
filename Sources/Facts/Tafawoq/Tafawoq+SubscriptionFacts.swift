package import Core
import Folding
package import TafawoqEvents

extension Tafawoq.Centre {
    static func subscriptionRoutes(_ routes: inout Routes<Tafawoq.Centre>) {
        routes.on(Tafawoq.Checkout.Begun.self) { centre, fact, _ in
            guard centre.students.contains(fact.student) else { return }
            centre.checkouts.update(.init(fact.student, fact.checkout)) {
                $0.trialDays = fact.trialDays
                $0.amountMinor = fact.amountMinor
                $0.currency = fact.currency
            }
            centre.subscriptions.updateExisting(fact.student) { $0.lastCheckout = fact.checkout }
        }
        routes.on(Tafawoq.Checkout.Confirmed.self) { centre, fact, _ in
            centre.checkouts.updateExisting(.init(fact.student, fact.checkout)) {
                $0.expectedBy = fact.expectedBy
            }
        }
        routes.on(Tafawoq.Checkout.Failed.self) { centre, fact, event in
            guard centre.students.contains(fact.student) else { return }
            centre.settle(fact.checkout, of: fact.student)
            centre.take(fact.providerEvent, of: fact.student)
            centre.mark(.failed, fact.reportedAfterSeconds, event)
        }
        routes.on(Tafawoq.Subscription.TrialStarted.self) { $0.started($1, $2) }
        routes.on(Tafawoq.Subscription.Activated.self) { $0.activated($1, $2) }
        routes.on(Tafawoq.Subscription.Renewed.self) { $0.renewed($1, $2) }
        routes.on(Tafawoq.Renewal.Requested.self) { $0.requested($1, $2) }
        routes.on(Tafawoq.Renewal.Failed.self) { $0.failed($1, $2) }
        routes.on(Tafawoq.Subscription.Cancelled.self) { centre, fact, event in
            guard centre.subscriptions.contains(fact.student) else { return }
            centre.subscriptions.updateExisting(fact.student) {
                $0.endsAt = fact.endsAt
                $0.accessUntil = fact.endsAt
                $0.renewal?.retryAt = nil
            }
            centre.setPeriodEnd(fact.endsAt, event)
        }
        routes.on(Tafawoq.Subscription.Downgraded.self) { $0.downgraded($1, $2) }
        routes.on(Tafawoq.Subscription.PaymentIgnored.self) { centre, fact, event in
            guard centre.students.contains(fact.student) else { return }
            centre.take(fact.providerEvent, of: fact.student)
            centre.mark(.ignored, fact.reportedAfterSeconds, event)
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

    private func started(_ fact: Tafawoq.Subscription.TrialStarted, _ event: Circumstances) {
        guard students.contains(fact.student) else { return }
        let checkout = checkouts[.init(fact.student, fact.checkout)]
        let grace = policy.graceSeconds
        begin(fact.student)
        subscriptions.updateExisting(fact.student) {
            $0.hadTrial = true
            $0.isTrial = true
            $0.periodStart = fact.startsAt
            $0.periodEnd = fact.endsAt
            $0.periodNumber = 0
            $0.anchor = fact.endsAt
            $0.amountMinor = checkout?.amountMinor ?? 0
            $0.currency = checkout?.currency ?? ""
            $0.accessUntil = fact.endsAt + Int64(grace)  // R10
        }
        settle(fact.checkout, of: fact.student)
        take(fact.providerEvent, of: fact.student)
        mark(.succeeded, fact.reportedAfterSeconds, event)
        setPeriodEnd(fact.endsAt, event)
    }

    private func activated(_ fact: Tafawoq.Subscription.Activated, _ event: Circumstances) {
        guard let before = subscriptions[fact.student] else { return }
        let settled = fact.origin == .recovery ? before.unresolved : before.renewal
        if fact.origin != .checkout, let open = settled?.case {
            cases.updateExisting(Ordinal(open)) { $0.isRecovered = true }
            subscriptions.updateExisting(fact.student) { $0.renewal = nil }
        }
        begin(fact.student)
        cover(
            fact.student, fact.periodNumber, from: fact.periodStart, to: fact.periodEnd,
            isCancelled: fact.cancelled, fact.amountMinor, fact.currency)
        subscriptions.updateExisting(fact.student) { $0.anchor = fact.anchor }
        if let checkout = fact.checkout { settle(checkout, of: fact.student) }
        take(fact.providerEvent, of: fact.student)
        mark(.succeeded, fact.reportedAfterSeconds, event)
        setPeriodEnd(fact.periodEnd, event)
    }

    private func renewed(_ fact: Tafawoq.Subscription.Renewed, _ event: Circumstances) {
        guard let before = subscriptions[fact.student] else { return }
        if let open = before.renewal?.case {
            cases.updateExisting(Ordinal(open)) { $0.isRecovered = true }
        }
        subscriptions.updateExisting(fact.student) { $0.renewal = nil }
        cover(
            fact.student, fact.periodNumber, from: fact.periodStart, to: fact.periodEnd,
            isCancelled: fact.cancelled, fact.amountMinor, fact.currency)
        take(fact.providerEvent, of: fact.student)
        mark(.succeeded, fact.reportedAfterSeconds, event)
        setPeriodEnd(fact.periodEnd, event)
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

    private func requested(_ fact: Tafawoq.Renewal.Requested, _ event: Circumstances) {
        guard subscriptions.contains(fact.student) else { return }
        subscriptions.updateExisting(fact.student) { row in
            var renewal = row.renewal ?? Tafawoq.RenewalRow()
            if row.renewal == nil {
                renewal.period = fact.period
                renewal.followsTrial = row.isTrial
            }
            renewal.attempt = fact.attempt
            renewal.hasFailed = false
            renewal.retryAt = nil
            renewal.accessUntil = fact.accessUntil
            renewal.amountMinor = fact.amountMinor
            renewal.currency = fact.currency
            row.renewal = renewal
            row.accessUntil = fact.accessUntil
        }
        timers.cancelAll(on: event.stream)
        setAccessEnd(fact.accessUntil, event)
    }

    private func failed(_ fact: Tafawoq.Renewal.Failed, _ event: Circumstances) {
        guard let before = subscriptions[fact.student], before.renewal != nil else { return }
        var open = before.renewal?.case
        if open == nil {
            let number = count(\.cases)
            cases.update(Ordinal(number)) {
                $0.student = fact.student
                $0.period = fact.period
                $0.openedAt = event.at
            }
            open = number
        }
        if let open {
            cases.updateExisting(Ordinal(open)) { row in
                row.accessUntil = fact.accessUntil
                var attempt = Tafawoq.CaseAttempt()
                attempt.attempt = fact.attempt
                attempt.at = event.at
                attempt.reason = fact.reason
                row.attempts.append(attempt)
            }
        }
        subscriptions.updateExisting(fact.student) { row in
            row.accessUntil = fact.accessUntil
            row.renewal?.hasFailed = true
            row.renewal?.retryAt = fact.retryAt
            row.renewal?.accessUntil = fact.accessUntil
            row.renewal?.case = open
            if row.renewal?.failedAt == nil { row.renewal?.failedAt = event.at }
        }
        take(fact.providerEvent, of: fact.student)
        mark(.failed, fact.reportedAfterSeconds, event)
        guard before.endsAt == nil else { return }
        timers.cancelAll(on: event.stream)
        setAccessEnd(fact.accessUntil, event)
        if let retryAt = fact.retryAt {
            timers.set(
                [.init(Tafawoq.TimerName.renewalRetry, due: retryAt, cause: event.position)],
                on: event.stream)
        }
    }

    private func downgraded(_ fact: Tafawoq.Subscription.Downgraded, _ event: Circumstances) {
        guard let before = subscriptions[fact.student] else { return }
        if let open = before.renewal?.case {
            cases.updateExisting(Ordinal(open)) { $0.isDowngraded = true }
        }
        subscriptions.updateExisting(fact.student) { row in
            row.unresolved = fact.reason == .paymentUnresolved ? row.renewal : nil
            row.renewal = nil
            row.isOn = false
            row.isTrial = false
            row.endsAt = nil
            row.accessUntil = nil
        }
        timers.cancelAll(on: event.stream)
    }

    // MARK: Small steps

    private func settle(_ checkout: Tafawoq.CheckoutID, of student: Tafawoq.StudentID) {
        checkouts.updateExisting(.init(student, checkout)) { $0.isSettled = true }
    }

    /// R20: an event of the provider counts once.
    private func take(_ event: Tafawoq.ProviderEventID, of student: Tafawoq.StudentID) {
        providerEvents.insert(.init(), at: .init(student, event))
    }

    private func mark(
        _ kind: Tafawoq.PaymentMarkKind, _ seconds: Int, _ event: Circumstances
    ) {
        var mark = Tafawoq.PaymentMark()
        mark.at = event.at
        mark.kind = kind
        mark.reportedAfterSeconds = seconds
        paymentMarks.append(mark, at: count(\.paymentMarks))
    }

    private func setPeriodEnd(_ due: Instant, _ event: Circumstances) {
        timers.cancelAll(on: event.stream)
        timers.set(
            [.init(Tafawoq.TimerName.periodEnd, due: due, cause: event.position)],
            on: event.stream)
    }

    private func setAccessEnd(_ due: Instant, _ event: Circumstances) {
        timers.set(
            [.init(Tafawoq.TimerName.accessEnd, due: due, cause: event.position)],
            on: event.stream)
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

extension Tafawoq.Centre {
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
