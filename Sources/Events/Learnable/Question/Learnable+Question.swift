package import Core

extension Learnable {
    /// An item of the question pool, with wordings for levels and formats. Stream `learnable/question/QUESTION`.
    package enum Question: Thing {
        package static let noun = "question"

        /// When a question comes next, as a day decides it: `due` is the day and the interval (R2).
        package struct Turn: Record {
            package private(set) var day = LocalDate.epoch
            package private(set) var interval = 0
            package private(set) var due = LocalDate.epoch

            package init() {}

            package init(on day: LocalDate, after interval: Int) {
                self.day = day
                self.interval = interval
                due = day.adding(days: interval)
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("day", &day)
                coder.field("interval", &interval)
                coder.field("due", &due)
            }
        }

        /// A question joined the pool at level 1, due after its first interval (R18).
        package struct Pooled: StudentEvent {
            package static let type = "learnable.question.pooled"
            package static let streams = ["question"]
            package static let sentence = "A question joined the pool."
            package static let rules = [18]
            package internal(set) var student = StudentID.none
            package internal(set) var question = QuestionID.none
            package internal(set) var subject = SubjectID.none
            package internal(set) var topic = TopicNumber.empty
            package internal(set) var variants = Packed<[Variant]>.empty
            package internal(set) var level = 1
            package internal(set) var correctAtLevel = 0
            package internal(set) var turn = Turn()

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.own("question", &question)
                coder.field("subject", &subject)
                coder.field("topic", &topic)
                coder.field("variants", &variants)
                coder.field("level", &level)
                coder.field("correctAtLevel", &correctAtLevel)
                turn.fields(&coder)
            }
        }

        /// A question got its next due date and stays at its level (R21).
        package struct Scheduled: StudentEvent {
            package static let type = "learnable.question.scheduled"
            package static let streams = ["question"]
            package static let sentence = "A question was scheduled."
            package static let rules = [21]
            package internal(set) var student = StudentID.none
            package internal(set) var question = QuestionID.none
            package internal(set) var quiz = QuizID.none
            package internal(set) var correct = false
            package internal(set) var level = 1
            package internal(set) var correctAtLevel = 0
            package internal(set) var mastered = false
            package internal(set) var turn = Turn()

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.own("question", &question)
                coder.field("quiz", &quiz)
                coder.field("correct", &correct)
                coder.field("level", &level)
                coder.field("correctAtLevel", &correctAtLevel)
                coder.field("mastered", &mastered)
                turn.fields(&coder)
            }
        }

        /// A question finished its level and rises to the next (R21).
        package struct Advanced: StudentEvent {
            package static let type = "learnable.question.advanced"
            package static let streams = ["question"]
            package static let sentence = "A question rose by a level."
            package static let rules = [21]
            package internal(set) var student = StudentID.none
            package internal(set) var question = QuestionID.none
            package internal(set) var quiz = QuizID.none
            package internal(set) var level = 1
            package internal(set) var correctAtLevel = 0
            package internal(set) var turn = Turn()

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.own("question", &question)
                coder.field("quiz", &quiz)
                coder.field("level", &level)
                coder.field("correctAtLevel", &correctAtLevel)
                turn.fields(&coder)
            }
        }

        /// A question finished level 4 (R21).
        package struct Mastered: StudentEvent {
            package static let type = "learnable.question.mastered"
            package static let streams = ["question"]
            package static let sentence = "A question was mastered."
            package static let rules = [21]
            package internal(set) var student = StudentID.none
            package internal(set) var question = QuestionID.none
            package internal(set) var quiz = QuizID.none
            package internal(set) var level = 4
            package internal(set) var correctAtLevel = 0
            package internal(set) var turn = Turn()

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.own("question", &question)
                coder.field("quiz", &quiz)
                coder.field("level", &level)
                coder.field("correctAtLevel", &correctAtLevel)
                turn.fields(&coder)
            }
        }

        /// A question left the pool for good (R20).
        package struct Deleted: StudentEvent {
            package static let type = "learnable.question.deleted"
            package static let streams = ["question"]
            package static let sentence = "A question was deleted."
            package static let rules = [20]
            package internal(set) var student = StudentID.none
            package internal(set) var question: Own<QuestionID> = .none
            package internal(set) var subject = SubjectID.none
            package internal(set) var level = 1
            package internal(set) var mastered = false

            package init() {}
        }
    }

    /// One wording of a question of the pool.
    package struct Variant: Record {
        package private(set) var form = Form()
        package private(set) var level = 1

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            form.fields(&coder)
            coder.field("level", &level)
        }

        package static func read(_ json: JSON, from input: inout JSONInput) -> Variant? {
            let variant = input.record(json) { nested in
                var value = Variant()
                value.fields(&nested)
                return value
            }
            if let variant, !variant.form.isWhole || !(1...4).contains(variant.level) {
                input.fail(Form.expectation + ", and a level from 1 to 4")
                return nil
            }
            return variant
        }
    }
}
