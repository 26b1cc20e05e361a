import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension Learnable {
    /// Changes which reminders the student wants, and how often (R44).
    struct ConfigureReminders: Command {
        static let type = "learnable.reminders.configure"
        func senders(in state: State) -> Senders { .student }
        var student = StudentID.none
        var dailyQuiz: Bool?
        var study: Bool?
        var quickQuiz: Bool?
        var quickQuizFrequency: Reminders.Frequency?

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(student, need: .settings)
            if dailyQuiz == nil, study == nil, quickQuiz == nil, quickQuizFrequency == nil {
                throw .nothingGiven
            }
            let epoch = context.state.epoch(of: row)
            context.record(
                Reminders.Configured(
                    student: student,
                    dailyQuiz: dailyQuiz ?? epoch.wantsDailyQuiz,
                    study: study ?? epoch.wantsStudy,
                    quickQuiz: quickQuiz ?? epoch.wantsQuickQuiz,
                    quickQuizFrequency: quickQuizFrequency ?? epoch.quickQuizFrequency,
                    day: context.day(of: student)), on: student)
        }
    }
}
