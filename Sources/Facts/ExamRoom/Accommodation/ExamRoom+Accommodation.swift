package import Core
package import ExamRoomEvents
import Folding

extension ExamRoom {
    /// A request for extra time, and its decision.
    package struct RequestRow: Record {
        package enum State: String, Choice {
            case pending, approved, denied
        }

        package var exam = ExamID.none
        package var student = StudentID.none
        package var asked = ExtraTime()
        package var justification: String?
        package var requestedAt = Instant.epoch
        package var state = State.pending
        package var granted: ExtraTime?
        package var reason: String?
        package var decidedAt: Instant?
        /// The deciding admin; null for `system`.
        package var decidedBy: AccountID?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            coder.field("student", &student)
            coder.field("asked", &asked)
            coder.kept("justification", &justification, of: student.symbol)
            coder.field("requestedAt", &requestedAt)
            coder.field("state", &state)
            coder.field("granted", &granted)
            coder.kept("reason", &reason, of: student.symbol)
            coder.field("decidedAt", &decidedAt)
            coder.field("decidedBy", &decidedBy)
        }
    }
}

extension ExamRoom.State {
    static func accommodationRoutes(_ routes: inout Routes<ExamRoom.State>) {
        routes.on(ExamRoom.Accommodation.Requested.self) { $0.requested($1, $2) }
        routes.on(ExamRoom.Accommodation.Approved.self) { state, event, metadata in
            state.requests.updateExisting(event.request) {
                $0.state = .approved
                $0.granted = event.granted
                $0.decidedAt = metadata.moment
                $0.decidedBy = state.account(behind: metadata.actor)
            }
        }
        routes.on(ExamRoom.Accommodation.Denied.self) { state, event, metadata in
            state.requests.updateExisting(event.request) {
                $0.state = .denied
                $0.reason = event.reason
                $0.decidedAt = metadata.moment
                $0.decidedBy = state.account(behind: metadata.actor)
            }
        }
    }

    private func requested(_ event: ExamRoom.Accommodation.Requested, _ metadata: EventMetadata) {
        guard exams.contains(event.exam), students.contains(event.student) else { return }
        requests.update(event.request) {
            $0.exam = event.exam
            $0.student = event.student
            $0.asked = event.asked
            $0.justification = event.justification
            $0.requestedAt = metadata.moment
        }
        changeSeat(event.exam, event.student) { $0.requests.append(event.request) }
    }
}
