package import Core

extension QuranFlow {
    /// A live session. Stream `quranflow/session/SESSION`.
    package enum Session: Thing {
        package static let noun = "session"

        /// In the order in which dense days are grouped (R28).
        package enum Kind: String, Choice {
            case levelClass = "level-class"
            case readingCircle = "reading-circle"
            case officeHours = "office-hours"
            case housewarming
        }

        package enum Audience: String, Choice {
            case female, male, all
        }

        /// A live session was planned.
        package struct Scheduled: Payload {
            package static let type = "quranflow.session.scheduled"
            package static let streams = ["session"]
            package static let sentence = "A live session was scheduled."
            package static let significance = Significance.administrative
            package internal(set) var kind = Kind.empty
            package internal(set) var title = ""
            package internal(set) var description: String?
            package internal(set) var startsAt = Instant.epoch
            package internal(set) var endsAt = Instant.epoch
            package internal(set) var joinUrl = ""
            package internal(set) var gender = Audience.empty
            package internal(set) var level: Int?
            package internal(set) var semester: SemesterID?
            package internal(set) var week: Int?
            package internal(set) var coach: CoachID?

            package init() {}
        }

        /// A session got another start, and perhaps another length (R26).
        package struct Moved: Payload {
            package static let type = "quranflow.session.moved"
            package static let streams = ["session"]
            package static let sentence = "A live session was moved."
            package static let rules = [26]
            package static let significance = Significance.administrative
            package internal(set) var fromStartsAt = Instant.epoch
            package internal(set) var startsAt = Instant.epoch
            package internal(set) var endsAt = Instant.epoch

            package init() {}
        }

        /// A session was called off (R26).
        package struct Cancelled: Payload {
            package static let type = "quranflow.session.cancelled"
            package static let streams = ["session"]
            package static let sentence = "A live session was cancelled."
            package static let rules = [26]
            package static let significance = Significance.administrative
            package internal(set) var reason: String?
            /// Attendees at that moment.
            package internal(set) var going = 0

            package init() {}
        }

        /// A session that has ended can be watched.
        package struct RecordingPublished: Payload {
            package static let type = "quranflow.session.recording-published"
            package static let streams = ["session"]
            package static let sentence = "A session's recording was published."
            package static let significance = Significance.administrative
            package internal(set) var video = VideoID.none
            package internal(set) var seconds = 0
            package internal(set) var source = ""

            package init() {}
        }
    }
}
