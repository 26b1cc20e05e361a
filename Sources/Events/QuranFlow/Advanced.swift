package import Core

extension QuranFlow {
    /// The year after Level 4. Stream `quranflow/student/STUDENT`.
    package enum Advanced {
        package struct Enrolled: Payload {
            package static let type = "quranflow.advanced.enrolled"
            package static let streams = ["student"]
            package static let sentence = "A graduate enrolled in QuranFlow Advanced."
            /// The Level 4 enrolment.
            package var from = EnrollmentID.none
            /// Its coach.
            package var coach: CoachID?

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("from", &from)
                coder.field("coach", &coach)
            }
        }
    }
}

extension QuranFlow {
    /// Something to focus on in the Advanced year. Stream `quranflow/elective/ELECTIVE`; choices stand on the student's.
    package enum Elective: Thing {
        package static let noun = "elective"

        package struct Offered: Payload {
            package static let type = "quranflow.elective.offered"
            package static let streams = ["elective"]
            package static let sentence = "An elective was offered."
            package static let significance = Significance.administrative
            package var title = ""
            package var description = ""

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("title", &title)
                coder.field("description", &description)
            }
        }

        package struct Chosen: Payload {
            package static let type = "quranflow.elective.chosen"
            package static let streams = ["student"]
            package static let sentence = "An elective was chosen."
            package var elective = ElectiveID.none

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("elective", &elective)
            }
        }

        package struct Dropped: Payload {
            package static let type = "quranflow.elective.dropped"
            package static let streams = ["student"]
            package static let sentence = "An elective was dropped."
            package var elective = ElectiveID.none

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("elective", &elective)
            }
        }
    }
}
