package import Commands
package import Core
import Folding
package import TafawoqEvents
package import TafawoqFacts

extension Tafawoq {
    /// Signs in on a device.
    package struct OpenSession: Command {
        package static let type = "tafawoq.session.open"
        package static let senders: [Actor.Kind] = [.service]
        var session = SessionID.none
        var email = ""
        var passwordDigest = ""
        var appVersion: String?
        var deviceType: String?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("session", &session)
            coder.bounded("email", &email)
            coder.digest("passwordDigest", &passwordDigest)
            coder.givenText("appVersion", &appVersion)
            coder.givenText("deviceType", &deviceType)
        }

        package func problem(_ names: Names) -> String? {
            Tafawoq.email(email) == nil ? Tafawoq.emailExpectation : nil
        }

        /// R3: the owner of the e-mail address.
        package func concerned(in centre: Centre) -> StudentID? {
            Tafawoq.email(email).flatMap { centre.owner(ofEmail: $0) }
        }

        package func apply(in scene: Scene<Centre>) throws(Rejection) {
            if scene.state.sessions.contains(session) { throw .alreadyExists }
            guard let device = scene.givenDevice else { throw .deviceRequired }
            guard let student = concerned(in: scene.state),
                let row = scene.state.students[student]
            else { throw .wrongCredentials }
            // R7: whatever the digest.
            if row.wrongCredentials >= scene.policy.signInLockAfter, let last = row.lastWrongAt,
                scene.at < last + Int64(scene.policy.signInLockSeconds)
            {
                throw .accountLocked
            }
            guard let digest = row.passwordDigest, digest.isExactly(passwordDigest) else {
                throw .wrongCredentials
            }
            guard row.isVerified else { throw .emailUnverified }
            // R8: a device has at most one open session, whoever owns it.
            if let former = scene.state.devices[device]?.session,
                let owner = scene.state.sessions[former]?.student
            {
                scene.end(former, of: owner, .replaced)
                scene.notify(
                    owner, .sessionReplaced,
                    [
                        ("session", .string(scene.names.text(former))),
                        ("device", .string(scene.names.text(device))),
                    ])
            }
            scene.record(
                Session.Opened.with {
                    $0.session = session
                    $0.student = student
                    $0.device = device
                    $0.expiresAt = scene.at + Int64(scene.policy.sessionSeconds)
                    $0.appVersion = appVersion
                    $0.deviceType = deviceType
                }, session: session)
        }
    }

    /// A command about a session that is open.
    package protocol SessionCommand: Command {
        var session: SessionID { get set }
    }

    package struct RefreshSession: SessionCommand {
        package static let type = "tafawoq.session.refresh"
        package var session = SessionID.none

        package init() {}

        package func apply(in scene: Scene<Centre>) throws(Rejection) {
            let row = try scene.openSession(session)
            scene.record(
                Session.Refreshed.with {
                    $0.session = session
                    $0.student = row.student
                    $0.expiresAt = scene.at + Int64(scene.policy.sessionSeconds)
                }, session: session)
        }
    }

    /// Signs out.
    package struct CloseSession: SessionCommand {
        package static let type = "tafawoq.session.close"
        package var session = SessionID.none

        package init() {}

        package func apply(in scene: Scene<Centre>) throws(Rejection) {
            let row = try scene.openSession(session)
            scene.end(session, of: row.student, .signedOut)
        }
    }
}

extension Tafawoq.SessionCommand {
    package static var senders: [Actor.Kind] { [.student, .service] }

    package mutating func fields<C: Coder>(_ coder: inout C) { coder.field("session", &session) }

    package func concerned(in centre: Tafawoq.Centre) -> Tafawoq.StudentID? {
        centre.sessions[session]?.student
    }
}

extension Scene<Tafawoq.Centre> {
    /// R8: not ended, and not at its end.
    fileprivate func openSession(
        _ session: Tafawoq.SessionID
    ) throws(Tafawoq.Rejection) -> Tafawoq.SessionRow {
        guard let row = state.sessions[session], state.exists(row.student) else { throw .notFound }
        try checkOwner(row.student)
        if row.isEnded || at >= row.expiresAt { throw .sessionEnded }
        return row
    }

    func end(
        _ session: Tafawoq.SessionID, of student: Tafawoq.StudentID,
        _ reason: Tafawoq.Session.EndReason
    ) {
        record(
            Tafawoq.Session.Ended.with {
                $0.session = session
                $0.student = student
                $0.reason = reason
            }, session: session)
    }
}
