package import Core

extension QuranFlow {
    /// A video about the programme, there before a semester begins. Stream `quranflow/orientation/VIDEO`.
    package enum Orientation {
        /// An orientation video can be watched from here on.
        package struct Published: Payload {
            package static let type = "quranflow.orientation.published"
            package static let streams = ["orientation"]
            package static let sentence = "An orientation video was published."
            package static let significance = Significance.administrative
            package internal(set) var title = ""
            package internal(set) var seconds = 0

            package init() {}
        }
    }
}
