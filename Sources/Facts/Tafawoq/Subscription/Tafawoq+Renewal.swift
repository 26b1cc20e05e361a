package import Core
import Folding
package import TafawoqEvents

extension Tafawoq {
    /// A renewal that is requested and neither paid nor given up.
    package struct RenewalRow: Record {
        /// The instant at which the unpaid period begins.
        package var period = Instant.epoch
        package var followsTrial = false
        /// The last one requested.
        package var attempt = 0
        package var hasFailed = false
        package var retryAt: Instant?
        package var accessUntil = Instant.epoch
        /// When the first attempt failed.
        package var failedAt: Instant?
        package var amountMinor = 0
        package var currency = ""
        package var `case`: Int?

        package init() {}
    }

    /// A payment case of the support desk: a renewal whose first attempt failed.
    package struct CaseRow: Record {
        package var student = StudentID.none
        package var period = Instant.epoch
        package var openedAt = Instant.epoch
        package var isRecovered = false
        package var isDowngraded = false
        package var accessUntil = Instant.epoch
        package var attempts: [CaseAttempt] = []

        package init() {}
    }

    /// A failed attempt of a payment case.
    package struct CaseAttempt: Record {
        package var attempt = 0
        package var at = Instant.epoch
        package var reason = ""

        package init() {}
    }
}

extension Tafawoq.State {
    static func renewalRoutes(_ routes: inout Routes<Tafawoq.State>) {
        routes.on(Tafawoq.Renewal.Requested.self) { $0.requested($1, $2) }
        routes.on(Tafawoq.Renewal.Failed.self) { $0.failed($1, $2) }
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
        markPayment(.failed, event.reportedAfterSeconds, metadata)
        guard before.endsAt == nil else { return }
        timers.cancelAll(on: metadata.stream)
        setAccessEnd(event.accessUntil, metadata)
        if let retryAt = event.retryAt {
            timers.set(
                [.init(Tafawoq.TimerName.renewalRetry, due: retryAt, cause: metadata.position)],
                on: metadata.stream)
        }
    }

    /// Sets the timer of the end of grace (R17).
    private func setAccessEnd(_ due: Instant, _ metadata: EventMetadata) {
        timers.set(
            [.init(Tafawoq.TimerName.accessEnd, due: due, cause: metadata.position)],
            on: metadata.stream)
    }
}
