package import Core

extension QuranFlow.Session {
    /// A student said that they will attend.
    package struct RSVPMade: Payload {
        package static let type = "quranflow.rsvp.made"
        package static let streams = ["session"]
        package static let sentence = "A student will attend a session."
        package internal(set) var student = QuranFlow.StudentID.none
        /// Attendees after it.
        package internal(set) var going = 0

        package init() {}
    }

    /// A student will not attend after all.
    package struct RSVPWithdrawn: Payload {
        package static let type = "quranflow.rsvp.withdrawn"
        package static let streams = ["session"]
        package static let sentence = "A student will not attend a session."
        package internal(set) var student = QuranFlow.StudentID.none
        package internal(set) var going = 0

        package init() {}
    }

    /// A student joined within the window (R25).
    package struct Joined: Payload {
        package static let type = "quranflow.session.joined"
        package static let streams = ["session"]
        package static let sentence = "A student joined a session."
        package static let rules = [25]
        package internal(set) var student = QuranFlow.StudentID.none
        /// No earlier join of theirs.
        package internal(set) var first = false

        package init() {}
    }
}
