package import Core

extension Tafawoq {
    /// Premium access and its payments. Stream `tafawoq/subscription/STUDENT`.
    package enum Subscription {
        /// What a subscription was activated by (R13, R14, R20).
        package enum Origin: String, Choice {
            case checkout
            case trial
            case recovery
        }

        /// Why premium access ended (R17, R18).
        package enum DowngradeReason: String, Choice {
            case cancelled
            case paymentUnresolved = "payment-unresolved"
        }

        /// What an event of the payment provider says (R20).
        package enum PaymentKind: String, Choice {
            case checkoutPaid = "checkout-paid"
            case checkoutFailed = "checkout-failed"
            case renewalPaid = "renewal-paid"
            case renewalFailed = "renewal-failed"
        }

        /// Why a provider event changed nothing (R20).
        package enum IgnoreReason: String, Choice {
            case alreadySettled = "already-settled"
            case alreadyPremium = "already-premium"
            case stale
        }

        /// A paid checkout started the student's first and only trial (R13).
        package struct TrialStarted: Payload {
            package static let type = "tafawoq.trial.started"
            package static let streams = ["subscription"]
            package static let sentence = "A trial started."
            package var student = StudentID.none
            package var checkout = CheckoutID.none
            package var providerEvent = ProviderEventID.none
            package var startsAt = Instant.epoch
            package var endsAt = Instant.epoch
            package var trialDays = 0
            package var customer: String?
            package var providerSubscription: String?
            package var reportedAfterSeconds = 0

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("checkout", &checkout)
                coder.field("providerEvent", &providerEvent)
                coder.field("startsAt", &startsAt)
                coder.field("endsAt", &endsAt)
                coder.field("trialDays", &trialDays)
                coder.field("customer", &customer)
                coder.field("providerSubscription", &providerSubscription)
                coder.field("reportedAfterSeconds", &reportedAfterSeconds)
            }
        }

        /// A first paid period began: after a checkout, at the end of a trial, or in recovery of an
        /// unpaid period (R13, R14, R20).
        package struct Activated: Payload {
            package static let type = "tafawoq.subscription.activated"
            package static let streams = ["subscription"]
            package static let sentence = "A subscription was activated."
            package var student = StudentID.none
            package var origin = Origin.empty
            package var checkout: CheckoutID?
            package var providerEvent = ProviderEventID.none
            package var anchor = Instant.epoch
            package var periodNumber = 0
            package var periodStart = Instant.epoch
            package var periodEnd = Instant.epoch
            package var amountMinor = 0
            package var currency = ""
            package var cancelled = false
            package var customer: String?
            package var providerSubscription: String?
            package var reportedAfterSeconds = 0

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("origin", &origin)
                coder.field("checkout", &checkout)
                coder.field("providerEvent", &providerEvent)
                coder.field("anchor", &anchor)
                coder.field("periodNumber", &periodNumber)
                coder.field("periodStart", &periodStart)
                coder.field("periodEnd", &periodEnd)
                coder.field("amountMinor", &amountMinor)
                coder.field("currency", &currency)
                coder.field("cancelled", &cancelled)
                coder.field("customer", &customer)
                coder.field("providerSubscription", &providerSubscription)
                coder.field("reportedAfterSeconds", &reportedAfterSeconds)
            }
        }

        /// A further period was paid (R14, R20).
        package struct Renewed: Payload {
            package static let type = "tafawoq.subscription.renewed"
            package static let streams = ["subscription"]
            package static let sentence = "A subscription was renewed."
            package var student = StudentID.none
            package var providerEvent = ProviderEventID.none
            package var periodNumber = 0
            package var periodStart = Instant.epoch
            package var periodEnd = Instant.epoch
            package var attempt = 0
            package var amountMinor = 0
            package var currency = ""
            package var cancelled = false
            package var reportedAfterSeconds = 0

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("providerEvent", &providerEvent)
                coder.field("periodNumber", &periodNumber)
                coder.field("periodStart", &periodStart)
                coder.field("periodEnd", &periodEnd)
                coder.field("attempt", &attempt)
                coder.field("amountMinor", &amountMinor)
                coder.field("currency", &currency)
                coder.field("cancelled", &cancelled)
                coder.field("reportedAfterSeconds", &reportedAfterSeconds)
            }
        }

        /// No further period is wanted; access ends at `endsAt` (R18).
        package struct Cancelled: Payload {
            package static let type = "tafawoq.subscription.cancelled"
            package static let streams = ["subscription"]
            package static let sentence = "A subscription was cancelled."
            package var student = StudentID.none
            package var endsAt = Instant.epoch

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("endsAt", &endsAt)
            }
        }

        /// Premium access ended: cancelled, or its renewal was never paid (R17, R18).
        package struct Downgraded: Payload {
            package static let type = "tafawoq.subscription.downgraded"
            package static let streams = ["subscription"]
            package static let sentence = "A student went back to the free plan."
            package var student = StudentID.none
            package var reason = DowngradeReason.empty
            package var period: Instant?

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("reason", &reason)
                coder.field("period", &period)
            }
        }

        /// A provider event came twice, late or out of order, and changed nothing (R20).
        package struct PaymentIgnored: Payload {
            package static let type = "tafawoq.payment.ignored"
            package static let streams = ["subscription"]
            package static let sentence = "A payment provider's event was ignored."
            package var student = StudentID.none
            package var providerEvent = ProviderEventID.none
            package var kind = PaymentKind.empty
            package var reason = IgnoreReason.empty
            package var reportedAfterSeconds = 0

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("providerEvent", &providerEvent)
                coder.field("kind", &kind)
                coder.field("reason", &reason)
                coder.field("reportedAfterSeconds", &reportedAfterSeconds)
            }
        }
    }

    /// What a student may use: the free plan, or premium (R10).
    package enum Tier: String, Choice {
        case free, premium
    }
}
