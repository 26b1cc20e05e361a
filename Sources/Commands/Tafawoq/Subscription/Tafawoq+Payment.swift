import Commands
import Core
import Folding
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// Reports one event of the payment provider; it may come twice, late or out of order (R19, R20).
    struct ReportPayment: StudentCommand {
        static let type = "tafawoq.payment.report"
        func senders(in state: State) -> Senders { .service }
        var student = StudentID.none
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

        mutating func fields<C: Coder>(_ coder: inout C) {
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

        func problem(_ names: Names) -> String? {
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

        func decide(in context: Context) throws(Rejection) {
            // Before anything is looked up (R19).
            if !signatureVerified { throw .signatureUnverified }
            _ = try context.find(student)
            let isCheckout = kind == .checkoutPaid || kind == .checkoutFailed
            if isCheckout, let checkout,
                !context.state.checkouts.contains(.init(student, checkout))
            {
                throw context.notFound(checkout)
            }
            if occurredAt > context.at { throw .badOccurrence }
            // A provider event counts once (R20).
            if context.state.providerEvents.contains(.init(student, providerEvent)) { return }
            switch kind {
            case .checkoutPaid: checkoutPaid(in: context)
            case .checkoutFailed: checkoutFailed(in: context)
            case .renewalPaid: renewalPaid(in: context)
            case .renewalFailed: renewalFailed(in: context)
            }
        }

        // MARK: R20, kind by kind

        private func checkoutPaid(in context: Tafawoq.Context) {
            guard let checkout, let row = context.state.checkouts[.init(student, checkout)] else {
                return
            }
            if row.isSettled { return ignore(.alreadySettled, in: context) }
            if context.tier(of: student) == .premium { return ignore(.alreadyPremium, in: context) }
            let hadTrial = context.state.subscriptions.read(student) { $0.hadTrial } ?? false
            guard row.trialDays > 0, !hadTrial else {
                return activate(
                    .checkout, from: context.at, row.amountMinor, row.currency, in: context)
            }
            // Access counts from the moment at which the engine learns of the payment (R13).
            let endsAt = context.at + Days(row.trialDays)
            context.record(
                Subscription.TrialStarted(
                    student: student,
                    checkout: checkout,
                    providerEvent: providerEvent,
                    startsAt: context.at,
                    endsAt: endsAt,
                    trialDays: row.trialDays,
                    customer: customer,
                    providerSubscription: providerSubscription,
                    reportedAfterSeconds: reportedAfter(in: context)),
                on: context.subscriptionStream(of: student))
            notifyUnlocked(until: endsAt, isTrial: true, in: context)
        }

        private func checkoutFailed(in context: Tafawoq.Context) {
            guard let checkout, let row = context.state.checkouts[.init(student, checkout)] else {
                return
            }
            if row.isSettled { return ignore(.alreadySettled, in: context) }
            let reason = reason ?? ""
            context.record(
                Checkout.Failed(
                    student: student,
                    checkout: checkout,
                    providerEvent: providerEvent,
                    reason: reason,
                    reportedAfterSeconds: reportedAfter(in: context)),
                on: context.subscriptionStream(of: student))
            context.notify(
                student, .checkoutFailed,
                [("checkout", .string(context.names.text(checkout))), ("reason", .string(reason))])
            context.alertOnFailures(.paymentFailures)
        }

        private func renewalPaid(in context: Tafawoq.Context) {
            guard let row = context.state.subscriptions[student] else { return }
            if let renewal = row.renewal, renewal.period == period {
                // A trial's first paid period begins where the trial ended (R14).
                guard !renewal.followsTrial else {
                    return activate(
                        .trial, from: renewal.period, renewal.amountMinor, renewal.currency,
                        isCancelled: row.endsAt != nil, in: context)
                }
                context.record(
                    Subscription.Renewed(
                        student: student,
                        providerEvent: providerEvent,
                        periodNumber: row.periodNumber + 1,
                        periodStart: row.periodEnd,
                        periodEnd: row.anchor.adding(months: row.periodNumber + 1),
                        attempt: attempt ?? renewal.attempt,
                        amountMinor: renewal.amountMinor,
                        currency: renewal.currency,
                        cancelled: row.endsAt != nil,
                        reportedAfterSeconds: reportedAfter(in: context)),
                    on: context.subscriptionStream(of: student))
                return
            }
            if let lost = row.unresolved, lost.period == period,
                context.tier(of: student) == .free
            {
                return activate(
                    .recovery, from: context.at, lost.amountMinor, lost.currency, in: context)
            }
            ignore(.alreadySettled, in: context)
        }

        private func renewalFailed(in context: Tafawoq.Context) {
            guard let row = context.state.subscriptions[student], let renewal = row.renewal,
                renewal.period == period, renewal.attempt == attempt, !renewal.hasFailed
            else { return ignore(.stale, in: context) }
            // The next attempt, and access until then (R16).
            let waits = context.policy.renewalRetrySeconds
            let isCancelled = row.endsAt != nil
            let retryAt =
                !isCancelled && waits.indices.contains(renewal.attempt - 1)
                ? context.at + Int64(waits[renewal.attempt - 1]) : nil
            let accessUntil =
                row.endsAt
                ?? (renewal.failedAt == nil
                    ? context.at + Int64(context.policy.graceSeconds) : renewal.accessUntil)
            context.record(
                Renewal.Failed(
                    student: student,
                    providerEvent: providerEvent,
                    period: renewal.period,
                    attempt: renewal.attempt,
                    reason: reason ?? "",
                    retryAt: retryAt,
                    accessUntil: accessUntil,
                    reportedAfterSeconds: reportedAfter(in: context)),
                on: context.subscriptionStream(of: student))
            if renewal.attempt == 1 {
                context.notify(
                    student, .paymentFailed,
                    [("period", renewal.period.json), ("accessUntil", accessUntil.json)])
            }
            context.alertOnFailures(.paymentFailures)
        }

        // MARK: Small steps

        /// Activates premium from `anchor` on, for a first paid period (R13, R14, R20).
        private func activate(
            _ origin: Subscription.Origin, from anchor: Instant, _ amountMinor: Int,
            _ currency: String, isCancelled: Bool = false, in context: Tafawoq.Context
        ) {
            let end = anchor.adding(months: 1)
            context.record(
                Subscription.Activated(
                    student: student,
                    origin: origin,
                    checkout: origin == .checkout ? checkout : nil,
                    providerEvent: providerEvent,
                    anchor: anchor,
                    periodNumber: 1,
                    periodStart: anchor,
                    periodEnd: end,
                    amountMinor: amountMinor,
                    currency: currency,
                    cancelled: isCancelled,
                    customer: customer,
                    providerSubscription: providerSubscription,
                    reportedAfterSeconds: reportedAfter(in: context)),
                on: context.subscriptionStream(of: student))
            if origin != .trial { notifyUnlocked(until: end, isTrial: false, in: context) }
        }

        private func ignore(_ reason: Subscription.IgnoreReason, in context: Tafawoq.Context) {
            context.record(
                Subscription.PaymentIgnored(
                    student: student,
                    providerEvent: providerEvent,
                    kind: kind,
                    reason: reason,
                    reportedAfterSeconds: reportedAfter(in: context)),
                on: context.subscriptionStream(of: student))
        }

        private func notifyUnlocked(until end: Instant, isTrial: Bool, in context: Tafawoq.Context)
        {
            context.notify(
                student, .premiumUnlocked, [("until", end.json), ("trial", .bool(isTrial))])
        }

        /// How late the provider's event is reported, in whole seconds (R19).
        private func reportedAfter(in context: Tafawoq.Context) -> Int {
            context.at.wholeSeconds(since: occurredAt)
        }
    }
}
