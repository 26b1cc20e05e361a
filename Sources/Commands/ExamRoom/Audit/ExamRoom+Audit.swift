import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension DecisionContext<ExamRoom> {
    /// Archives the entries of a date that are not archived yet, together (R51).
    func archiveAudit(_ timer: DueTimer) {
        let stream = timer.stream.text(in: names)
        guard let date = ExamRoom.AuditTimer.date(ofStream: stream),
            case let entries = state.openAuditEntries(of: date),
            let first = entries.first, let last = entries.last
        else { return }
        let digest = state.quotes?.archive(of: entries, state: state, history: history)
        record(
            ExamRoom.Audit.Archived(
                archive: date, entries: entries.count, fromPosition: first, toPosition: last,
                digest: digest ?? ""),
            on: stream)
    }
}
