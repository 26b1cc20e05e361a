package import Core

extension Learnable {
    /// A daily or an optional quiz. Stream `learnable/quiz/QUIZ`; skipping one is on the student's.
    package enum Quiz: Thing {
        package static let noun = "quiz"

        package enum Kind: String, Choice {
            case daily, optional
        }

        /// When answers count in Times Asked and Times Correct (R23).
        package enum Statistics: String, Choice {
            case completed
            case eachAnswer = "each-answer"
            case never
        }

        package enum Reason: String, Choice {
            case appReopened = "app-reopened"
            case begunAgain = "begun-again"
            case emptied
        }

        /// A question of a quiz as it is asked there (R31).
        package struct Page: Record {
            package var question = QuestionID.none
            package var level = 1
            /// The index among all of the question's variants.
            package var variant = 0
            package var format = Format.multipleChoice
            /// Nil when it is not recurring.
            package var due: LocalDate?

            package init() {}
        }

        /// A quiz was begun, with its questions and the wordings drawn for them (R28, R30, R31).
        package struct Begun: StudentEvent {
            package static let type = "learnable.quiz.begun"
            package static let streams = ["quiz"]
            package static let sentence = "A quiz was begun."
            package static let rules = [28, 30, 31]
            package internal(set) var student = StudentID.none
            package internal(set) var quiz: Own<QuizID> = .none
            package internal(set) var kind = Kind.daily
            package internal(set) var day = LocalDate.epoch
            package internal(set) var timeZone = Zone.empty
            package internal(set) var statistics = Statistics.eachAnswer
            package internal(set) var questions: [Page] = []

            package init() {}
        }

        /// A quiz question was answered; multiple choice is judged right away (R29).
        package struct Answered: StudentEvent {
            package static let type = "learnable.quiz.answered"
            package static let streams = ["quiz"]
            package static let sentence = "A quiz question was answered."
            package static let rules = [29]
            package internal(set) var student = StudentID.none
            package internal(set) var quiz = QuizID.none
            package internal(set) var question = QuestionID.none
            package internal(set) var level = 1
            package internal(set) var format = Format.multipleChoice
            package internal(set) var day = LocalDate.epoch
            package internal(set) var verdict = Verdict()

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.own("quiz", &quiz)
                coder.field("question", &question)
                coder.field("level", &level)
                coder.field("format", &format)
                coder.field("day", &day)
                verdict.fields(&coder)
            }
        }

        /// The student judged their own free-text answer (R29).
        package struct SelfAssessed: StudentEvent {
            package static let type = "learnable.quiz.self-assessed"
            package static let streams = ["quiz"]
            package static let sentence = "A quiz answer was self-assessed."
            package static let rules = [29]
            package internal(set) var student = StudentID.none
            package internal(set) var quiz: Own<QuizID> = .none
            package internal(set) var question = QuestionID.none
            package internal(set) var correct = false
            package internal(set) var day = LocalDate.epoch

            package init() {}
        }

        /// No question of the quiz remains (R24); a daily one says the streak (R32).
        package struct Completed: StudentEvent {
            package static let type = "learnable.quiz.completed"
            package static let streams = ["quiz"]
            package static let sentence = "A quiz was completed."
            package static let rules = [24, 32]
            package internal(set) var student = StudentID.none
            package internal(set) var quiz: Own<QuizID> = .none
            package internal(set) var kind = Kind.daily
            package internal(set) var day = LocalDate.epoch
            package internal(set) var asked = 0
            package internal(set) var correct = 0
            package internal(set) var streak: Int?

            package init() {}
        }

        /// A daily quiz left open on an earlier day is over (R26).
        package struct Lapsed: StudentEvent {
            package static let type = "learnable.quiz.lapsed"
            package static let streams = ["quiz"]
            package static let sentence = "A daily quiz lapsed."
            package static let rules = [26]
            package internal(set) var student = StudentID.none
            package internal(set) var quiz: Own<QuizID> = .none
            package internal(set) var day = LocalDate.epoch
            package internal(set) var asked = 0
            package internal(set) var correct = 0
            package internal(set) var remaining = 0

            package init() {}
        }

        /// A quiz ended without a result (R24, R26).
        package struct Abandoned: StudentEvent {
            package static let type = "learnable.quiz.abandoned"
            package static let streams = ["quiz"]
            package static let sentence = "A quiz was abandoned."
            package static let rules = [24, 26]
            package internal(set) var student = StudentID.none
            package internal(set) var quiz: Own<QuizID> = .none
            package internal(set) var kind = Kind.daily
            package internal(set) var reason = Reason.appReopened

            package init() {}
        }

        /// The daily quiz of the day was skipped: it no longer comes first that day (R28). On the student's stream.
        package struct Skipped: StudentEvent {
            package static let type = "learnable.quiz.skipped"
            package static let streams = ["student"]
            package static let sentence = "A daily quiz was skipped."
            package static let rules = [28]
            package internal(set) var student = StudentID.none
            package internal(set) var day = LocalDate.epoch
            package internal(set) var quiz: QuizID?
            package internal(set) var due = 0

            package init() {}
        }

        /// A day was missed of which no due date tells any more: what was due then left the pool, or was answered
        /// only now (R32). On the student's stream.
        package struct Missed: StudentEvent {
            package static let type = "learnable.quiz.missed"
            package static let streams = ["student"]
            package static let sentence = "A daily quiz was missed."
            package static let rules = [32]
            package internal(set) var student = StudentID.none
            package internal(set) var day = LocalDate.epoch

            package init() {}
        }
    }
}
