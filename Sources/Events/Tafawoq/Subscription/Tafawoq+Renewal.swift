package import Core

extension Tafawoq {
    /// The payment of a further period (R15, R16). Stream `tafawoq/subscription/STUDENT`.
    package enum Renewal {
        /// Payment of the period that begins at `period` was requested (R15, R16).
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

        /// An attempt to pay a period failed; access continues until `accessUntil` (R16).
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
}
