import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension Learnable {
    /// Records that the student's data was downloaded (FR-012).
    struct DownloadData: StudentAlone {
        static let type = "learnable.data.download"
        func senders(in state: State) -> Senders { .any(.student, .admin) }
        var student = StudentID.none

        func decide(in context: Context) throws(Rejection) {
            try context.findOwn(student, need: .settings)
            context.record(
                Download.Made(
                    student: student,
                    day: context.day(of: student)), on: student)
        }
    }
}
