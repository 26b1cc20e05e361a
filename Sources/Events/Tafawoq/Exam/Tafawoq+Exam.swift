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
            package static let rules = [22, 23, 24]
            package internal(set) var exam = ExamID.none
            package internal(set) var student = StudentID.none
            package internal(set) var tier = Tier.empty
            package internal(set) var track = Track.empty
            package internal(set) var weekStart = Instant.epoch
            package internal(set) var weekEnd = Instant.epoch
            package internal(set) var limit: Int?
            package internal(set) var used = 0
            package internal(set) var queued = false
            package internal(set) var generateBy = Instant.epoch
            package internal(set) var device: DeviceID?

            package init() {}
        }

        /// The questions came and the clock started: the exam ends at `deadline` (R25, R26).
        package struct Delivered: Payload {
            package static let type = "tafawoq.exam.delivered"
            package static let streams = ["exam"]
            package static let sentence = "The questions of an exam were delivered."
            package static let rules = [25, 26]
            package internal(set) var exam = ExamID.none
            package internal(set) var student = StudentID.none
            package internal(set) var attempt = 0
            package internal(set) var questions = Packed<[Question.Content]>.empty
            package internal(set) var passages: [Question.Text]?
            package internal(set) var deadline = Instant.epoch
            package internal(set) var repeated = 0
            package internal(set) var waitedSeconds = 0

            package init() {}
        }

        /// Answers were recorded; those after the deadline are named in `ignored` (R27).
        package struct Answered: Payload {
            package static let type = "tafawoq.exam.answered"
            package static let streams = ["exam"]
            package static let sentence = "Questions of an exam were answered."
            package static let rules = [27]
            package internal(set) var exam = ExamID.none
            package internal(set) var student = StudentID.none
            package internal(set) var answers: [Question.Answer] = []
            package internal(set) var ignored: [QuestionID] = []
            package internal(set) var offline = false
            package internal(set) var device: DeviceID?

            package init() {}
        }

        /// The student left; the clock stands still until the exam is resumed, at the latest at
        /// `resumeUntil` (R29).
        package struct Suspended: Payload {
            package static let type = "tafawoq.exam.suspended"
            package static let streams = ["exam"]
            package static let sentence = "An exam was left, to be resumed."
            package static let rules = [29]
            package internal(set) var exam = ExamID.none
            package internal(set) var student = StudentID.none
            package internal(set) var remainingSeconds = 0
            package internal(set) var resumeUntil = Instant.epoch

            package init() {}
        }

        /// The clock of a suspended exam runs again, to a new deadline (R29).
        package struct Resumed: Payload {
            package static let type = "tafawoq.exam.resumed"
            package static let streams = ["exam"]
            package static let sentence = "An exam was resumed."
            package static let rules = [29]
            package internal(set) var exam = ExamID.none
            package internal(set) var student = StudentID.none
            package internal(set) var deadline = Instant.epoch

            package init() {}
        }

        /// An exam was left for good, or not resumed in time (R29).
        package struct Abandoned: Payload {
            package static let type = "tafawoq.exam.abandoned"
            package static let streams = ["exam"]
            package static let sentence = "An exam was abandoned."
            package static let rules = [29]
            package internal(set) var exam = ExamID.none
            package internal(set) var student = StudentID.none
            package internal(set) var reason = AbandonReason.empty
            package internal(set) var answered = 0
            package internal(set) var correct = 0
            package internal(set) var counts = false

            package init() {}
        }

        /// The deadline passed; the exam may still be submitted until `syncUntil` (R28).
        package struct Expired: Payload {
            package static let type = "tafawoq.exam.expired"
            package static let streams = ["exam"]
            package static let sentence = "An exam's time ran out."
            package static let rules = [28]
            package internal(set) var exam = ExamID.none
            package internal(set) var student = StudentID.none
            package internal(set) var deadline = Instant.epoch
            package internal(set) var answered = 0
            package internal(set) var correct = 0
            package internal(set) var counts = false
            package internal(set) var syncUntil = Instant.epoch

            package init() {}
        }

        /// An exam was submitted and scored, with strengths, weaknesses and advice (R28, R32 to R35).
        package struct Completed: Payload {
            package static let type = "tafawoq.exam.completed"
            package static let streams = ["exam"]
            package static let sentence = "An exam was completed."
            package static let rules = [28, 32, 33, 34, 35]
            package internal(set) var exam = ExamID.none
            package internal(set) var student = StudentID.none
            package internal(set) var track = Track.empty
            package internal(set) var finishedAt = Instant.epoch
            package internal(set) var late = false
            package internal(set) var verbal = Percent.zero
            package internal(set) var quantitative = Percent.zero
            package internal(set) var overall = Percent.zero
            package internal(set) var band = ""
            package internal(set) var colour = ""
            package internal(set) var tally = Outcome.Tally()
            package internal(set) var counts = false

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
            package static let rules = [31]
            package internal(set) var exam = ExamID.none
            package internal(set) var student = StudentID.none
            package internal(set) var pattern = FlagPattern.empty
            package internal(set) var value = 0

            package init() {}
        }
    }
}
