package import Core

extension QuranFlow.Student {
    /// A student sent in the reading sample that they are placed by (R10).
    package struct AssessmentSubmitted: Payload {
        package static let type = "quranflow.assessment.submitted"
        package static let streams = ["student"]
        package static let sentence = "An initial assessment was submitted."
        package static let rules = [10]
        package internal(set) var audio: Personal<String> = nil
        package internal(set) var seconds = 0
        /// When the placement falls due (R10).
        package internal(set) var placementDueAt = Instant.epoch

        package init() {}
    }

    /// A student was not placed in time (R10).
    package struct PlacementFellDue: Payload {
        package static let type = "quranflow.placement.fell-due"
        package static let streams = ["student"]
        package static let sentence = "A placement fell due."
        package static let rules = [10]
        package internal(set) var placementDueAt = Instant.epoch

        package init() {}
    }

    /// A coach placed a student in a level, with an enrolment (R10, R11).
    package struct Placed: Payload {
        package static let type = "quranflow.student.placed"
        package static let streams = ["student"]
        package static let sentence = "A student was placed in a level."
        package static let rules = [10, 11]
        package internal(set) var level = 0
        package internal(set) var coach = QuranFlow.CoachID.none
        package internal(set) var enrollment = QuranFlow.EnrollmentID.none
        package internal(set) var semester = QuranFlow.SemesterID.none
        package internal(set) var late = false

        package init() {}
    }
}
