package import Core

extension Learnable {
    /// What the student wants to be reminded of (R44). On the student's stream.
    package enum Reminders {
        package enum Frequency: String, Choice {
            case daily, weekly
        }

        /// All four preferences as they now are (R44).
        package struct Configured: StudentEvent {
            package static let type = "learnable.reminders.configured"
            package static let streams = ["student"]
            package static let sentence = "Reminders were configured."
            package static let rules = [44]
            package internal(set) var student = StudentID.none
            package internal(set) var dailyQuiz = true
            package internal(set) var study = true
            package internal(set) var quickQuiz = false
            package internal(set) var quickQuizFrequency = Frequency.weekly
            package internal(set) var day = LocalDate.epoch

            package init() {}
        }
    }
}
