package import Core

extension Tafawoq {
    /// Deliveries of questions that failed or were sent back. Stream of the exam or practice.
    package enum Generation {
        /// Why questions could not be generated; `timeout` is the timer's.
        package enum Reason: String, Choice {
            case providerError = "provider-error"
            case quotaExhausted = "quota-exhausted"
            case insufficientResources = "insufficient-resources"
            case invalidOutput = "invalid-output"
            case timeout
        }

        /// The generator gave up, or did not deliver by `generateBy` (R24, R46).
        package struct Failed: Payload {
            package static let type = "tafawoq.generation.failed"
            package static let streams = ["exam", "practice"]
            package static let sentence = "Questions could not be generated."
            package static let rules = [24, 46]
            package internal(set) var of = SittingKind.empty
            package internal(set) var id = SittingID.none
            package internal(set) var student = StudentID.none
            package internal(set) var reason = Reason.empty
            package internal(set) var attempts = 0
            package internal(set) var waitedSeconds = 0

            package init() {}
        }

        /// A delivery with repeated questions was sent back (R3, R26).
        package struct Refused: Payload {
            package static let type = "tafawoq.generation.refused"
            package static let streams = ["exam", "practice"]
            package static let sentence = "Repeated questions were sent back."
            package static let rules = [3, 26]
            package static let significance = Significance.refusal
            package internal(set) var of = SittingKind.empty
            package internal(set) var id = SittingID.none
            package internal(set) var student = StudentID.none
            package internal(set) var attempt = 0
            package internal(set) var repeated = 0

            package init() {}
        }
    }
}
