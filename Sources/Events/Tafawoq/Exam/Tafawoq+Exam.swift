package import Core

extension Tafawoq {
    /// A full exam. Stream `tafawoq/exam/EXAM`.
    package enum Exam: Thing {
        package static let noun = "exam"

        /// Why an exam was abandoned (R29).
        package enum AbandonReason: String, Choice {
            case left
            case notResumed = "not-resumed"
        }

        /// What makes an exam suspicious, in the order in which it is looked for (R31).
        package enum FlagPattern: String, Choice {
            case impossibleTime = "impossible-time"
            case deviceChange = "device-change"
            case rushed
            case timeMismatch = "time-mismatch"
        }

        /// An exam was requested, with the week and the limit that it was admitted under (R22, R23, R24).
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

        /// The questions came and the clock started: the exam ends at `deadline` (R25, R26).
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

        /// Answers were recorded; those after the deadline are named in `ignored` (R27).
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

        /// The student left; the clock stands still until the exam is resumed, at the latest at
        /// `resumeUntil` (R29).
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

        /// The clock of a suspended exam runs again, to a new deadline (R29).
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

        /// An exam was left for good, or not resumed in time (R29).
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

        /// The deadline passed; the exam may still be submitted until `syncUntil` (R28).
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

        /// An exam was submitted and scored, with strengths, weaknesses and advice (R28, R32 to R35).
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

        /// An exam shows a suspicious pattern; it blocks nothing (R31).
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
