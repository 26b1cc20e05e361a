package import Core

extension Tafawoq {
    /// A study time. Stream `tafawoq/study/STUDY`.
    package enum Study: Thing {
        package static let noun = "study"

        /// How often a study time comes round (R44).
        package enum Repetition: String, Choice {
            case once
            case daily
            case weekly
        }

        /// A study time was planned, with the lead of its reminders (R44).
        package struct Scheduled: Payload {
            package static let type = "tafawoq.study.scheduled"
            package static let streams = ["study"]
            package static let sentence = "A study time was scheduled."
            package static let rules = [44]
            package internal(set) var study = StudyID.none
            package internal(set) var student = StudentID.none
            package internal(set) var startsAt = Instant.epoch
            package var `repeat` = Repetition.empty
            package internal(set) var leadSeconds = 0

            package init() {}
        }

        /// A study time was cancelled: no more reminders (R44).
        package struct Cancelled: Payload {
            package static let type = "tafawoq.study.cancelled"
            package static let streams = ["study"]
            package static let sentence = "A study time was cancelled."
            package static let rules = [44]
            package internal(set) var study = StudyID.none
            package internal(set) var student = StudentID.none

            package init() {}
        }
    }
}
