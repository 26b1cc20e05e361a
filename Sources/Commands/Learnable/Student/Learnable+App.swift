import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension Learnable {
    /// A fresh start of the app; ends quizzes that were left open (R25, R26), and begins a trial that waited
    /// for a device (R7).
    struct OpenApp: StudentAlone {
        static let type = "learnable.app.open"
        func senders(in state: State) -> Senders { .student }
        var student = StudentID.none

        func decide(in context: Context) throws(Rejection) {
            try context.findOwn(student)
            context.startTrial(of: student)
            let row = try context.find(student)
            let day = context.day(of: student)
            context.lapseDaily(of: row, unless: day)
            context.abandonOptional(of: row, .appReopened)
            let epoch = context.state.epoch(of: row)
            context.record(
                App.Opened(
                    student: student,
                    day: day,
                    timeZone: row.zone,
                    firstOfDay: !epoch.openDays.contains(day),
                    due: context.state.dueCount(row.epoch, on: day),
                    landing: context.state.landing(of: student, at: context.at),
                    access: row.access(at: context.at)), on: student)
        }
    }
}
