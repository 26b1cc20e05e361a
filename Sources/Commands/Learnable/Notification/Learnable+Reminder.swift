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

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.optional("dailyQuiz", &dailyQuiz)
            coder.optional("study", &study)
            coder.optional("quickQuiz", &quickQuiz)
            coder.optional("quickQuizFrequency", &quickQuizFrequency)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(student)
            if dailyQuiz == nil, study == nil, quickQuiz == nil, quickQuizFrequency == nil {
                throw .nothingGiven
            }
            let epoch = context.state.epoch(of: row)
            context.record(
                Reminders.Configured.with {
                    $0.student = student
                    $0.dailyQuiz = dailyQuiz ?? epoch.wantsDailyQuiz
                    $0.study = study ?? epoch.wantsStudy
                    $0.quickQuiz = quickQuiz ?? epoch.wantsQuickQuiz
                    $0.quickQuizFrequency = quickQuizFrequency ?? epoch.quickQuizFrequency
                    $0.day = context.day(of: student)
                }, on: student)
        }
    }
}
