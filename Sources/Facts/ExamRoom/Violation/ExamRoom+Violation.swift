import Core
import ExamRoomEvents
import Folding

extension ExamRoom.State {
    static func violationRoutes(_ routes: inout Routes<ExamRoom.State>) {
        // A refusal changes nothing; the audit views read it from the journal.
        routes.on(ExamRoom.Violation.Recorded.self) { _, _, _ in }
    }
}
