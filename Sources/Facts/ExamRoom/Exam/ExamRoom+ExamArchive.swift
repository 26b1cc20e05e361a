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

    /// Something happened that an export made before does not hold (R12).
    func touch(_ exam: ExamRoom.ExamID, _ metadata: EventMetadata) {
        exams.updateExisting(exam) { $0.touched = metadata.position }
    }

    /// An export holds all of the exam and of its attempts (R12).
    package func isExported(_ exam: ExamRoom.ExamID) -> Bool {
        guard let row = exams[exam] else { return false }
        return max(row.exported, roster[.only]?.exported ?? .zero) > row.touched
    }
}
