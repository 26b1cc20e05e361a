package import Core

extension Tafawoq {
    /// Refusals that matter to an auditor (R3). Stream `tafawoq/audit/STUDENT`, or `tafawoq/audit/none`.
    package enum Access {
        /// A command was refused with a code that is kept (R3); the lockout and the tries of a code are
        /// counted from these (R6, R7).
        package struct Refused: Payload {
            package static let type = "tafawoq.access.refused"
            package static let streams = ["audit"]
            package static let sentence = "A try was refused."
            package static let rules = [3, 6, 7]
            package static let significance = Significance.refusal
            package internal(set) var student: StudentID?
            package internal(set) var command = ""
            package internal(set) var code = ""
            package internal(set) var device: DeviceID?

            package init() {}
        }
    }
}
