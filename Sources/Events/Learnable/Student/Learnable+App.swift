package import Core

extension Learnable {
    /// The app on the student's device. On the student's stream.
    package enum App {
        package enum Landing: String, Choice {
            case subscription
            case dailyQuiz = "daily-quiz"
            case home
        }

        /// The app was freshly started; says what greeted the student (R25).
        package struct Opened: StudentEvent {
            package static let type = "learnable.app.opened"
            package static let streams = ["student"]
            package static let sentence = "The app was opened."
            package static let rules = [25]
            package internal(set) var student = StudentID.none
            package internal(set) var day = LocalDate.epoch
            package internal(set) var timeZone = Zone.empty
            package internal(set) var firstOfDay = false
            package internal(set) var due = 0
            package internal(set) var landing = Landing.home
            package internal(set) var access = Access.none

            package init() {}
        }
    }
}
