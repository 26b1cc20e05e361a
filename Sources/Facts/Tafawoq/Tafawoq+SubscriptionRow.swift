package import Core
import Folding
package import TafawoqEvents

extension Tafawoq {
    package struct CheckoutRow: Record {
        package var trialDays = 0
        package var amountMinor = 0
        package var currency = ""
        package var expectedBy: Instant?
        package var isSettled = false

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("trialDays", &trialDays)
            coder.field("amountMinor", &amountMinor)
            coder.field("currency", &currency)
            coder.field("expectedBy", &expectedBy)
            coder.field("isSettled", &isSettled)
        }
    }

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
        /// Of the first failure.
        package var failedAt: Instant?
        package var amountMinor = 0
        package var currency = ""
        package var `case`: Int?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("period", &period)
            coder.field("followsTrial", &followsTrial)
            coder.field("attempt", &attempt)
            coder.field("hasFailed", &hasFailed)
            coder.field("retryAt", &retryAt)
            coder.field("accessUntil", &accessUntil)
            coder.field("failedAt", &failedAt)
            coder.field("amountMinor", &amountMinor)
            coder.field("currency", &currency)
            coder.field("case", &`case`)
        }
    }

    package struct SubscriptionRow: Record {
        /// R12: there was a trial once.
        package var hadTrial = false
        package var lastCheckout: CheckoutID?
        /// R10
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
        /// R18: when the cancelled subscription ends.
        package var endsAt: Instant?
        /// R20: what a late payment may recover.
        package var unresolved: RenewalRow?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("hadTrial", &hadTrial)
            coder.field("lastCheckout", &lastCheckout)
            coder.field("accessUntil", &accessUntil)
            coder.field("isOn", &isOn)
            coder.field("isTrial", &isTrial)
            coder.field("anchor", &anchor)
            coder.field("periodNumber", &periodNumber)
            coder.field("periodStart", &periodStart)
            coder.field("periodEnd", &periodEnd)
            coder.field("amountMinor", &amountMinor)
            coder.field("currency", &currency)
            coder.field("renewal", &renewal)
            coder.field("endsAt", &endsAt)
            coder.field("unresolved", &unresolved)
        }
    }

    /// A renewal that failed, for the support desk.
    package struct CaseRow: Record {
        package var student = StudentID.none
        package var period = Instant.epoch
        package var openedAt = Instant.epoch
        package var isRecovered = false
        package var isDowngraded = false
        package var accessUntil = Instant.epoch
        package var attempts: [CaseAttempt] = []

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("period", &period)
            coder.field("openedAt", &openedAt)
            coder.field("isRecovered", &isRecovered)
            coder.field("isDowngraded", &isDowngraded)
            coder.field("accessUntil", &accessUntil)
            coder.field("attempts", &attempts)
        }
    }

    package struct CaseAttempt: Record {
        package var attempt = 0
        package var at = Instant.epoch
        package var reason = ""

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("attempt", &attempt)
            coder.field("at", &at)
            coder.field("reason", &reason)
        }
    }
}
