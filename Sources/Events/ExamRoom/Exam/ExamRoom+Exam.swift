package import Core

extension ExamRoom {
    /// An exam, from draft to deletion. Stream `examroom/exam/EXAM`.
    package enum Exam: Thing {
        package static let noun = "exam"

        /// A draft without questions (R7).
        package struct Created: Payload {
            package static let type = "examroom.exam.created"
            package static let streams = ["exam"]
            package static let sentence = "An exam was created."
            package static let rules = [7]
            package internal(set) var exam = ExamID.none
            package internal(set) var details = Details()

            package init() {}
        }

        /// Students may start the exam; a register (R15, R40).
        package struct Published: Payload {
            package static let type = "examroom.exam.published"
            package static let streams = ["exam"]
            package static let sentence = "An exam was published."
            package static let rules = [15, 40]
            package internal(set) var exam = ExamID.none
            /// Their number.
            package internal(set) var questions = 0
            package internal(set) var maxScore = 0

            package init() {}
        }

        /// The exam may not be started any more; a register (R15, R40).
        package struct Withdrawn: Payload {
            package static let type = "examroom.exam.withdrawn"
            package static let streams = ["exam"]
            package static let sentence = "An exam was withdrawn."
            package static let rules = [15, 40]
            package static let significance = Significance.administrative
            package internal(set) var exam = ExamID.none

            package init() {}
        }

        /// The exam is deleted; attempts already made stay.
        package struct Deleted: Payload {
            package static let type = "examroom.exam.deleted"
            package static let streams = ["exam"]
            package static let sentence = "An exam was deleted."
            package static let significance = Significance.administrative
            package internal(set) var exam = ExamID.none
            package internal(set) var title = ""

            package init() {}
        }

        /// Deleted on one device and edited on another: it stays until an admin chooses (R41).
        package struct Restored: Payload {
            package static let type = "examroom.exam.restored"
            package static let streams = ["exam"]
            package static let sentence = "A deleted exam was restored."
            package static let rules = [41]
            package static let significance = Significance.administrative
            package internal(set) var exam = ExamID.none

            package init() {}
        }
    }
}
