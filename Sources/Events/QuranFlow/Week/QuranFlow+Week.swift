package import Core

extension QuranFlow {
    /// One week of an enrolment.
    package enum Week {
        /// A week began, and its lesson with it (R5). Stream `quranflow/enrollment/ENROLLMENT`.
        package struct Unlocked: Payload {
            package static let type = "quranflow.week.unlocked"
            package static let streams = ["enrollment"]
            package static let sentence = "A week was unlocked."
            package static let rules = [5]
            package internal(set) var student = StudentID.none
            package internal(set) var week = 0
            /// Null while unpublished.
            package internal(set) var topic: String?

            package init() {}
        }
    }
}
