package import Core

extension ExamRoom {
    /// One attempt of a student at an exam, against the clock. Stream `examroom/attempt/ATTEMPT`.
    package enum Attempt: Thing {
        package static let noun = "attempt"; package static let isTagged = false

        /// How an attempt was closed: by the student, or by the clock (R19).
        package enum How: String, Choice {
            case student
            case timeUp = "time-up"
        }

        /// The extra time that an attempt began with (R14).
        package struct Extra: Record {
            package private(set) var kind = Extension.Kind.percent
            package private(set) var value = 0
            package private(set) var extraSeconds = 0

            package init() {}

            package init(_ granted: ExtraTime, durationSeconds: Int) {
                kind = granted.kind
                value = granted.value
                extraSeconds = granted.extraSeconds(durationSeconds: durationSeconds)
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("kind", &kind)
                coder.field("value", &value)
                coder.field("extraSeconds", &extraSeconds)
            }
        }

        /// From here on the clock runs; paper, limit and pass mark are what the attempt keeps (R9, R14).
        package struct Started: Payload {
            package static let type = "examroom.attempt.started"
            package static let streams = ["attempt"]
            package static let sentence = "A student started an exam."
            package static let rules = [9, 14]
            /// Its paper repeats the exam's questions.
            package static let isNeverTooLarge = true
            package internal(set) var attempt = AttemptID.none
            package internal(set) var exam = ExamID.none
            package internal(set) var student = StudentID.none
            package internal(set) var title = InternedText.empty
            package internal(set) var startedAt = Instant.epoch
            package internal(set) var durationSeconds = 0
            package internal(set) var extra: Extra?
            package internal(set) var limitSeconds = 0
            /// First instant at which an answer is late (R17).
            package internal(set) var deadline = Instant.epoch
            package internal(set) var feedback = Exam.Feedback.after
            /// The first answer to a question is final (R17).
            package internal(set) var answersFinal = false
            package internal(set) var passPercent = Percent.zero
            package internal(set) var maxScore = 0
            /// Seconds before the deadline, descending.
            package internal(set) var warnings: [Int] = []
            /// In the order shown (R13).
            package internal(set) var paper: [Shared<PaperQuestion>] = []

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("attempt", &attempt)
                coder.field("exam", &exam)
                coder.field("student", &student)
                coder.field("title", &title)
                coder.field("startedAt", &startedAt)
                coder.field("durationSeconds", &durationSeconds)
                coder.field("extension", &extra)
                coder.field("limitSeconds", &limitSeconds)
                coder.field("deadline", &deadline)
                coder.field("feedback", &feedback)
                coder.field("answersFinal", &answersFinal)
                coder.field("passPercent", &passPercent)
                coder.field("maxScore", &maxScore)
                coder.field("warnings", &warnings)
                coder.field("paper", &paper)
            }
        }

        /// The student was warned that the deadline is near (17.2, 17.3).
        package struct TimeWarned: Payload {
            package static let type = "examroom.time.warned"
            package static let streams = ["attempt"]
            package static let sentence = "A student was warned that time runs out."
            package internal(set) var attempt = AttemptID.none
            package internal(set) var exam = ExamID.none
            package internal(set) var student = StudentID.none
            package internal(set) var remainingSeconds = 0

            package init() {}
        }

        /// The student hid a closed attempt from their history (R23).
        package struct Discarded: Payload {
            package static let type = "examroom.attempt.discarded"
            package static let streams = ["attempt"]
            package static let sentence = "A student discarded an attempt."
            package static let rules = [23]
            package internal(set) var attempt = AttemptID.none
            package internal(set) var exam = ExamID.none
            package internal(set) var student = StudentID.none

            package init() {}
        }

        /// An admin chose that the attempt does not count (R45).
        package struct SetAside: Payload {
            package static let type = "examroom.attempt.set-aside"
            package static let streams = ["attempt"]
            package static let sentence = "An attempt was set aside."
            package static let rules = [45]
            package static let significance = Significance.administrative
            package internal(set) var attempt = AttemptID.none
            package internal(set) var exam = ExamID.none
            package internal(set) var student = StudentID.none
            package internal(set) var conflict = ConflictID.none

            package init() {}
        }
    }
}
