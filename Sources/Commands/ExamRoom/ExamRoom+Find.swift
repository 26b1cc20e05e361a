import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

/// What a command names: the row, or `not-found`. What is deleted counts as not found.
extension DecisionContext<ExamRoom> {
    /// An active account.
    func find(_ id: ExamRoom.AccountID) throws(ExamRoom.Rejection) -> ExamRoom.AccountRow {
        try found(state.accounts[id], id) { $0.isActive }
    }

    /// A session, ended or not.
    func find(_ id: ExamRoom.SessionID) throws(ExamRoom.Rejection) -> ExamRoom.SessionRow {
        try found(state.sessions[id], id)
    }

    func find(_ id: ExamRoom.ExamID) throws(ExamRoom.Rejection) -> ExamRoom.ExamRow {
        try found(state.exams[id], id) { !$0.isDeleted }
    }

    /// An exam that may be edited (R9, R12).
    func findEditable(_ id: ExamRoom.ExamID) throws(ExamRoom.Rejection) -> ExamRoom.ExamRow {
        let row = try find(id)
        try check(!row.isArchived, else: .examArchived)
        return row
    }

    /// A question that is in the exam now.
    func find(
        _ id: ExamRoom.QuestionID, of exam: ExamRoom.ExamID
    ) throws(ExamRoom.Rejection) -> ExamRoom.BankQuestion {
        guard let question = state.bankQuestion(id, of: exam) else { throw notFound(id) }
        return question
    }

    /// A question that may be edited: `not-found` for the exam and the question, then `exam-archived`.
    func findEditable(
        _ id: ExamRoom.QuestionID, of exam: ExamRoom.ExamID
    ) throws(ExamRoom.Rejection) -> ExamRoom.BankQuestion {
        _ = try find(exam)
        let question = try find(id, of: exam)
        _ = try findEditable(exam)
        return question
    }

    /// A student's seat at an exam; `not-found` covers the exam, deleted too, and the student.
    func find(
        seatOf student: ExamRoom.StudentID, at exam: ExamRoom.ExamID
    ) throws(ExamRoom.Rejection) -> ExamRoom.SeatRow {
        _ = try find(exam)
        guard state.accounts[.init(student)]?.isActiveStudent == true else {
            throw notFound(student)
        }
        return state.seats[.init(exam, student)] ?? .init()
    }

    /// A request with its seat; `not-found` covers its exam and its student too.
    func find(
        _ id: ExamRoom.RequestID
    ) throws(ExamRoom.Rejection) -> (ExamRoom.RequestRow, ExamRoom.SeatRow) {
        let row = try found(state.requests[id], id)
        return (row, try find(seatOf: row.student, at: row.exam))
    }

    /// An attempt, open or closed.
    func find(_ id: ExamRoom.AttemptID) throws(ExamRoom.Rejection) -> ExamRoom.AttemptRow {
        try found(state.attempts[id], id)
    }

    /// An attempt that is open now (R17).
    func findOpen(_ id: ExamRoom.AttemptID) throws(ExamRoom.Rejection) -> ExamRoom.AttemptRow {
        let row = try find(id)
        try check(row.isOpen(at: at), else: .attemptClosed)
        return row
    }

    func find(_ id: ExamRoom.ConflictID) throws(ExamRoom.Rejection) -> ExamRoom.ConflictRow {
        try found(state.conflicts[id], id)
    }

    /// A migration that is not finished (R37).
    func findRunning(
        _ id: ExamRoom.MigrationID
    ) throws(ExamRoom.Rejection) -> ExamRoom.MigrationRow {
        let row = try found(state.migrations[id], id)
        try check(!row.isFinished, else: .migrationFinished)
        return row
    }

    /// An item of a running migration that is not done; `not-found` is the migration.
    func findPending(
        _ item: ExamRoom.ItemID, of migration: ExamRoom.MigrationID
    ) throws(ExamRoom.Rejection) -> ExamRoom.ItemRow {
        _ = try findRunning(migration)
        guard let row = state.items[.init(migration, item)] else { throw .itemUnknown }
        try check(!row.isDone, else: .itemDone)
        return row
    }
}
