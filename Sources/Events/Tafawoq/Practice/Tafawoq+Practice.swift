package import Core

extension Tafawoq {
    /// A practice session. Stream `tafawoq/practice/PRACTICE`.
    package enum Practice: Thing {
        package static let noun = "practice"

        /// What is practised: a section, or both.
        package enum Scope: String, Choice {
            case verbal
            case quantitative
            case mixed
        }

        /// How many questions a category gets (R38).
        package struct Share: Record {
            package var category = Category.empty
            package var questions = 0

            package init() {}
        }

        /// A practice was requested, with the plan of questions for each category (R24, R38).
        package struct Started: Payload {
            package static let type = "tafawoq.practice.started"
            package static let streams = ["practice"]
            package static let sentence = "A practice was requested."
            package static let rules = [24, 38]
            package internal(set) var practice = PracticeID.none
            package internal(set) var student = StudentID.none
            package internal(set) var tier = Tier.empty
            package internal(set) var track = Track.empty
            package internal(set) var section = Scope.empty
            package internal(set) var categories: [Category] = []
            package internal(set) var difficulty = Difficulty.empty
            package internal(set) var questions = 0
            package internal(set) var plan: [Share] = []
            package internal(set) var queued = false
            package internal(set) var generateBy = Instant.epoch
            package internal(set) var device: DeviceID?

            package init() {}
        }

        /// The questions of a practice came; it has no deadline (R39).
        package struct Delivered: Payload {
            package static let type = "tafawoq.practice.delivered"
            package static let streams = ["practice"]
            package static let sentence = "The questions of a practice were delivered."
            package static let rules = [39]
            package internal(set) var practice = PracticeID.none
            package internal(set) var student = StudentID.none
            package internal(set) var attempt = 0
            package internal(set) var questions = Packed<[Question.Content]>.empty
            package internal(set) var passages: [Question.Text]?
            package internal(set) var repeated = 0
            package internal(set) var waitedSeconds = 0

            package init() {}
        }

        /// Answers of a practice were recorded (R27).
        package struct Answered: Payload {
            package static let type = "tafawoq.practice.answered"
            package static let streams = ["practice"]
            package static let sentence = "Questions of a practice were answered."
            package static let rules = [27]
            package internal(set) var practice = PracticeID.none
            package internal(set) var student = StudentID.none
            package internal(set) var answers: [Question.Answer] = []
            package internal(set) var ignored: [QuestionID] = []
            package internal(set) var offline = false
            package internal(set) var device: DeviceID?

            package init() {}
        }

        /// A practice was left and is never resumed.
        package struct Abandoned: Payload {
            package static let type = "tafawoq.practice.abandoned"
            package static let streams = ["practice"]
            package static let sentence = "A practice was abandoned."
            package internal(set) var practice = PracticeID.none
            package internal(set) var student = StudentID.none
            package internal(set) var answered = 0
            package internal(set) var correct = 0

            package init() {}
        }

        /// A practice was submitted and scored, with advice (R32, R33, R36, R40).
        package struct Completed: Payload {
            package static let type = "tafawoq.practice.completed"
            package static let streams = ["practice"]
            package static let sentence = "A practice was completed."
            package static let rules = [32, 33, 36, 40]
            package internal(set) var practice = PracticeID.none
            package internal(set) var student = StudentID.none
            package internal(set) var track = Track.empty
            package internal(set) var section = Scope.empty
            package internal(set) var difficulty = Difficulty.empty
            package internal(set) var finishedAt = Instant.epoch
            package internal(set) var score = Percent.zero
            package internal(set) var tally = Outcome.Tally()
            package internal(set) var totalSeconds = 0

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("practice", &practice)
                coder.field("student", &student)
                coder.field("track", &track)
                coder.field("section", &section)
                coder.field("difficulty", &difficulty)
                coder.field("finishedAt", &finishedAt)
                coder.field("score", &score)
                tally.fields(&coder)
                coder.field("totalSeconds", &totalSeconds)
            }
        }
    }
}
