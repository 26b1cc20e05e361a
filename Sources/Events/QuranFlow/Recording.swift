package import Core

extension QuranFlow {
    /// One attempt at a week's passage, with what the coach says to it. Stream `quranflow/recording/RECORDING`.
    package enum Recording: Thing {
        package static let noun = "recording"

        package enum Author: String, Choice {
            case student, coach
        }

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
            /// R16, after it.
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

        package struct FeedbackFellDue: Payload {
            package static let type = "quranflow.feedback.fell-due"
            package static let streams = ["recording"]
            package static let sentence = "Feedback fell due."
            package var student = StudentID.none
            package var coach: CoachID?
            package var week = 0
            package var feedbackDueAt = Instant.epoch

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("coach", &coach)
                coder.field("week", &week)
                coder.field("feedbackDueAt", &feedbackDueAt)
            }
        }

        package struct FeedbackGiven: Payload {
            package static let type = "quranflow.feedback.given"
            package static let streams = ["recording"]
            package static let sentence = "Feedback was given."
            package var student = StudentID.none
            package var enrollment = EnrollmentID.none
            /// The enrolment's then.
            package var coach: CoachID?
            package var week = 0
            package var late = false
            package var waitedSeconds = 0
            package var audio: String?
            package var seconds = 0
            package var notes: String?

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("enrollment", &enrollment)
                coder.field("coach", &coach)
                coder.field("week", &week)
                coder.field("late", &late)
                coder.field("waitedSeconds", &waitedSeconds)
                coder.personal("audio", &audio)
                coder.field("seconds", &seconds)
                coder.personal("notes", &notes)
            }
        }

        package struct FeedbackReviewed: Payload {
            package static let type = "quranflow.feedback.reviewed"
            package static let streams = ["recording"]
            package static let sentence = "Feedback was reviewed."
            package var student = StudentID.none
            package var week = 0

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("week", &week)
            }
        }

        package struct CommentPosted: Payload {
            package static let type = "quranflow.comment.posted"
            package static let streams = ["recording"]
            package static let sentence = "A comment on feedback was posted."
            package var comment = CommentID.none
            package var author = Author.empty
            /// The enrolment's then.
            package var coach: CoachID?
            package var text: String?

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("comment", &comment)
                coder.field("author", &author)
                coder.field("coach", &coach)
                coder.personal("text", &text)
            }
        }
    }
}
