package import Core

extension Tafawoq {
    /// One attempt to buy premium (R12). Stream `tafawoq/subscription/STUDENT`.
    package enum Checkout: Thing {
        package static let noun = "checkout"; package static let isTagged = false

        /// A checkout began, with the trial, price and currency that it offers (R12).
        package struct Begun: Payload {
            package static let type = "tafawoq.checkout.begun"
            package static let streams = ["subscription"]
            package static let sentence = "A checkout began."
            package static let rules = [12]
            package internal(set) var student = StudentID.none
            package internal(set) var checkout = CheckoutID.none
            package internal(set) var trialDays = 0
            package internal(set) var amountMinor = 0
            package internal(set) var currency = ""

            package init() {}
        }

        /// The client came back from a successful payment form; activation is expected by `expectedBy`
        /// (R12).
        package struct Confirmed: Payload {
            package static let type = "tafawoq.checkout.confirmed"
            package static let streams = ["subscription"]
            package static let sentence = "A student came back from the payment form."
            package static let rules = [12]
            package internal(set) var student = StudentID.none
            package internal(set) var checkout = CheckoutID.none
            package internal(set) var expectedBy = Instant.epoch

            package init() {}
        }

        /// The provider reported that the checkout was not paid (R20).
        package struct Failed: Payload {
            package static let type = "tafawoq.checkout.failed"
            package static let streams = ["subscription"]
            package static let sentence = "A checkout failed."
            package static let rules = [20]
            package internal(set) var student = StudentID.none
            package internal(set) var checkout = CheckoutID.none
            package internal(set) var providerEvent = ProviderEventID.none
            package internal(set) var reason = ""
            package internal(set) var reportedAfterSeconds = 0

            package init() {}
        }
    }
}
