package import Core

extension QuranFlow {
    /// Something to focus on in the Advanced year. Stream `quranflow/elective/ELECTIVE`; choices stand on the student's.
    package enum Elective: Thing {
        package static let noun = "elective"

        /// An elective can be chosen from here on.
        package struct Offered: Payload {
            package static let type = "quranflow.elective.offered"
            package static let streams = ["elective"]
            package static let sentence = "An elective was offered."
            package static let significance = Significance.administrative
            package internal(set) var title = ""
            package internal(set) var description = ""

            package init() {}
        }

        /// A student in Advanced chose an elective.
        package struct Chosen: Payload {
            package static let type = "quranflow.elective.chosen"
            package static let streams = ["student"]
            package static let sentence = "An elective was chosen."
            package internal(set) var elective = ElectiveID.none

            package init() {}
        }

        /// A student gave up an elective that they had chosen.
        package struct Dropped: Payload {
            package static let type = "quranflow.elective.dropped"
            package static let streams = ["student"]
            package static let sentence = "An elective was dropped."
            package internal(set) var elective = ElectiveID.none

            package init() {}
        }
    }
}
