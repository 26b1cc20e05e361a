package import Core

extension ExamRoom {
    /// One student's place at one exam, which a block closes. Stream `examroom/seat/EXAM/STUDENT`.
    package enum Seat {
        /// The student may not start the exam; a register (R15, R40).
        package struct Blocked: Payload {
            package static let type = "examroom.student.blocked"
            package static let streams = ["seat"]
            package static let sentence = "A student was blocked from an exam."
            package static let rules = [15, 40]
            package static let significance = Significance.administrative
            package internal(set) var exam = ExamID.none
            package internal(set) var student = StudentID.none
            package internal(set) var reason: Personal<String> = nil

            package init() {}
        }

        /// The student may start the exam again; a register (R15, R40).
        package struct Unblocked: Payload {
            package static let type = "examroom.student.unblocked"
            package static let streams = ["seat"]
            package static let sentence = "A student's block was lifted."
            package static let rules = [15, 40]
            package static let significance = Significance.administrative
            package internal(set) var exam = ExamID.none
            package internal(set) var student = StudentID.none

            package init() {}
        }
    }
}
