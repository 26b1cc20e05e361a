package import Core

extension QuranFlow {
    /// News for students. Stream `quranflow/announcement/ANNOUNCEMENT`.
    package enum Announcement: Thing {
        package static let noun = "announcement"

        /// An announcement went out to the students whom it is for.
        package struct Posted: Payload {
            package static let type = "quranflow.announcement.posted"
            package static let streams = ["announcement"]
            package static let sentence = "An announcement was posted."
            package static let significance = Significance.administrative
            package internal(set) var title = ""
            package internal(set) var text = ""
            package internal(set) var level: Int?
            package internal(set) var semester: SemesterID?
            package internal(set) var gender: Gender?
            /// How many students it is for, whatever their switches.
            package internal(set) var recipients = 0

            package init() {}
        }
    }
}
