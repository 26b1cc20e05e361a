package import Core
package import ExamRoomEvents
import Folding

extension ExamRoom {
    /// A merged batch: it is not merged again.
    package struct BatchRow: Record {
        package var position = Position.zero
        /// The last position of this journal that the device held.
        package var seen = Position.zero
        /// Who brought it: of a student's batch the name of the device proves nothing (R53).
        package var isByStudent = false

        package init() {}
    }
}

extension ExamRoom.State {
    /// Of an attempt that a merge brought, the last position of this journal that its device held.
    /// The merge in progress has no row yet.
    package func seen(where attempt: ExamRoom.AttemptRow) -> Position? {
        batches.read(.init(attempt.source, attempt.batch), \.seen)
    }

    static func mergeRoutes(_ routes: inout Routes<ExamRoom.State>) {
        routes.on(ExamRoom.Batch.Merged.self) { state, event, metadata in
            state.batches.update(.init(event.device, event.batch)) {
                $0.position = metadata.position
                $0.seen = event.seen
                $0.isByStudent = state.names.text(metadata.actor).hasPrefix("student:")
            }
        }
    }
}
