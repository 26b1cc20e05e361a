import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension DecisionContext<ExamRoom> {
    /// A wrong credential and the start of a blocked student are recorded on the security stream (R5).
    func recordViolation(
        _ rejection: ExamRoom.Rejection, of command: String, by account: ExamRoom.AccountID,
        exam: ExamRoom.ExamID? = nil, ip: String? = nil
    ) {
        let kind: ExamRoom.Violation.Kind
        switch rejection {
        case .credentialWrong, .biometricDisabled: kind = .invalidAuthentication
        case .studentBlocked: kind = .blockedStudent
        default: return
        }
        record(
            ExamRoom.Violation.Recorded(
                account: account, violation: kind, code: rejection.rawValue, command: command,
                exam: exam, ip: ip),
            on: securityStream(of: account))
    }

    private func securityStream(of account: ExamRoom.AccountID) -> String {
        "examroom/security/\(names.text(account))"
    }
}
