package import Core

extension ExamRoom {
    /// One sitting of an exam by one student, against the clock. Stream `examroom/attempt/ATTEMPT`.
    package enum Attempt: Thing {
        package static let noun = "attempt"; package static let isTagged = false

        package enum How: String, Choice {
            case student
            case timeUp = "time-up"
        }

        package struct PaperOption: Record {
            package private(set) var option = OptionID.none
            package private(set) var text = ""

            package init() {}

            package init(_ choice: Question.Choice) {
                option = choice.option
                text = choice.text
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("option", &option)
                coder.field("text", &text)
            }
        }

        /// A question as an attempt shows it: its options in the order shown (R13).
        package struct PaperQuestion: Record {
            package private(set) var question = QuestionID.none
            package private(set) var prompt = ""
            package private(set) var options: [PaperOption] = []
            /// In the order shown.
            package private(set) var correct: [OptionID] = []
            package private(set) var points = 0
            package private(set) var explanation: String?
            package private(set) var image: Image.File?

            package init() {}

            package init(
                question: QuestionID, content: Question.Content, options: [Question.Choice],
                image: Image.File?
            ) {
                self.question = question
                prompt = content.prompt
                self.options = options.map { PaperOption($0) }
                correct = options.filter(\.correct).map(\.option)
                points = content.points
                explanation = content.explanation
                self.image = image
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("question", &question)
                coder.field("prompt", &prompt)
                coder.field("options", &options)
                coder.field("correct", &correct)
                coder.field("points", &points)
                coder.field("explanation", &explanation)
                coder.field("image", &image)
            }

            /// R16: right when the chosen set equals the correct set.
            package func isRight(_ chosen: [OptionID]) -> Bool {
                Set(chosen) == Set(correct)
            }
        }

        /// The extra time that an attempt began with (R14).
        package struct Extra: Record {
            package private(set) var kind = Seat.Kind.percent
            package private(set) var value = 0
            package private(set) var extraSeconds = 0

            package init() {}

            package init(_ granted: Seat.Extension, durationSeconds: Int) {
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
            package var attempt = AttemptID.none
            package var exam = ExamID.none
            package var student = StudentID.none
            package var title = Word.empty
            package var startedAt = Instant.epoch
            package var durationSeconds = 0
            package var extra: Extra?
            package var limitSeconds = 0
            /// First instant at which an answer is late (R17).
            package var deadline = Instant.epoch
            package var feedback = Exam.Feedback.after
            /// The first answer to a question stands (R17).
            package var answersFinal = false
            package var passPercent = Percent.zero
            package var maxScore = 0
            /// Seconds before the deadline, descending.
            package var warnings: [Int] = []
            /// In the order shown (R13).
            package var paper: [Shared<PaperQuestion>] = []

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

        package struct TimeLogged: Payload {
            package static let type = "examroom.time.logged"
            package static let streams = ["attempt"]
            package static let sentence = "Time on a question was logged."
            package private(set) var attempt = AttemptID.none
            package private(set) var question = QuestionID.none
            package private(set) var seconds = 0

            package init() {}

            package init(attempt: AttemptID, question: QuestionID, seconds: Int) {
                self.attempt = attempt
                self.question = question
                self.seconds = seconds
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("attempt", &attempt)
                coder.field("question", &question)
                coder.field("seconds", &seconds)
            }
        }

        package struct TimeWarned: Payload {
            package static let type = "examroom.time.warned"
            package static let streams = ["attempt"]
            package static let sentence = "A student was warned that time runs out."
            package private(set) var attempt = AttemptID.none
            package private(set) var exam = ExamID.none
            package private(set) var student = StudentID.none
            package private(set) var remainingSeconds = 0

            package init() {}

            package init(
                attempt: AttemptID, exam: ExamID, student: StudentID, remainingSeconds: Int
            ) {
                self.attempt = attempt
                self.exam = exam
                self.student = student
                self.remainingSeconds = remainingSeconds
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("attempt", &attempt)
                coder.field("exam", &exam)
                coder.field("student", &student)
                coder.field("remainingSeconds", &remainingSeconds)
            }
        }

        /// What became of one question at the closing; `points` are those earned.
        package struct Mark: Record {
            package private(set) var question = QuestionID.none
            package private(set) var answered = false
            package private(set) var correct = false
            package private(set) var points = 0
            package private(set) var seconds = 0

            package init() {}

            package init(
                question: QuestionID, answered: Bool, correct: Bool, points: Int, seconds: Int
            ) {
                self.question = question
                self.answered = answered
                self.correct = correct
                self.points = points
                self.seconds = seconds
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("question", &question)
                coder.field("answered", &answered)
                coder.field("correct", &correct)
                coder.field("points", &points)
                coder.field("seconds", &seconds)
            }
        }

        /// The attempt is closed and scored (R19).
        package struct Submitted: Payload {
            package static let type = "examroom.attempt.submitted"
            package static let streams = ["attempt"]
            package static let sentence = "An attempt was closed and scored."
            package var attempt = AttemptID.none
            package var exam = ExamID.none
            package var student = StudentID.none
            package var how = How.student
            package var closedAt = Instant.epoch
            package var localDate = LocalDate.epoch
            package var secondsTaken = 0
            package var answered = 0
            package var correct = 0
            package var score = 0
            package var maxScore = 0
            package var percent = Percent.zero
            package var passed = false
            /// In paper order.
            package var marks: [Mark] = []

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("attempt", &attempt)
                coder.field("exam", &exam)
                coder.field("student", &student)
                coder.field("how", &how)
                coder.field("closedAt", &closedAt)
                coder.field("localDate", &localDate)
                coder.field("secondsTaken", &secondsTaken)
                coder.field("answered", &answered)
                coder.field("correct", &correct)
                coder.field("score", &score)
                coder.field("maxScore", &maxScore)
                coder.field("percent", &percent)
                coder.field("passed", &passed)
                coder.field("marks", &marks)
            }
        }

        package struct Discarded: Payload {
            package static let type = "examroom.attempt.discarded"
            package static let streams = ["attempt"]
            package static let sentence = "A student discarded an attempt."
            package private(set) var attempt = AttemptID.none
            package private(set) var exam = ExamID.none
            package private(set) var student = StudentID.none

            package init() {}

            package init(attempt: AttemptID, exam: ExamID, student: StudentID) {
                self.attempt = attempt
                self.exam = exam
                self.student = student
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("attempt", &attempt)
                coder.field("exam", &exam)
                coder.field("student", &student)
            }
        }
    }
}
