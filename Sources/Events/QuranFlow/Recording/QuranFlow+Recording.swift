package import Core

extension QuranFlow {
    /// One attempt at a week's passage, with the feedback to it. Stream `quranflow/recording/RECORDING`.
    package enum Recording: Thing {
        package static let noun = "recording"

        /// A student sent a recording of a week's passage (R16-R18).
        package struct Submitted: Payload {
            package static let type = "quranflow.recording.submitted"
            package static let streams = ["recording"]
            package static let sentence = "A recording was submitted."
            package static let rules = [16, 17, 18]
            package internal(set) var student = StudentID.none
            package internal(set) var enrollment = EnrollmentID.none
            package internal(set) var level = 0
            package internal(set) var week = 0
            /// The nth for this week.
            package internal(set) var attempt = 0
            /// This one included.
            package internal(set) var usedInPeriod = 0
            package internal(set) var limit = 0
            package internal(set) var periodStartsAt = Instant.epoch
            package internal(set) var coach: CoachID?
            package internal(set) var onTime = false
            /// Completed weeks after it (R16).
            package internal(set) var completed = 0
            package internal(set) var feedbackDueAt = Instant.epoch
            package internal(set) var audio: Personal<String> = nil
            package internal(set) var seconds = 0

            package init() {}
        }
    }
}
