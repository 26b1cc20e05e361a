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

    /// An export made before one of these events does not hold all of the exam (R12). Closings of its
    /// attempts touch the exam in their own handlers.
    static func touchExams(_ routes: inout Routes<ExamRoom.State>) {
        touch(ExamRoom.Exam.Created.self) { $0.exam }
        touch(ExamRoom.Exam.Duplicated.self) { $0.exam }
        touch(ExamRoom.Exam.Imported.self) { $0.exam }
        touch(ExamRoom.Exam.Revised.self) { $0.exam }
        touch(ExamRoom.Exam.Restored.self) { $0.exam }
        touch(ExamRoom.Question.Added.self) { $0.exam }
        touch(ExamRoom.Question.Revised.self) { $0.exam }
        touch(ExamRoom.Question.Removed.self) { $0.exam }
        touch(ExamRoom.Question.Restored.self) { $0.exam }
        touch(ExamRoom.Image.Attached.self) { $0.exam }
        touch(ExamRoom.Image.Detached.self) { $0.exam }

        func touch<P: Payload>(_ type: P.Type, _ exam: @escaping @Sendable (P) -> ExamRoom.ExamID) {
            routes.also(type) { state, event, metadata in state.touch(exam(event), metadata) }
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
