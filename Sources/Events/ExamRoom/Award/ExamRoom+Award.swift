package import Core

extension ExamRoom {
    /// What a student has earned. Stream `examroom/awards/STUDENT` (R25-R29).
    package enum Award {
        /// A completed attempt earned points (R25, R26).
        package struct PointsAwarded: Payload {
            package static let type = "examroom.points.awarded"
            package static let streams = ["awards"]
            package static let sentence = "Points were awarded for an attempt."
            package static let rules = [25, 26]
            package internal(set) var student = StudentID.none
            package internal(set) var attempt = AttemptID.none
            package internal(set) var exam = ExamID.none
            package internal(set) var percent = Percent.zero
            package internal(set) var points = 0
            package internal(set) var total = 0

            package init() {}
        }

        /// The points of an attempt changed with its score (R27).
        package struct PointsAdjusted: Payload {
            package static let type = "examroom.points.adjusted"
            package static let streams = ["awards"]
            package static let sentence = "The points of an attempt were adjusted."
            package static let rules = [27]
            package static let significance = Significance.administrative
            package internal(set) var student = StudentID.none
            package internal(set) var attempt = AttemptID.none
            package internal(set) var exam = ExamID.none
            package internal(set) var oldPoints = 0
            package internal(set) var newPoints = 0
            package internal(set) var total = 0

            package init() {}
        }

        /// The student earned a badge, each once (R28).
        package struct BadgeEarned: Payload {
            package static let type = "examroom.badge.earned"
            package static let streams = ["awards"]
            package static let sentence = "A badge was earned."
            package static let rules = [28]
            package internal(set) var student = StudentID.none
            package internal(set) var badge = ""
            package internal(set) var name = ""
            package internal(set) var attempt = AttemptID.none
            private var keptBasis = KeptJSON(.object([]))

            package init() {}

            package init(
                student: StudentID, badge: String, name: String, attempt: AttemptID, basis: JSON
            ) {
                self.student = student
                self.badge = badge
                self.name = name
                self.attempt = attempt
                keptBasis = KeptJSON(basis)
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("badge", &badge)
                coder.field("name", &name)
                coder.field("attempt", &attempt)
                coder.field("basis", &keptBasis)
            }

            /// What the badge was given for (R28).
            package var basis: JSON { keptBasis.value }
        }

        /// The total reached a milestone, each once (R29).
        package struct MilestoneUnlocked: Payload {
            package static let type = "examroom.milestone.unlocked"
            package static let streams = ["awards"]
            package static let sentence = "A milestone was reached."
            package static let rules = [29]
            package internal(set) var student = StudentID.none
            package internal(set) var milestone = 0
            package internal(set) var total = 0

            package init() {}
        }
    }
}
