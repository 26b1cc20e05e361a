import Core
package import ExamRoomEvents
import Folding

extension ExamRoom.State {
    static func examArchiveRoutes(_ routes: inout Routes<ExamRoom.State>) {
        routes.on(ExamRoom.Exam.Archived.self) { state, event, _ in
            state.exams.updateExisting(event.exam) { $0.isArchived = true }
        }
        routes.on(ExamRoom.Exam.Unarchived.self) { state, event, _ in
            state.exams.updateExisting(event.exam) { $0.isArchived = false }
        }
    }

    /// R12: something happened that an export made before does not hold.
    func touch(_ exam: ExamRoom.ExamID, _ metadata: EventMetadata) {
        exams.updateExisting(exam) { $0.touched = metadata.position }
    }

    /// R12: all that is in the exam and came of its attempts stands in an export.
    package func isExported(_ exam: ExamRoom.ExamID) -> Bool {
        guard let row = exams[exam] else { return false }
        return max(row.exported, roster[.only]?.exported ?? .zero) > row.touched
    }
}
