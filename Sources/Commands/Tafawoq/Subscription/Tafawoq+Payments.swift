package import Commands
package import Core
import Folding
package import TafawoqEvents
package import TafawoqFacts

extension Tafawoq {
    /// One event of the payment provider (R19, R20): it may come twice, late or out of order.
    package struct ReportPayment: StudentCommand {
        package static let type = "tafawoq.payment.report"
        package static let senders: [Actor.Kind] = [.service]
        package var student = StudentID.none
        var providerEvent = ProviderEventID.none
        var kind = Subscription.PaymentKind.checkoutPaid
        var occurredAt = Instant.epoch
        var signatureVerified = false
        var checkout: CheckoutID?
        var period: Instant?
        var attempt: Int?
        var reason: String?
        var customer: String?
        var providerSubscription: String?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("providerEvent", &providerEvent)
            coder.field("kind", &kind)
            coder.field("occurredAt", &occurredAt)
            coder.field("signatureVerified", &signatureVerified)
            coder.given("checkout", &checkout)
            coder.given("period", &period)
            coder.givenInt("attempt", &attempt)
            coder.givenText("reason", &reason)
            coder.givenText("customer", &customer)
            coder.givenText("providerSubscription", &providerSubscription)
        }

        package func problem(_ names: Names) -> String? {
            switch kind {
            case .checkoutPaid, .checkoutFailed: if checkout == nil { return "checkout: missing" }
            case .renewalPaid, .renewalFailed:
                if period == nil { return "period: missing" }
                if attempt == nil { return "attempt: missing" }
            }
            switch kind {
            case .checkoutFailed, .renewalFailed: if reason == nil { return "reason: missing" }
            case .checkoutPaid, .renewalPaid: break
            }
            return nil
        }

        package func apply(in scene: Scene<Centre>) throws(Rejection) {
            // R19: before anything is looked up.
            if !signatureVerified { throw .signatureUnverified }
            _ = try scene.student(student)
            let isCheckout = kind == .checkoutPaid || kind == .checkoutFailed
            if isCheckout, let checkout,
                !scene.state.checkouts.contains(.init(student, checkout))
            {
                throw .notFound
            }
            if occurredAt > scene.at { throw .badOccurrence }
            // R20: it was there before.
            if scene.state.providerEvents.contains(.init(student, providerEvent)) { return }
            switch kind {
            case .checkoutPaid: checkoutPaid(in: scene)
            case .checkoutFailed: checkoutFailed(in: scene)
            case .renewalPaid: renewalPaid(in: scene)
            case .renewalFailed: renewalFailed(in: scene)
            }
        }

        // MARK: R20, kind by kind

        private func checkoutPaid(in scene: Scene<Centre>) {
            guard let checkout, let row = scene.state.checkouts[.init(student, checkout)] else {
                return
            }
            if row.isSettled { return ignore(.alreadySettled, in: scene) }
            if scene.tier(of: student) == .premium { return ignore(.alreadyPremium, in: scene) }
            let hadTrial = scene.state.subscriptions.read(student) { $0.hadTrial } ?? false
            guard row.trialDays > 0, !hadTrial else {
                return activate(
                    .checkout, from: scene.at, row.amountMinor, row.currency, in: scene)
            }
            // R13: access counts from the moment at which the engine learns of the payment.
            let endsAt = scene.at + Tafawoq.days(row.trialDays)
            scene.record(
                Subscription.TrialStarted.with {
                    $0.student = student
                    $0.checkout = checkout
                    $0.providerEvent = providerEvent
                    $0.startsAt = scene.at
                    $0.endsAt = endsAt
                    $0.trialDays = row.trialDays
                    $0.customer = customer
                    $0.providerSubscription = providerSubscription
                    $0.reportedAfterSeconds = reportedAfter(in: scene)
                }, subscription: student)
            tellUnlocked(until: endsAt, isTrial: true, in: scene)
        }

        private func checkoutFailed(in scene: Scene<Centre>) {
            guard let checkout, let row = scene.state.checkouts[.init(student, checkout)] else {
                return
            }
            if row.isSettled { return ignore(.alreadySettled, in: scene) }
            let reason = reason ?? ""
            scene.record(
                Checkout.Failed.with {
                    $0.student = student
                    $0.checkout = checkout
                    $0.providerEvent = providerEvent
                    $0.reason = reason
                    $0.reportedAfterSeconds = reportedAfter(in: scene)
                }, subscription: student)
            scene.notify(student, .checkoutFailed, [("reason", .string(reason))])
            scene.alertOnFailures(.paymentFailures)
        }

        private func renewalPaid(in scene: Scene<Centre>) {
            guard let row = scene.state.subscriptions[student] else { return }
            if let renewal = row.renewal, renewal.period == period {
                // R14: a trial's first paid period begins where the trial ended.
                guard !renewal.followsTrial else {
                    return activate(
                        .trial, from: renewal.period, renewal.amountMinor, renewal.currency,
                        isCancelled: row.endsAt != nil, in: scene)
                }
                scene.record(
                    Subscription.Renewed.with {
                        $0.student = student
                        $0.providerEvent = providerEvent
                        $0.periodNumber = row.periodNumber + 1
                        $0.periodStart = row.periodEnd
                        $0.periodEnd = row.anchor.adding(months: row.periodNumber + 1)
                        $0.attempt = attempt ?? renewal.attempt
                        $0.amountMinor = renewal.amountMinor
                        $0.currency = renewal.currency
                        $0.cancelled = row.endsAt != nil
                        $0.reportedAfterSeconds = reportedAfter(in: scene)
                    }, subscription: student)
                return
            }
            if let lost = row.unresolved, lost.period == period,
                scene.tier(of: student) == .free
            {
                return activate(
                    .recovery, from: scene.at, lost.amountMinor, lost.currency, in: scene)
            }
            ignore(.alreadySettled, in: scene)
        }

        private func renewalFailed(in scene: Scene<Centre>) {
            guard let row = scene.state.subscriptions[student], let renewal = row.renewal,
                renewal.period == period, renewal.attempt == attempt, !renewal.hasFailed
            else { return ignore(.stale, in: scene) }
            // R16
            let waits = scene.policy.renewalRetrySeconds
            let isCancelled = row.endsAt != nil
            let retryAt =
                !isCancelled && waits.indices.contains(renewal.attempt - 1)
                ? scene.at + Int64(waits[renewal.attempt - 1]) : nil
            let accessUntil =
                row.endsAt
                ?? (renewal.failedAt == nil
                    ? scene.at + Int64(scene.policy.graceSeconds) : renewal.accessUntil)
            scene.record(
                Renewal.Failed.with {
                    $0.student = student
                    $0.providerEvent = providerEvent
                    $0.period = renewal.period
                    $0.attempt = renewal.attempt
                    $0.reason = reason ?? ""
                    $0.retryAt = retryAt
                    $0.accessUntil = accessUntil
                    $0.reportedAfterSeconds = reportedAfter(in: scene)
                }, subscription: student)
            if renewal.attempt == 1 {
                scene.notify(
                    student, .paymentFailed,
                    [("period", renewal.period.json), ("accessUntil", accessUntil.json)])
            }
            scene.alertOnFailures(.paymentFailures)
        }

        // MARK: Small steps

        /// R13, R14, R20
        private func activate(
            _ origin: Subscription.Origin, from anchor: Instant, _ amountMinor: Int,
            _ currency: String, isCancelled: Bool = false, in scene: Scene<Centre>
        ) {
            let end = anchor.adding(months: 1)
            scene.record(
                Subscription.Activated.with {
                    $0.student = student
                    $0.origin = origin
                    $0.checkout = origin == .checkout ? checkout : nil
                    $0.providerEvent = providerEvent
                    $0.anchor = anchor
                    $0.periodNumber = 1
                    $0.periodStart = anchor
                    $0.periodEnd = end
                    $0.amountMinor = amountMinor
                    $0.currency = currency
                    $0.cancelled = isCancelled
                    $0.customer = customer
                    $0.providerSubscription = providerSubscription
                    $0.reportedAfterSeconds = reportedAfter(in: scene)
                }, subscription: student)
            if origin != .trial { tellUnlocked(until: end, isTrial: false, in: scene) }
        }

        private func ignore(_ reason: Subscription.IgnoreReason, in scene: Scene<Centre>) {
            scene.record(
                Subscription.PaymentIgnored.with {
                    $0.student = student
                    $0.providerEvent = providerEvent
                    $0.kind = kind
                    $0.reason = reason
                    $0.reportedAfterSeconds = reportedAfter(in: scene)
                }, subscription: student)
        }

        private func tellUnlocked(until end: Instant, isTrial: Bool, in scene: Scene<Centre>) {
            scene.notify(
                student, .premiumUnlocked, [("until", end.json), ("trial", .bool(isTrial))])
        }

        /// R19
        private func reportedAfter(in scene: Scene<Centre>) -> Int {
            scene.at.wholeSeconds(since: occurredAt)
        }
    }
}
