import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom.Command {
    /// A `forbidden` refusal is recorded for every sender with an account, whatever the command (R5).
    func trace(of rejection: ExamRoom.Rejection, in context: ExamRoom.Context) {
        context.recordViolation(rejection, of: Self.type, by: context.actorAccount)
    }
}

extension DecisionContext<ExamRoom> {
    /// A wrong credential, the start of a blocked student and what is not theirs to do are recorded on the security
    /// stream: `forbidden`, and all that a merge tells, once an hour at most (R5).
    func recordViolation(
        _ rejection: ExamRoom.Rejection, of command: String, by account: ExamRoom.AccountID,
        exam: ExamRoom.ExamID? = nil, ip: String? = nil, toldAt merge: Instant? = nil
    ) {
        let kind: ExamRoom.Violation.Kind
        switch rejection {
        case .credentialWrong, .biometricDisabled: kind = .invalidAuthentication
        case .studentBlocked: kind = .blockedStudent
        case .forbidden: return recordForbidden(command, by: actor)
        default: return
        }
        if let merge, !state.mayTell(of: account, command, at: merge) { return }
        recordViolation(kind, rejection, command, account, exam, ip)
    }

    /// The sender's account, who may have named another's.
    func recordForbidden(_ command: String, by actor: Actor) {
        let account = ExamRoom.AccountID(actor.id)
        guard actor.kind == .student || actor.kind == .admin, state.accounts.contains(account),
            state.mayTell(of: account, command, at: at)
        else { return }
        recordViolation(.forbidden, .forbidden, command, account, nil, nil)
    }

    private func recordViolation(
        _ kind: ExamRoom.Violation.Kind, _ rejection: ExamRoom.Rejection, _ command: String,
        _ account: ExamRoom.AccountID, _ exam: ExamRoom.ExamID?, _ ip: String?
    ) {
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
