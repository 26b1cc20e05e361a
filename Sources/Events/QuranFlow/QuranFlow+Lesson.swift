package import Core

extension QuranFlow {
    /// What a level learns in a week. Stream `quranflow/lesson/LEVEL:WEEK`.
    package enum Lesson {
        /// One of a lesson's videos.
        package struct Video: Record {
            package var video = VideoID.none
            package var title = ""
            /// Its length; more than 0.
            package var seconds = 0

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("video", &video)
                coder.filled("title", &title)
                coder.field("seconds", &seconds)
            }
        }

        package struct Published: Payload {
            package static let type = "quranflow.lesson.published"
            package static let streams = ["lesson"]
            package static let sentence = "A lesson was published."
            package static let significance = Significance.administrative
            package var level = 0
            package var week = 0
            package var topic = ""
            package var objectives: [String] = []
            package var videos: [Video] = []
            package var passage = Passage()
            package var notes: String?

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("level", &level)
                coder.field("week", &week)
                coder.field("topic", &topic)
                coder.field("objectives", &objectives)
                coder.field("videos", &videos)
                coder.field("passage", &passage)
                coder.field("notes", &notes)
            }
        }

        /// A newer version; marks and completion stay (R15).
        package struct Revised: Payload {
            package static let type = "quranflow.lesson.revised"
            package static let streams = ["lesson"]
            package static let sentence = "A lesson was revised."
            package static let significance = Significance.administrative
            package var level = 0
            package var week = 0
            package var topic = ""
            package var objectives: [String] = []
            package var videos: [Video] = []
            package var passage = Passage()
            package var notes: String?

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("level", &level)
                coder.field("week", &week)
                coder.field("topic", &topic)
                coder.field("objectives", &objectives)
                coder.field("videos", &videos)
                coder.field("passage", &passage)
                coder.field("notes", &notes)
            }
        }
    }
}

extension QuranFlow {
    /// What a level leads up to. Stream `quranflow/level/LEVEL`.
    package enum Level {
        package struct EOCDefined: Payload {
            package static let type = "quranflow.eoc.defined"
            package static let streams = ["level"]
            package static let sentence = "The End of Course Assessment of a level was defined."
            package static let significance = Significance.administrative
            package var level = 0
            package var description = ""
            package var passage = Passage()

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("level", &level)
                coder.field("description", &description)
                coder.field("passage", &passage)
            }
        }
    }
}
