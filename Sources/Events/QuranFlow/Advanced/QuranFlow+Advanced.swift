package import Core

extension QuranFlow {
    /// The year after Level 4. Stream `quranflow/student/STUDENT`.
    package enum Advanced {
        /// A graduate of Level 4 went on to QuranFlow Advanced (R23).
        package struct Enrolled: Payload {
            package static let type = "quranflow.advanced.enrolled"
            package static let streams = ["student"]
            package static let sentence = "A graduate enrolled in QuranFlow Advanced."
            package static let rules = [23]
            /// The Level 4 enrolment.
            package internal(set) var from = EnrollmentID.none
            /// Its coach.
            package internal(set) var coach: CoachID?

            package init() {}
        }
    }
}
