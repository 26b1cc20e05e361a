import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// An admin sets a new, temporary credential; every open session ends (13.4).
    struct ReplaceCredential: Command {
        static let type = "examroom.credential.replace"
        var account = AccountID.none
        var credential = Account.Credential()

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(account)
            if !context.state.accepts(credential) { throw .schemeUnsupported }
            context.record(
                Account.CredentialReplaced(account: account, credential: credential),
                on: account)
            let sessions = row.openSessions.sorted {
                context.names.text($0).precedes(context.names.text($1))
            }
            for session in sessions {
                context.record(
                    Session.Ended(session: session, account: account, reason: .credentialReplaced),
                    on: session)
            }
        }
    }

    /// The owner changes their credential; a temporary one is temporary no more (R3).
    struct ChangeCredential: Command {
        static let type = "examroom.credential.change"
        static let allowsTemporaryCredential = true
        var account = AccountID.none
        /// Of the present credential.
        var digest = ""
        var credential = Account.Credential()

        func senders(in state: State) -> Senders { .owner(account) }

        func decide(in context: Context) throws(Rejection) {
            guard let present = context.state.accounts[account]?.credential,
                present.digest.isExactly(digest)
            else { throw .credentialWrong }
            if !context.state.accepts(credential) { throw .schemeUnsupported }
            if credential == present { throw .credentialUnchanged }
            context.record(
                Account.CredentialChanged(account: account, credential: credential),
                on: account)
        }

        func trace(of rejection: Rejection, in context: Context) {
            context.recordViolation(rejection, of: Self.type, by: account)
        }
    }
}

extension ExamRoom.State {
    func accepts(_ credential: ExamRoom.Account.Credential) -> Bool {
        policy.credentialSchemes.contains { $0.isExactly(credential.scheme) }
    }
}
