package import Core

extension QuranFlow {
    /// One student's way through one level in one semester. Stream `quranflow/enrollment/ENROLLMENT`.
    package enum Enrollment: Thing {
        package static let noun = "enrollment"

        /// When a week counts towards the required ones (R16).
        package enum CountsWhen: String, Choice {
            case submitted
            case feedbackGiven = "feedback-given"
        }

        package enum Next: String, Choice {
            case level, advanced
        }

        /// A student began a level, with every value of the policy that is fixed for it (R4, R6).
        package struct Opened: Payload {
            package static let type = "quranflow.enrollment.opened"
            package static let streams = ["enrollment"]
            package static let sentence = "An enrolment was opened."
            package static let rules = [4, 6]
            package internal(set) var student = StudentID.none
            package internal(set) var level = 0
            package internal(set) var semester = SemesterID.none
            package internal(set) var coach: CoachID?
            package internal(set) var firstWeek = 0
            package internal(set) var weeks = 0
            package internal(set) var weekZone = InternedText.empty
            package internal(set) var weekStarts: [Instant] = []
            package internal(set) var requiredSubmissions = 0
            package internal(set) var countsWhen = CountsWhen.empty
            package internal(set) var reminderHours: [Int] = []
            package internal(set) var eocOpensAt = Instant.epoch
            package internal(set) var closesAt = Instant.epoch

            package init() {}
        }

        /// Another coach took over the enrolment (R11).
        package struct CoachAssigned: Payload {
            package static let type = "quranflow.coach.assigned"
            package static let streams = ["enrollment"]
            package static let sentence = "A coach was assigned to an enrolment."
            package static let rules = [11]
            package static let significance = Significance.administrative
            package internal(set) var student = StudentID.none
            package internal(set) var coach = CoachID.none
            package internal(set) var previous: CoachID?

            package init() {}
        }

        /// The enrolment has no coach any more: theirs retired, was erased or does not suit (R38).
        package struct CoachUnassigned: Payload {
            package static let type = "quranflow.coach.unassigned"
            package static let streams = ["enrollment"]
            package static let sentence = "An enrolment was left without a coach."
            package static let rules = [38]
            package static let significance = Significance.administrative
            package internal(set) var student = StudentID.none
            package internal(set) var previous = CoachID.none

            package init() {}
        }

        /// A student left the level.
        package struct Withdrawn: Payload {
            package static let type = "quranflow.enrollment.withdrawn"
            package static let streams = ["enrollment"]
            package static let sentence = "An enrolment was withdrawn."
            package internal(set) var student = StudentID.none
            package internal(set) var reason: Personal<String> = nil

            package init() {}
        }

        /// The enrolment came to its closing, and no results were awaited (R22).
        package struct Lapsed: Payload {
            package static let type = "quranflow.enrollment.lapsed"
            package static let streams = ["enrollment"]
            package static let sentence = "An enrolment lapsed."
            package static let rules = [22]
            package internal(set) var student = StudentID.none
            package internal(set) var level = 0
            package internal(set) var completed = 0

            package init() {}
        }

        /// The assessment was passed: the next level or Advanced is open (R21).
        package struct Graduated: Payload {
            package static let type = "quranflow.enrollment.graduated"
            package static let streams = ["enrollment"]
            package static let sentence = "A student graduated from a level."
            package static let rules = [21]
            package internal(set) var student = StudentID.none
            package internal(set) var level = 0
            package internal(set) var completed = 0
            package internal(set) var next = Next.empty
            package internal(set) var nextLevel: Int?

            package init() {}
        }
    }
}
