package import Core

extension ExamRoom {
    /// A score that an admin gives in place of the computed one (R22).
    package enum Grade {
        /// An admin gave a closed attempt another score (R22).
        package struct Modified: Payload {
            package static let type = "examroom.grade.modified"
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
            package internal(set) var reason = ""

            package init() {}
        }
    }
}
