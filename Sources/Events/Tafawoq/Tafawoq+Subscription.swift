package import Core

extension Tafawoq {
    /// One try to buy premium. Stream `tafawoq/subscription/STUDENT`.
    package enum Checkout: Thing {
        package static let noun = "checkout"; package static let isTagged = false

        package struct Begun: Payload {
            package static let type = "tafawoq.checkout.begun"
            package static let streams = ["subscription"]
            package static let sentence = "A checkout began."
            package var student = StudentID.none
            package var checkout = CheckoutID.none
            package var trialDays = 0
            package var amountMinor = 0
            package var currency = ""

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("checkout", &checkout)
                coder.field("trialDays", &trialDays)
                coder.field("amountMinor", &amountMinor)
                coder.field("currency", &currency)
            }
        }

        package struct Confirmed: Payload {
            package static let type = "tafawoq.checkout.confirmed"
            package static let streams = ["subscription"]
            package static let sentence = "A student came back from the payment form."
            package var student = StudentID.none
            package var checkout = CheckoutID.none
            package var expectedBy = Instant.epoch

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("checkout", &checkout)
                coder.field("expectedBy", &expectedBy)
            }
        }

        package struct Failed: Payload {
            package static let type = "tafawoq.checkout.failed"
            package static let streams = ["subscription"]
            package static let sentence = "A checkout failed."
            package var student = StudentID.none
            package var checkout = CheckoutID.none
            package var providerEvent = ProviderEventID.none
            package var reason = ""
            package var reportedAfterSeconds = 0

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("checkout", &checkout)
                coder.field("providerEvent", &providerEvent)
                coder.field("reason", &reason)
                coder.field("reportedAfterSeconds", &reportedAfterSeconds)
            }
        }
    }

    /// The payment of a further period. Stream `tafawoq/subscription/STUDENT`.
    package enum Renewal {
        package struct Requested: Payload {
            package static let type = "tafawoq.renewal.requested"
            package static let streams = ["subscription"]
            package static let sentence = "A renewal was requested."
            package var student = StudentID.none
            package var period = Instant.epoch
            package var attempt = 0
            package var amountMinor = 0
            package var currency = ""
            package var accessUntil = Instant.epoch

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("period", &period)
                coder.field("attempt", &attempt)
                coder.field("amountMinor", &amountMinor)
                coder.field("currency", &currency)
                coder.field("accessUntil", &accessUntil)
            }
        }

        package struct Failed: Payload {
            package static let type = "tafawoq.renewal.failed"
            package static let streams = ["subscription"]
            package static let sentence = "A renewal failed."
            package var student = StudentID.none
            package var providerEvent = ProviderEventID.none
            package var period = Instant.epoch
            package var attempt = 0
            package var reason = ""
            package var retryAt: Instant?
            package var accessUntil = Instant.epoch
            package var reportedAfterSeconds = 0

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("providerEvent", &providerEvent)
                coder.field("period", &period)
                coder.field("attempt", &attempt)
                coder.field("reason", &reason)
                coder.field("retryAt", &retryAt)
                coder.field("accessUntil", &accessUntil)
                coder.field("reportedAfterSeconds", &reportedAfterSeconds)
            }
        }
    }

    /// Premium access. Stream `tafawoq/subscription/STUDENT`.
    package enum Subscription {
        package enum Origin: String, Choice {
            case checkout
            case trial
            case recovery
        }

        package enum DowngradeReason: String, Choice {
            case cancelled
            case paymentUnresolved = "payment-unresolved"
        }

        package enum PaymentKind: String, Choice {
            case checkoutPaid = "checkout-paid"
            case checkoutFailed = "checkout-failed"
            case renewalPaid = "renewal-paid"
            case renewalFailed = "renewal-failed"
        }

        package enum IgnoreReason: String, Choice {
            case alreadySettled = "already-settled"
            case alreadyPremium = "already-premium"
            case stale
        }

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
}
