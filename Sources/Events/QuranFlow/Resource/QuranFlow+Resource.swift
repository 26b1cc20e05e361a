package import Core

extension QuranFlow {
    /// Something to read or keep. Stream `quranflow/resource/RESOURCE`.
    package enum Resource: Thing {
        package static let noun = "resource"

        package enum Category: String, Choice {
            case essential, supplementary, reference
        }

        /// A resource is listed from here on.
        package struct Published: Payload {
            package static let type = "quranflow.resource.published"
            package static let streams = ["resource"]
            package static let sentence = "A resource was published."
            package static let significance = Significance.administrative
            package internal(set) var title = ""
            package internal(set) var category = Category.empty
            package internal(set) var source = ""

            package init() {}
        }

        /// A resource is listed no longer.
        package struct Withdrawn: Payload {
            package static let type = "quranflow.resource.withdrawn"
            package static let streams = ["resource"]
            package static let sentence = "A resource was withdrawn."
            package static let significance = Significance.administrative
            package init() {}
        }
    }
}
