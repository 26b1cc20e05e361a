package import Core

extension ExamRoom {
    /// A score that an admin gives in place of the computed one (R22).
    package enum Grade {
        /// An admin gave a closed attempt another score (R22).
        package struct Modified: Payload {
            package static let type = "examroom.grade.modified"
            package static let version: UInt16 = 2
            package static let streams = ["attempt"]
            package static let sentence = "A grade was modified."
            package static let rules = [22]
            package static let significance = Significance.administrative
            package internal(set) var attempt = AttemptID.none
            package internal(set) var exam = ExamID.none
            package internal(set) var student = StudentID.none
            package internal(set) var oldScore = 0
            package internal(set) var newScore = 0
            package internal(set) var oldPercent = Percent.zero
            package internal(set) var newPercent = Percent.zero
            package internal(set) var passed = false
            package internal(set) var reason: Personal<String> = nil

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                fields(&coder, version: Self.version)
            }

            package mutating func fields<C: Coder>(_ coder: inout C, version: UInt16) {
                coder.field("attempt", &attempt)
                coder.field("exam", &exam)
                coder.field("student", &student)
                coder.field("oldScore", &oldScore)
                coder.field("newScore", &newScore)
                coder.field("oldPercent", &oldPercent)
                coder.field("newPercent", &newPercent)
                coder.field("passed", &passed)
                coder.personal("reason", &reason, inClear: version < 2)
            }
        }
    }
}
