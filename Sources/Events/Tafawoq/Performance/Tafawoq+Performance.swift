package import Core

extension Tafawoq {
    /// Times measured by the client. Stream `tafawoq/performance/STUDENT`.
    package enum Performance: Thing {
        package static let noun = "performance"; package static let isTagged = false

        /// The client reported times of one exam or practice, in milliseconds.
        package struct Reported: Payload {
            package static let type = "tafawoq.performance.reported"
            package static let streams = ["performance"]
            package static let sentence = "Times of the client were reported."
            package internal(set) var student = StudentID.none
            package internal(set) var of = SittingKind.empty
            package internal(set) var id = SittingID.none
            package internal(set) var metrics = Metrics.empty

            package init() {}
        }
    }
}
