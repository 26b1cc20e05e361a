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
            try credential.check(against: context.state.policy)
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
            guard let row = context.state.accounts[account], let present = row.credential,
                row.isSignedIn(by: digest)
            else { throw .credentialWrong }
            try credential.check(against: context.state.policy)
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

extension ExamRoom.Account.Credential {
    /// Of an accepted scheme, with a salt and a digest: an empty one would let anybody in (3.2).
    func check(against policy: ExamRoom.Policy) throws(ExamRoom.Rejection) {
        if !policy.credentialSchemes.contains(where: { $0.isExactly(scheme) }) {
            throw .schemeUnsupported
        }
        if salt.isBlank || digest.isBlank { throw .credentialEmpty }
    }
}

extension ExamRoom.AccountRow {
    /// The digest is that of the account's credential; an empty one never is (R5).
    func isSignedIn(by digest: String?) -> Bool {
        guard let digest, !digest.isBlank, let credential else { return false }
        return credential.digest.isExactly(digest)
    }
}
