package import Core
package import ExamRoomEvents
import Folding

extension ExamRoom {
    /// The recorded refusals of an account; one an hour is recorded, so the last is looked up (R5).
    package struct ViolationRow: Record {
        /// The last of one kind of command.
        package struct Try: Record {
            package var command = ""
            package var at = Instant.epoch

            package init() {}
        }

        package var tries: [Try] = []
        package var lastAt = Instant.epoch

        package init() {}
    }
}

extension ExamRoom.State {
    static func violationRoutes(_ routes: inout Routes<ExamRoom.State>) {
        routes.on(ExamRoom.Violation.Recorded.self) { state, event, metadata in
            state.violations.update(event.account) { row in
                row.lastAt = max(row.lastAt, metadata.at)
                guard
                    let place = row.tries.firstIndex(where: { $0.command.isExactly(event.command) })
                else {
                    var entry = ExamRoom.ViolationRow.Try()
                    entry.command = event.command
                    entry.at = metadata.at
                    row.tries.append(entry)
                    return
                }
                row.tries[place].at = max(row.tries[place].at, metadata.at)
            }
        }
    }

    /// Whether another refusal of this kind may be recorded at an instant: at most one an account, command and hour,
    /// and none that would stand before the last of its stream (R5).
    package func mayTell(
        of account: ExamRoom.AccountID, _ command: String, at instant: Instant
    ) -> Bool {
        guard let row = violations[account] else { return true }
        let last = row.tries.first { $0.command.isExactly(command) }
        return instant >= row.lastAt && (last.map { instant >= $0.at + 3600 } ?? true)
    }
}
