package import Core

extension QuranFlow {
    /// A video of a lesson, an orientation or a session. Progress stands on `quranflow/student/STUDENT`.
    package enum Video: Thing {
        package static let noun = "video"

        package enum Kind: String, Choice {
            case lesson, orientation, session
        }

        /// A student's player reported a position (R15).
        package struct Progressed: Payload {
            package static let type = "quranflow.video.progressed"
            package static let streams = ["student"]
            package static let sentence = "A play position was reported."
            package static let rules = [15]
            package internal(set) var video = VideoID.none
            package internal(set) var kind = Kind.empty
            package internal(set) var position = 0
            package internal(set) var seconds = 0

            package init() {}
        }

        /// Enough of a video was seen: it is watched, for good (R15).
        package struct Watched: Payload {
            package static let type = "quranflow.video.watched"
            package static let streams = ["student"]
            package static let sentence = "A video was watched."
            package static let rules = [15]
            package internal(set) var video = VideoID.none
            package internal(set) var kind = Kind.empty
            /// The per cent in force.
            package internal(set) var threshold = 0

            package init() {}
        }
    }
}
