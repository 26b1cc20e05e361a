package import Core

extension ExamRoom {
    /// A score that an admin gives in place of the computed one (R22).
    package enum Grade {
        /// An admin gave a closed attempt another score (R22).
        package struct Modified: Payload {
            package static let type = "examroom.grade.modified"
            package static let streams = ["attempt"]
            package static let sentence = "A grade was modified."
            package static let significance = Significance.administrative
            package private(set) var attempt = AttemptID.none
            package private(set) var exam = ExamID.none
            package private(set) var student = StudentID.none
            package private(set) var oldScore = 0
            package private(set) var newScore = 0
            package private(set) var oldPercent = Percent.zero
            package private(set) var newPercent = Percent.zero
            package private(set) var passed = false
            package private(set) var reason = ""

            package init() {}

            package init(
                attempt: AttemptID, exam: ExamID, student: StudentID, oldScore: Int, newScore: Int,
                oldPercent: Percent, newPercent: Percent, passed: Bool, reason: String
            ) {
                self.attempt = attempt
                self.exam = exam
                self.student = student
                self.oldScore = oldScore
                self.newScore = newScore
                self.oldPercent = oldPercent
                self.newPercent = newPercent
                self.passed = passed
                self.reason = reason
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("attempt", &attempt)
                coder.field("exam", &exam)
                coder.field("student", &student)
                coder.field("oldScore", &oldScore)
                coder.field("newScore", &newScore)
                coder.field("oldPercent", &oldPercent)
                coder.field("newPercent", &newPercent)
                coder.field("passed", &passed)
                coder.field("reason", &reason)
            }
        }
    }
}
