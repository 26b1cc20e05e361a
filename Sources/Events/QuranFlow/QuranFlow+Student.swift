package import Core

extension QuranFlow {
    /// Who learns. Stream `quranflow/student/STUDENT`.
    package enum Student: Thing {
        package static let noun = "student"

        package struct Registered: Payload {
            package static let type = "quranflow.student.registered"
            package static let streams = ["student"]
            package static let sentence = "A student was registered."
            package var name: String?
            package var email: String?
            package var phone: String?
            package var gender = Gender.empty
            package var timeZone = Word.empty

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.personal("name", &name)
                coder.personal("email", &email)
                coder.personal("phone", &phone)
                coder.field("gender", &gender)
                coder.field("timeZone", &timeZone)
            }
        }

        /// Carries the given fields only.
        package struct DetailsAmended: Payload {
            package static let type = "quranflow.student.details-amended"
            package static let streams = ["student"]
            package static let sentence = "A student's details were amended."
            package var name: String??
            package var email: String??
            package var phone: String??
            package var photo: String??

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.optionalPersonal("name", &name)
                coder.optionalPersonal("email", &email)
                coder.optionalPersonal("phone", &phone)
                coder.optionalPersonal("photo", &photo)
            }
        }

        package struct AssessmentSubmitted: Payload {
            package static let type = "quranflow.assessment.submitted"
            package static let streams = ["student"]
            package static let sentence = "An initial assessment was submitted."
            package var audio: String?
            package var seconds = 0
            /// R10.
            package var placementDueAt = Instant.epoch

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.personal("audio", &audio)
                coder.field("seconds", &seconds)
                coder.field("placementDueAt", &placementDueAt)
            }
        }

        package struct PlacementFellDue: Payload {
            package static let type = "quranflow.placement.fell-due"
            package static let streams = ["student"]
            package static let sentence = "A placement fell due."
            package var placementDueAt = Instant.epoch

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("placementDueAt", &placementDueAt)
            }
        }

        package struct Placed: Payload {
            package static let type = "quranflow.student.placed"
            package static let streams = ["student"]
            package static let sentence = "A student was placed in a level."
            package var level = 0
            package var coach = CoachID.none
            package var enrollment = EnrollmentID.none
            package var semester = SemesterID.none
            package var late = false

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("level", &level)
                coder.field("coach", &coach)
                coder.field("enrollment", &enrollment)
                coder.field("semester", &semester)
                coder.field("late", &late)
            }
        }
    }
}
