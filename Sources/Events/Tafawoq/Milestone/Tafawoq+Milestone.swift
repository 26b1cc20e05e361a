package import Core

extension Tafawoq {
    /// Achievements of a student (R41). Stream `tafawoq/milestone/STUDENT`.
    package enum Milestone {
        /// A student reached a milestone, once and for all (R41).
        package struct Reached: Payload {
            package static let type = "tafawoq.milestone.reached"
            package static let streams = ["milestone"]
            package static let sentence = "A milestone was reached."
            package static let rules = [41]
            package internal(set) var student = StudentID.none
            package internal(set) var milestone = ""
            package internal(set) var value = Percent.zero

            package init() {}
        }
    }
}
