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

        package struct Scheduled: Payload {
            package static let type = "quranflow.session.scheduled"
            package static let streams = ["session"]
            package static let sentence = "A live session was scheduled."
            package static let significance = Significance.administrative
            package var kind = Kind.empty
            package var title = ""
            package var description: String?
            package var startsAt = Instant.epoch
            package var endsAt = Instant.epoch
            package var joinUrl = ""
            package var gender = Audience.empty
            package var level: Int?
            package var semester: SemesterID?
            package var week: Int?
            package var coach: CoachID?

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("kind", &kind)
                coder.field("title", &title)
                coder.field("description", &description)
                coder.field("startsAt", &startsAt)
                coder.field("endsAt", &endsAt)
                coder.field("joinUrl", &joinUrl)
                coder.field("gender", &gender)
                coder.field("level", &level)
                coder.field("semester", &semester)
                coder.field("week", &week)
                coder.field("coach", &coach)
            }
        }

        package struct Moved: Payload {
            package static let type = "quranflow.session.moved"
            package static let streams = ["session"]
            package static let sentence = "A live session was moved."
            package static let significance = Significance.administrative
            package var fromStartsAt = Instant.epoch
            package var startsAt = Instant.epoch
            package var endsAt = Instant.epoch

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("fromStartsAt", &fromStartsAt)
                coder.field("startsAt", &startsAt)
                coder.field("endsAt", &endsAt)
            }
        }

        package struct Cancelled: Payload {
            package static let type = "quranflow.session.cancelled"
            package static let streams = ["session"]
            package static let sentence = "A live session was cancelled."
            package static let significance = Significance.administrative
            package var reason: String?
            /// Attendees at that moment.
            package var going = 0

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("reason", &reason)
                coder.field("going", &going)
            }
        }

        package struct RecordingPublished: Payload {
            package static let type = "quranflow.session.recording-published"
            package static let streams = ["session"]
            package static let sentence = "A session's recording was published."
            package static let significance = Significance.administrative
            package var video = VideoID.none
            package var seconds = 0
            package var source = ""

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("video", &video)
                coder.field("seconds", &seconds)
                coder.field("source", &source)
            }
        }

        package struct RSVPMade: Payload {
            package static let type = "quranflow.rsvp.made"
            package static let streams = ["session"]
            package static let sentence = "A student will attend a session."
            package var student = StudentID.none
            /// Attendees after it.
            package var going = 0

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("going", &going)
            }
        }

        package struct RSVPWithdrawn: Payload {
            package static let type = "quranflow.rsvp.withdrawn"
            package static let streams = ["session"]
            package static let sentence = "A student will not attend a session."
            package var student = StudentID.none
            package var going = 0

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("going", &going)
            }
        }

        package struct Joined: Payload {
            package static let type = "quranflow.session.joined"
            package static let streams = ["session"]
            package static let sentence = "A student joined a session."
            package var student = StudentID.none
            /// No earlier join of theirs.
            package var first = false

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("first", &first)
            }
        }
    }
}
