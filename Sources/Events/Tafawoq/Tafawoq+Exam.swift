package import Core

extension Tafawoq {
    /// A full exam. Stream `tafawoq/exam/EXAM`.
    package enum Exam: Thing {
        package static let noun = "exam"

        package enum AbandonReason: String, Choice {
            case left
            case notResumed = "not-resumed"
        }

        /// R31, in its order.
        package enum FlagPattern: String, Choice {
            case impossibleTime = "impossible-time"
            case deviceChange = "device-change"
            case rushed
            case timeMismatch = "time-mismatch"
        }

        package struct Started: Payload {
            package static let type = "tafawoq.exam.started"
            package static let streams = ["exam"]
            package static let sentence = "An exam was requested."
            package var exam = ExamID.none
            package var student = StudentID.none
            package var tier = Tier.empty
            package var track = Track.empty
            package var weekStart = Instant.epoch
            package var weekEnd = Instant.epoch
            package var limit: Int?
            package var used = 0
            package var queued = false
            package var generateBy = Instant.epoch
            package var device: DeviceID?

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("exam", &exam)
                coder.field("student", &student)
                coder.field("tier", &tier)
                coder.field("track", &track)
                coder.field("weekStart", &weekStart)
                coder.field("weekEnd", &weekEnd)
                coder.field("limit", &limit)
                coder.field("used", &used)
                coder.field("queued", &queued)
                coder.field("generateBy", &generateBy)
                coder.field("device", &device)
            }
        }

        package struct Delivered: Payload {
            package static let type = "tafawoq.exam.delivered"
            package static let streams = ["exam"]
            package static let sentence = "The questions of an exam were delivered."
            package var exam = ExamID.none
            package var student = StudentID.none
            package var attempt = 0
            package var questions = Packed<[Question.Content]>.empty
            package var passages: [Question.Text]?
            package var deadline = Instant.epoch
            package var repeated = 0
            package var waitedSeconds = 0

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("exam", &exam)
                coder.field("student", &student)
                coder.field("attempt", &attempt)
                coder.field("questions", &questions)
                coder.field("passages", &passages)
                coder.field("deadline", &deadline)
                coder.field("repeated", &repeated)
                coder.field("waitedSeconds", &waitedSeconds)
            }
        }

        package struct Answered: Payload {
            package static let type = "tafawoq.exam.answered"
            package static let streams = ["exam"]
            package static let sentence = "Questions of an exam were answered."
            package var exam = ExamID.none
            package var student = StudentID.none
            package var answers: [Question.Answer] = []
            package var ignored: [QuestionID] = []
            package var offline = false
            package var device: DeviceID?

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("exam", &exam)
                coder.field("student", &student)
                coder.field("answers", &answers)
                coder.field("ignored", &ignored)
                coder.field("offline", &offline)
                coder.field("device", &device)
            }
        }

        package struct Suspended: Payload {
            package static let type = "tafawoq.exam.suspended"
            package static let streams = ["exam"]
            package static let sentence = "An exam was left, to be resumed."
            package var exam = ExamID.none
            package var student = StudentID.none
            package var remainingSeconds = 0
            package var resumeUntil = Instant.epoch

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("exam", &exam)
                coder.field("student", &student)
                coder.field("remainingSeconds", &remainingSeconds)
                coder.field("resumeUntil", &resumeUntil)
            }
        }

        package struct Resumed: Payload {
            package static let type = "tafawoq.exam.resumed"
            package static let streams = ["exam"]
            package static let sentence = "An exam was resumed."
            package var exam = ExamID.none
            package var student = StudentID.none
            package var deadline = Instant.epoch

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("exam", &exam)
                coder.field("student", &student)
                coder.field("deadline", &deadline)
            }
        }

        package struct Abandoned: Payload {
            package static let type = "tafawoq.exam.abandoned"
            package static let streams = ["exam"]
            package static let sentence = "An exam was abandoned."
            package var exam = ExamID.none
            package var student = StudentID.none
            package var reason = AbandonReason.empty
            package var answered = 0
            package var correct = 0
            package var counts = false

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("exam", &exam)
                coder.field("student", &student)
                coder.field("reason", &reason)
                coder.field("answered", &answered)
                coder.field("correct", &correct)
                coder.field("counts", &counts)
            }
        }

        package struct Expired: Payload {
            package static let type = "tafawoq.exam.expired"
            package static let streams = ["exam"]
            package static let sentence = "An exam's time ran out."
            package var exam = ExamID.none
            package var student = StudentID.none
            package var deadline = Instant.epoch
            package var answered = 0
            package var correct = 0
            package var counts = false
            package var syncUntil = Instant.epoch

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("exam", &exam)
                coder.field("student", &student)
                coder.field("deadline", &deadline)
                coder.field("answered", &answered)
                coder.field("correct", &correct)
                coder.field("counts", &counts)
                coder.field("syncUntil", &syncUntil)
            }
        }

        package struct Completed: Payload {
            package static let type = "tafawoq.exam.completed"
            package static let streams = ["exam"]
            package static let sentence = "An exam was completed."
            package var exam = ExamID.none
            package var student = StudentID.none
            package var track = Track.empty
            package var finishedAt = Instant.epoch
            package var late = false
            package var verbal = Percent.zero
            package var quantitative = Percent.zero
            package var overall = Percent.zero
            package var band = ""
            package var colour = ""
            package var tally = Outcome.Tally()
            package var counts = false

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("exam", &exam)
                coder.field("student", &student)
                coder.field("track", &track)
                coder.field("finishedAt", &finishedAt)
                coder.field("late", &late)
                coder.field("verbal", &verbal)
                coder.field("quantitative", &quantitative)
                coder.field("overall", &overall)
                coder.field("band", &band)
                coder.field("colour", &colour)
                tally.fields(&coder)
                coder.field("counts", &counts)
            }
        }

        package struct Flagged: Payload {
            package static let type = "tafawoq.exam.flagged"
            package static let streams = ["exam"]
            package static let sentence = "Something about an exam is suspicious."
            package var exam = ExamID.none
            package var student = StudentID.none
            package var pattern = FlagPattern.empty
            package var value = 0

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("exam", &exam)
                coder.field("student", &student)
                coder.field("pattern", &pattern)
                coder.field("value", &value)
            }
        }
    }
}
