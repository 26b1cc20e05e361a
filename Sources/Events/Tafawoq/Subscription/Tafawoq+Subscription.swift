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
            package static let version: UInt16 = 2
            package static let streams = ["subscription"]
            package static let sentence = "A trial started."
            package static let rules = [13]
            package internal(set) var student = StudentID.none
            package internal(set) var checkout = CheckoutID.none
            package internal(set) var providerEvent = ProviderEventID.none
            package internal(set) var startsAt = Instant.epoch
            package internal(set) var endsAt = Instant.epoch
            package internal(set) var trialDays = 0
            package internal(set) var customer: Personal<String> = nil
            package internal(set) var providerSubscription: String?
            package internal(set) var reportedAfterSeconds = 0

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                fields(&coder, version: Self.version)
            }

            package mutating func fields<C: Coder>(_ coder: inout C, version: UInt16) {
                coder.field("student", &student)
                coder.field("checkout", &checkout)
                coder.field("providerEvent", &providerEvent)
                coder.field("startsAt", &startsAt)
                coder.field("endsAt", &endsAt)
                coder.field("trialDays", &trialDays)
                // In clear before, where null was one of its values.
                if version < 2 {
                    coder.field("customer", &customer)
                } else {
                    coder.personal("customer", &customer)
                }
                coder.field("providerSubscription", &providerSubscription)
                coder.field("reportedAfterSeconds", &reportedAfterSeconds)
            }
        }

        /// A first paid period began: after a checkout, at the end of a trial, or in recovery of an
        /// unpaid period (R13, R14, R20).
        package struct Activated: Payload {
            package static let type = "tafawoq.subscription.activated"
            package static let version: UInt16 = 2
            package static let streams = ["subscription"]
            package static let sentence = "A subscription was activated."
            package static let rules = [13, 14, 20]
            package internal(set) var student = StudentID.none
            package internal(set) var origin = Origin.empty
            package internal(set) var checkout: CheckoutID?
            package internal(set) var providerEvent = ProviderEventID.none
            package internal(set) var anchor = Instant.epoch
            package internal(set) var periodNumber = 0
            package internal(set) var periodStart = Instant.epoch
            package internal(set) var periodEnd = Instant.epoch
            package internal(set) var amountMinor = 0
            package internal(set) var currency = ""
            package internal(set) var cancelled = false
            package internal(set) var customer: Personal<String> = nil
            package internal(set) var providerSubscription: String?
            package internal(set) var reportedAfterSeconds = 0

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                fields(&coder, version: Self.version)
            }

            package mutating func fields<C: Coder>(_ coder: inout C, version: UInt16) {
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
                // In clear before, where null was one of its values.
                if version < 2 {
                    coder.field("customer", &customer)
                } else {
                    coder.personal("customer", &customer)
                }
                coder.field("providerSubscription", &providerSubscription)
                coder.field("reportedAfterSeconds", &reportedAfterSeconds)
            }
        }

        /// A further period was paid (R14, R20).
        package struct Renewed: Payload {
            package static let type = "tafawoq.subscription.renewed"
            package static let streams = ["subscription"]
            package static let sentence = "A subscription was renewed."
            package static let rules = [14, 20]
            package internal(set) var student = StudentID.none
            package internal(set) var providerEvent = ProviderEventID.none
            package internal(set) var periodNumber = 0
            package internal(set) var periodStart = Instant.epoch
            package internal(set) var periodEnd = Instant.epoch
            package internal(set) var attempt = 0
            package internal(set) var amountMinor = 0
            package internal(set) var currency = ""
            package internal(set) var cancelled = false
            package internal(set) var reportedAfterSeconds = 0

            package init() {}
        }

        /// No further period is wanted; access ends at `endsAt` (R18).
        package struct Cancelled: Payload {
            package static let type = "tafawoq.subscription.cancelled"
            package static let streams = ["subscription"]
            package static let sentence = "A subscription was cancelled."
            package static let rules = [18]
            package internal(set) var student = StudentID.none
            package internal(set) var endsAt = Instant.epoch

            package init() {}
        }

        /// Premium access ended: cancelled, or its renewal was never paid (R17, R18).
        package struct Downgraded: Payload {
            package static let type = "tafawoq.subscription.downgraded"
            package static let streams = ["subscription"]
            package static let sentence = "A student went back to the free plan."
            package static let rules = [17, 18]
            package internal(set) var student = StudentID.none
            package internal(set) var reason = DowngradeReason.empty
            package internal(set) var period: Instant?

            package init() {}
        }

        /// A provider event came twice, late or out of order, and changed nothing (R20).
        package struct PaymentIgnored: Payload {
            package static let type = "tafawoq.payment.ignored"
            package static let streams = ["subscription"]
            package static let sentence = "A payment provider's event was ignored."
            package static let rules = [20]
            package internal(set) var student = StudentID.none
            package internal(set) var providerEvent = ProviderEventID.none
            package internal(set) var kind = PaymentKind.empty
            package internal(set) var reason = IgnoreReason.empty
            package internal(set) var reportedAfterSeconds = 0

            package init() {}
        }
    }

    /// What a student may use: the free plan, or premium (R10).
    package enum Tier: String, Choice {
        case free, premium
    }
}
