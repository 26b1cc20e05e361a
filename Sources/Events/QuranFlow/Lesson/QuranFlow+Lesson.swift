package import Core

extension QuranFlow {
    /// What a level learns in a week. Stream `quranflow/lesson/LEVEL:WEEK`; that a student completed it
    /// stands on `quranflow/enrollment/ENROLLMENT`.
    package enum Lesson {
        /// One of a lesson's videos.
        package struct Video: Record {
            package var video = VideoID.none
            package var title: Filled = ""
            /// Its length; more than 0.
            package var seconds = 0

            package init() {}
        }

        /// What a level learns in a week, as it was published or revised.
        package struct Version: Record {
            package var level = 0
            package var week = 0
            package var topic = ""
            package var objectives: [String] = []
            package var videos: [Video] = []
            package var passage = Passage()
            package var notes: String?

            package init() {}
        }

        /// A lesson got its first version.
        package struct Published: Payload {
            package static let type = "quranflow.lesson.published"
            package static let streams = ["lesson"]
            package static let sentence = "A lesson was published."
            package static let significance = Significance.administrative
            package internal(set) var version = Version()

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) { version.fields(&coder) }
        }

        /// A lesson got a newer version; play positions and completion stay (R15).
        package struct Revised: Payload {
            package static let type = "quranflow.lesson.revised"
            package static let streams = ["lesson"]
            package static let sentence = "A lesson was revised."
            package static let rules = [15]
            package static let significance = Significance.administrative
            package internal(set) var version = Version()

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) { version.fields(&coder) }
        }

        /// A student marked a week's lesson complete (R15).
        package struct Completed: Payload {
            package static let type = "quranflow.lesson.completed"
            package static let streams = ["enrollment"]
            package static let sentence = "A lesson was marked complete."
            package static let rules = [15]
            package internal(set) var student = StudentID.none
            package internal(set) var week = 0

            package init() {}
        }

        /// A student marked a completed lesson as not complete (R15).
        package struct Reopened: Payload {
            package static let type = "quranflow.lesson.reopened"
            package static let streams = ["enrollment"]
            package static let sentence = "A lesson was reopened."
            package static let rules = [15]
            package internal(set) var student = StudentID.none
            package internal(set) var week = 0

            package init() {}
        }
    }
}
