package import Core

extension QuranFlow {
    /// A run of the programme with its calendar (R4). Stream `quranflow/semester/SEMESTER`.
    package enum Semester: Thing {
        package static let noun = "semester"

        /// A semester was planned with its week calendar (R4).
        package struct Scheduled: Payload {
            package static let type = "quranflow.semester.scheduled"
            package static let streams = ["semester"]
            package static let sentence = "A semester was scheduled."
            package static let rules = [4]
            package static let significance = Significance.administrative
            package internal(set) var name = ""
            package internal(set) var startsOn = LocalDate.epoch
            package internal(set) var timeZone = InternedText.empty
            package internal(set) var weeks = 0
            package internal(set) var weekStarts: [Instant] = []
            package internal(set) var classesBeginOn = LocalDate.epoch
            package internal(set) var enrollmentOpensAt: Instant?

            package init() {}
        }
    }
}
