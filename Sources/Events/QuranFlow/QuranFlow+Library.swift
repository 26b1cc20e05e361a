package import Core

extension QuranFlow {
    /// A video about the programme, there before a semester begins. Stream `quranflow/orientation/VIDEO`.
    package enum Orientation {
        package struct Published: Payload {
            package static let type = "quranflow.orientation.published"
            package static let streams = ["orientation"]
            package static let sentence = "An orientation video was published."
            package static let significance = Significance.administrative
            package var title = ""
            package var seconds = 0

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("title", &title)
                coder.field("seconds", &seconds)
            }
        }
    }
}

extension QuranFlow {
    /// Something to read or keep. Stream `quranflow/resource/RESOURCE`.
    package enum Resource: Thing {
        package static let noun = "resource"

        package enum Category: String, Choice {
            case essential, supplementary, reference
        }

        package struct Published: Payload {
            package static let type = "quranflow.resource.published"
            package static let streams = ["resource"]
            package static let sentence = "A resource was published."
            package static let significance = Significance.administrative
            package var title = ""
            package var category = Category.empty
            package var source = ""

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("title", &title)
                coder.field("category", &category)
                coder.field("source", &source)
            }
        }

        package struct Withdrawn: Payload {
            package static let type = "quranflow.resource.withdrawn"
            package static let streams = ["resource"]
            package static let sentence = "A resource was withdrawn."
            package static let significance = Significance.administrative
            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {}
        }
    }
}

extension QuranFlow {
    /// Something that students are told. Stream `quranflow/announcement/ANNOUNCEMENT`.
    package enum Announcement: Thing {
        package static let noun = "announcement"

        package struct Posted: Payload {
            package static let type = "quranflow.announcement.posted"
            package static let streams = ["announcement"]
            package static let sentence = "An announcement was posted."
            package static let significance = Significance.administrative
            package var title = ""
            package var text = ""
            package var level: Int?
            package var semester: SemesterID?
            package var gender: Gender?
            /// Those addressed, whatever their switches.
            package var recipients = 0

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("title", &title)
                coder.field("text", &text)
                coder.field("level", &level)
                coder.field("semester", &semester)
                coder.field("gender", &gender)
                coder.field("recipients", &recipients)
            }
        }
    }
}
