import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Archives an exam once an export holds all of it (R12, 11.6).
    struct ArchiveExam: ExamCommand {
        static let type = "examroom.exam.archive"
        var exam = ExamID.none

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findEditable(exam)
            if row.isPublished { throw .examPublished }
            if row.unclosed > 0 { throw .attemptsOpen }
            if !context.state.isExported(exam) { throw .notExported }
            context.record(Exam.Archived(exam: exam), on: exam)
        }
    }

    /// Takes an exam out of the archive: a draft again.
    struct UnarchiveExam: ExamCommand {
        static let type = "examroom.exam.unarchive"
        var exam = ExamID.none

        func decide(in context: Context) throws(Rejection) {
            if try !context.find(exam).isArchived { throw .notArchived }
            context.record(Exam.Unarchived(exam: exam), on: exam)
        }
    }
}
