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
            package var student = StudentID.none
            package var enrollment = EnrollmentID.none
            package var level = 0
            package var week = 0
            /// The nth for this week.
            package var attempt = 0
            /// This one included.
            package var usedInPeriod = 0
            package var limit = 0
            package var periodStartsAt = Instant.epoch
            package var coach: CoachID?
            package var onTime = false
            /// Completed weeks after it (R16).
            package var completed = 0
            package var feedbackDueAt = Instant.epoch
            package var audio: String?
            package var seconds = 0

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("enrollment", &enrollment)
                coder.field("level", &level)
                coder.field("week", &week)
                coder.field("attempt", &attempt)
                coder.field("usedInPeriod", &usedInPeriod)
                coder.field("limit", &limit)
                coder.field("periodStartsAt", &periodStartsAt)
                coder.field("coach", &coach)
                coder.field("onTime", &onTime)
                coder.field("completed", &completed)
                coder.field("feedbackDueAt", &feedbackDueAt)
                coder.personal("audio", &audio)
                coder.field("seconds", &seconds)
            }
        }
    }
}
