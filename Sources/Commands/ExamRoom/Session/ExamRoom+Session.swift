import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Signs in on the command's device (3.1, 3.3).
    struct StartSession: Command {
        static let type = "examroom.session.start"
        static let needsAccount = false
        static let needsSession = false
        static let allowsTemporaryCredential = true
        var session = SessionID.none
        var account = AccountID.none
        var method = Session.Method.credential
        var digest: String?
        var deviceInfo: String?
        var ip: String?

        func problem(_ names: Names) -> String? {
            method == .credential && digest == nil
                ? "missing field \"digest\", which method \"credential\" needs" : nil
        }

        func senders(in state: State) -> Senders { .owner(account) }

        /// Checks the digest, or that biometric sign-in is enabled (R5).
        func decide(in context: Context) throws(Rejection) {
            let state = context.state
            guard context.member == account, let row = state.accounts[account], !row.isErased else {
                throw .credentialWrong
            }
            switch method {
            case .credential:
                if !row.isSignedIn(by: digest) { throw .credentialWrong }
            case .biometric:
                if row.preferences.biometric != true { throw .biometricDisabled }
            }
            try context.checkIsFree(session, unless: state.sessions.contains(session))
            context.record(
                Session.Started(
                    session: session, account: account, role: row.role, method: method,
                    deviceInfo: deviceInfo, ip: ip,
                    mustChangeCredential: state.mustChangeCredential(account)),
                on: session)
        }

        func trace(of rejection: Rejection, in context: Context) {
            context.recordViolation(rejection, of: Self.type, by: account, ip: ip)
        }
    }

    /// Signs out.
    struct EndSession: Command {
        static let type = "examroom.session.end"
        static let allowsTemporaryCredential = true
        var session = SessionID.none

        func senders(in state: State) -> Senders { .owner(state.sessions[session]?.account) }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(session)
            if row.endedAt != nil { throw .sessionEnded }
            context.record(
                Session.Ended(session: session, account: row.account, reason: .signedOut),
                on: session)
        }
    }
}
