package import Core
import Folding
package import TafawoqEvents

extension Tafawoq {
    /// Where a sitting stands.
    package enum Stage: String, Choice {
        case generating
        case inProgress = "in-progress"
        case suspended
        case completed
        case abandoned
        case expired
        case failed
    }

    /// A time in which the clock of an exam stood still.
    package struct Pause: Record {
        package var from = Instant.epoch
        package var to = Instant.epoch

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("from", &from)
            coder.field("to", &to)
        }
    }

    /// An exam or a practice.
    package struct SittingRow: Record {
        package var student = StudentID.none
        package var stage = Stage.empty
        package var startedAt = Instant.epoch
        package var tier = Tier.empty
        package var queued = false
        package var generateBy = Instant.epoch
        package var device: DeviceID?
        /// Of a practice: what was chosen.
        package var scope = Practice.Scope.empty
        package var chosen: [Category] = []
        package var difficulty = Difficulty.empty
        package var asked = 0
        package var plan: [Practice.Share] = []
        /// Deliveries that were sent back.
        package var refused = 0
        /// Of the last event of its stream.
        package var lastAt = Instant.epoch
        package var deliveredAt: Instant?
        package var deadline: Instant?
        package var remainingSeconds = 0
        package var suspendedAt: Instant?
        package var resumeUntil: Instant?
        package var pauses: [Pause] = []
        package var syncUntil: Instant?
        package var voided: [QuestionID] = []
        package var flags: [Exam.FlagPattern] = []
        package var endedAt: Instant?
        package var endPosition = Position.zero
        package var answered = 0
        package var correct = 0
        package var counts = false
        package var reason: String?
        package var exam: ExamScore?
        package var practice: PracticeScore?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("stage", &stage)
            coder.field("startedAt", &startedAt)
            coder.field("tier", &tier)
            coder.field("queued", &queued)
            coder.field("generateBy", &generateBy)
            coder.field("device", &device)
            coder.field("scope", &scope)
            coder.field("chosen", &chosen)
            coder.field("difficulty", &difficulty)
            coder.field("asked", &asked)
            coder.field("plan", &plan)
            coder.field("refused", &refused)
            coder.field("lastAt", &lastAt)
            coder.field("deliveredAt", &deliveredAt)
            coder.field("deadline", &deadline)
            coder.field("remainingSeconds", &remainingSeconds)
            coder.field("suspendedAt", &suspendedAt)
            coder.field("resumeUntil", &resumeUntil)
            coder.field("pauses", &pauses)
            coder.field("syncUntil", &syncUntil)
            coder.field("voided", &voided)
            coder.field("flags", &flags)
            coder.field("endedAt", &endedAt)
            coder.field("endPosition", &endPosition)
            coder.field("answered", &answered)
            coder.field("correct", &correct)
            coder.field("counts", &counts)
            coder.field("reason", &reason)
            coder.field("exam", &exam)
            coder.field("practice", &practice)
        }
    }

    package struct ExamScore: Record {
        package var finishedAt = Instant.epoch
        package var late = false
        package var verbal = Percent.zero
        package var quantitative = Percent.zero
        package var overall = Percent.zero
        package var band = ""
        package var colour = ""
        package var tally = Outcome.Tally.empty

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("finishedAt", &finishedAt)
            coder.field("late", &late)
            coder.field("verbal", &verbal)
            coder.field("quantitative", &quantitative)
            coder.field("overall", &overall)
            coder.field("band", &band)
            coder.field("colour", &colour)
            coder.field("tally", &tally)
        }
    }

    package struct PracticeScore: Record {
        package var finishedAt = Instant.epoch
        package var score = Percent.zero
        package var tally = Outcome.Tally.empty

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("finishedAt", &finishedAt)
            coder.field("score", &score)
            coder.field("tally", &tally)
        }
    }

    /// What was delivered.
    package struct PaperRow: Record {
        package var questions = Packed<[Question.Content]>.empty
        /// What answers are checked against (R27): an answer decodes no questions.
        package var outline: [AskedQuestion] = []
        package var passages: [Question.Text] = []

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("questions", &questions)
            coder.field("outline", &outline)
            coder.field("passages", &passages)
        }
    }

    /// A question of a paper, and how many options it has.
    package struct AskedQuestion: Record {
        package var question = QuestionID.none
        package var options = 0

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("question", &question)
            coder.field("options", &options)
        }
    }

    /// What was answered, in the order in which it was recorded.
    package struct AnswersRow: Record {
        package var answers: [Question.Answer] = []
        /// The instants of the events that brought them.
        package var times: [Instant] = []

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("answers", &answers)
            coder.field("times", &times)
        }
    }

    /// When a student was last delivered a question with a content (R26).
    package struct SeenRow: Record {
        package var at = Instant.epoch

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("at", &at)
        }
    }

    /// A student's exams and practices.
    package struct LearningRow: Record {
        package var exams = 0
        package var practices = 0
        package var completedExams = 0
        package var completedPractices = 0
        /// Generating, in progress or suspended.
        package var openExam: SittingID?
        package var openPractice: SittingID?
        package var lastExam: SittingID?
        package var lastExamAt: Instant?
        /// R40
        package var practiceSeconds = 0
        package var firstOverall: Percent?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exams", &exams)
            coder.field("practices", &practices)
            coder.field("completedExams", &completedExams)
            coder.field("completedPractices", &completedPractices)
            coder.field("openExam", &openExam)
            coder.field("openPractice", &openPractice)
            coder.field("lastExam", &lastExam)
            coder.field("lastExamAt", &lastExamAt)
            coder.field("practiceSeconds", &practiceSeconds)
            coder.field("firstOverall", &firstOverall)
        }
    }

    package struct ReportRow: Record {
        package var student = StudentID.none
        package var at = Instant.epoch
        package var exams = 0
        package var practices = 0
        package var practiceSeconds = 0
        package var trendWindow = 0

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("at", &at)
            coder.field("exams", &exams)
            coder.field("practices", &practices)
            coder.field("practiceSeconds", &practiceSeconds)
            coder.field("trendWindow", &trendWindow)
        }
    }
}
