package import Core

extension Tafawoq {
    /// The payment of a further period (R15, R16). Stream `tafawoq/subscription/STUDENT`.
    package enum Renewal {
        /// Payment of the period that begins at `period` was requested (R15, R16).
        package struct Requested: Payload {
            package static let type = "tafawoq.renewal.requested"
            package static let streams = ["subscription"]
            package static let sentence = "A renewal was requested."
            package static let rules = [15, 16]
            package internal(set) var student = StudentID.none
            package internal(set) var period = Instant.epoch
            package internal(set) var attempt = 0
            package internal(set) var amountMinor = 0
            package internal(set) var currency = ""
            package internal(set) var accessUntil = Instant.epoch

            package init() {}
        }

        /// An attempt to pay a period failed; access continues until `accessUntil` (R16).
        package struct Failed: Payload {
            package static let type = "tafawoq.renewal.failed"
            package static let streams = ["subscription"]
            package static let sentence = "A renewal failed."
            package static let rules = [16]
            package internal(set) var student = StudentID.none
            package internal(set) var providerEvent = ProviderEventID.none
            package internal(set) var period = Instant.epoch
            package internal(set) var attempt = 0
            package internal(set) var reason = ""
            package internal(set) var retryAt: Instant?
            package internal(set) var accessUntil = Instant.epoch
            package internal(set) var reportedAfterSeconds = 0

            package init() {}
        }
    }
}
