package import Commands
package import Core
package import ExamRoomEvents
package import ExamRoomFacts
import Folding

extension ExamRoom {
    /// An admin sets a new, temporary credential; every open session ends (13.4).
    package struct ReplaceCredential: Command {
        package static let type = "examroom.credential.replace"
        var account = AccountID.none
        var credential = Account.Credential()

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("account", &account)
            coder.field("credential", &credential)
        }

        package func who(in room: Room) -> Who { .admin }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            guard let row = scene.state.accounts[account], row.isActive else { throw .notFound }
            if !scene.state.accepts(credential) { throw .schemeUnsupported }
            scene.record(
                Account.CredentialReplaced(account: account, credential: credential),
                on: scene.accountStream(account))
            let sessions = row.openSessions.sorted {
                scene.names.text($0).precedes(scene.names.text($1))
            }
            for session in sessions {
                scene.record(
                    Session.Ended(session: session, account: account, reason: .credentialReplaced),
                    on: scene.sessionStream(session))
            }
        }
    }

    /// The owner changes their credential; a temporary one is temporary no more (R3).
    package struct ChangeCredential: Command {
        package static let type = "examroom.credential.change"
        package static let allowsTemporaryCredential = true
        var account = AccountID.none
        /// Of the present credential.
        var digest = ""
        var credential = Account.Credential()

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("account", &account)
            coder.field("digest", &digest)
            coder.field("credential", &credential)
        }

        package func who(in room: Room) -> Who { .owner(account) }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            guard let present = scene.state.accounts[account]?.credential,
                present.digest.isExactly(digest)
            else { throw .credentialWrong }
            if !scene.state.accepts(credential) { throw .schemeUnsupported }
            if credential == present { throw .credentialUnchanged }
            scene.record(
                Account.CredentialChanged(account: account, credential: credential),
                on: scene.accountStream(account))
        }

        package func trace(of rejection: Rejection, in scene: Scene<Room>) {
            scene.recordViolation(rejection, of: Self.type, by: account)
        }
    }
}
