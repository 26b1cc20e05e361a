package import Commands
package import Core
package import ExamRoomEvents
package import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Signs in on the command's device (3.1, 3.3).
    package struct StartSession: Command {
        package static let type = "examroom.session.start"
        package static let needsSession = false
        package static let allowsTemporaryCredential = true
        var session = SessionID.none
        var account = AccountID.none
        var method = Session.Method.credential
        var digest: String?
        var deviceInfo: String?
        var ip: String?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("session", &session)
            coder.field("account", &account)
            coder.field("method", &method)
            coder.optional("digest", &digest)
            coder.optional("deviceInfo", &deviceInfo)
            coder.optional("ip", &ip)
        }

        package func problem(_ names: Names) -> String? {
            method == .credential && digest == nil
                ? "missing field \"digest\", which method \"credential\" needs" : nil
        }

        package func who(in room: Room) -> Who { .claimant(account) }

        /// R5.
        package func apply(in scene: Scene<Room>) throws(Rejection) {
            let room = scene.state
            guard scene.member == account, let row = room.accounts[account], !row.isErased else {
                throw .credentialWrong
            }
            switch method {
            case .credential:
                guard let digest, row.credential?.digest.isExactly(digest) == true else {
                    throw .credentialWrong
                }
            case .biometric:
                if row.preferences.biometric != true { throw .biometricDisabled }
            }
            if room.sessions.contains(session) { throw .alreadyExists }
            scene.record(
                Session.Started(
                    session: session, account: account, role: row.role, method: method,
                    deviceInfo: deviceInfo, ip: ip,
                    mustChangeCredential: room.mustChangeCredential(account)),
                on: scene.sessionStream(session))
        }

        package func trace(of rejection: Rejection, in scene: Scene<Room>) {
            scene.recordViolation(rejection, of: Self.type, by: account, ip: ip)
        }
    }

    /// Signs out.
    package struct EndSession: Command {
        package static let type = "examroom.session.end"
        package static let allowsTemporaryCredential = true
        var session = SessionID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("session", &session)
        }

        package func who(in room: Room) -> Who { .member(room.sessions[session]?.account) }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            guard let row = scene.state.sessions[session] else { throw .notFound }
            if row.endedAt != nil { throw .sessionEnded }
            scene.record(
                Session.Ended(session: session, account: row.account, reason: .signedOut),
                on: scene.sessionStream(session))
        }
    }
}

extension Scene<ExamRoom.Room> {
    /// R5: a wrong credential and a blocked student's try leave an entry on the security stream.
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
            on: "examroom/security/\(names.text(account))")
    }
}
