package import Commands
import Core
package import ExamRoomEvents
import ExamRoomFacts
package import Folding

extension ExamRoom {
    /// The timers of attempts, and those that archive the audit entries of a date (page, Timers).
    package static func fire(_ timer: DueTimer, in context: Context) {
        switch timer.name {
        case AuditTimer.name: context.archiveAudit(timer)
        default: context.fireAttemptTimer(timer)
        }
    }
}

extension DecisionContext<ExamRoom> {
    /// The timers of an attempt fire while it is open and its student not deleted.
    fileprivate func fireAttemptTimer(_ timer: DueTimer) {
        let prefix = "examroom/attempt/"
        let stream = timer.stream.text(in: names)
        guard stream.hasPrefix(prefix),
            let symbol = names.known(String(stream.dropFirst(prefix.count))),
            let row = state.attempts[ExamRoom.AttemptID(symbol)], row.course == .open,
            !row.isForgotten,
            let kind = ExamRoom.AttemptTimer(name: timer.name)
        else { return }
        let attempt = ExamRoom.AttemptID(symbol)
        switch kind {
        case .timeUp: close(attempt, .timeUp, at: row.deadline)
        case .warning(let seconds):
            record(
                ExamRoom.Attempt.TimeWarned(
                    attempt: attempt, exam: row.exam, student: row.student,
                    remainingSeconds: seconds),
                on: attempt)
            notify(
                .init(row.student), .timeRemaining,
                [
                    ("attempt", json(attempt)), ("exam", json(row.exam)),
                    ("remainingSeconds", .integer(Int64(seconds))),
                ],
                link: "examroom://attempts/\(names.text(attempt))")
        }
    }
}
