import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

/// Where the events of a thing stand (page, Events).
extension DecisionContext<ExamRoom> {
    func accountStream(_ account: ExamRoom.AccountID) -> String {
        "examroom/account/\(names.text(account))"
    }

    func examStream(_ exam: ExamRoom.ExamID) -> String {
        "examroom/exam/\(names.text(exam))"
    }

    func seatStream(_ exam: ExamRoom.ExamID, _ student: ExamRoom.StudentID) -> String {
        "examroom/seat/\(names.text(exam))/\(names.text(student))"
    }

    func attemptStream(_ attempt: ExamRoom.AttemptID) -> String {
        "examroom/attempt/\(names.text(attempt))"
    }

    func sessionStream(_ session: ExamRoom.SessionID) -> String {
        "examroom/session/\(names.text(session))"
    }

    func requestStream(_ request: ExamRoom.RequestID) -> String {
        "examroom/accommodation/\(names.text(request))"
    }

    func migrationStream(_ migration: ExamRoom.MigrationID) -> String {
        "examroom/migration/\(names.text(migration))"
    }

    func awardsStream(_ student: ExamRoom.StudentID) -> String {
        "examroom/awards/\(names.text(student))"
    }
}
