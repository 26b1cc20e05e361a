package import Core

extension Learnable {
    /// Time spent on lectures, chats and quizzes. On the student's stream.
    package enum Study {
        package enum Activity: String, Choice {
            case lecture, chat
            case dailyQuiz = "daily-quiz"
            case optionalQuiz = "optional-quiz"
        }

        /// The part of a span that fell on one local day.
        package struct DayShare: Record {
            package var day = LocalDate.epoch
            package var seconds = 0

            package init() {}
        }

        /// Study time was recorded, divided among the local days that it fell on (R35).
        package struct Recorded: StudentEvent {
            package static let type = "learnable.study.recorded"
            package static let streams = ["student"]
            package static let sentence = "Study time was recorded."
            package static let rules = [35]
            package internal(set) var student = StudentID.none
            package internal(set) var activity = Activity.lecture
            package internal(set) var subject: SubjectID?
            package internal(set) var from = Instant.epoch
            package internal(set) var to = Instant.epoch
            package internal(set) var seconds = 0
            package internal(set) var days: [DayShare] = []

            package init() {}
        }
    }
}
