import Commands
import Core
import Folding
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// Signs in on a device, with the e-mail address and a digest of the password (R7, R8).
    struct OpenSession: Command {
        static let type = "tafawoq.session.open"
        func senders(in state: State) -> Senders { .service }
        var session = SessionID.none
        var email = ""
        var passwordDigest = ""
        var appVersion: String?
        var deviceType: String?

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("session", &session)
            coder.bounded("email", &email)
            coder.digest("passwordDigest", &passwordDigest)
            coder.givenText("appVersion", &appVersion)
            coder.givenText("deviceType", &deviceType)
        }

        func problem(_ names: Names) -> String? {
            Tafawoq.email(email) == nil ? Tafawoq.emailExpectation : nil
        }

        /// The owner of the e-mail address (R3).
        func concerned(in state: State) -> StudentID? {
            Tafawoq.email(email).flatMap { state.owner(ofEmail: $0) }
        }

        func decide(in context: Context) throws(Rejection) {
            try context.checkIsFree(session, unless: context.state.sessions.contains(session))
            guard let device = context.givenDevice else { throw .deviceRequired }
            guard let student = concerned(in: context.state),
                let row = context.state.students[student]
            else { throw .wrongCredentials }
            // A lockout holds whatever the digest (R7).
            if row.wrongCredentials >= context.policy.signInLockAfter, let last = row.lastWrongAt,
                context.at < last + context.policy.signInLockSeconds
            {
                throw .accountLocked
            }
            guard let digest = row.passwordDigest, digest.isExactly(passwordDigest) else {
                throw .wrongCredentials
            }
            guard row.isVerified else { throw .emailUnverified }
            // A device has at most one open session, whichever student owns it (R8).
            if let former = context.state.devices[device]?.session,
                let owner = context.state.sessions[former]?.student
            {
                context.end(former, of: owner, .replaced)
                context.notify(
                    owner, .sessionReplaced,
                    [
                        ("session", .string(context.names.text(former))),
                        ("device", .string(context.names.text(device))),
                    ])
            }
            context.record(
                Session.Opened(
                    session: session,
                    student: student,
                    device: device,
                    expiresAt: context.at + context.policy.sessionSeconds,
                    appVersion: appVersion,
                    deviceType: deviceType), on: session)
        }
    }

    /// A command that names nothing but an open session.
    protocol SessionCommand: Command {
        var session: SessionID { get set }
    }

    /// Extends the life of a session (R8).
    struct RefreshSession: SessionCommand {
        static let type = "tafawoq.session.refresh"
        var session = SessionID.none

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOpen(session)
            context.record(
                Session.Refreshed(
                    session: session,
                    student: row.student,
                    expiresAt: context.at + context.policy.sessionSeconds), on: session)
        }
    }

    /// Signs out (R8).
    struct CloseSession: SessionCommand {
        static let type = "tafawoq.session.close"
        var session = SessionID.none

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOpen(session)
            context.end(session, of: row.student, .signedOut)
        }
    }
}

extension Tafawoq.SessionCommand {
    static var needsSession: Bool { false }

    func senders(in state: Tafawoq.State) -> Senders { .any(.student, .service) }

    mutating func fields<C: Coder>(_ coder: inout C) { coder.field("session", &session) }

    func concerned(in state: Tafawoq.State) -> Tafawoq.StudentID? {
        state.sessions[session]?.student
    }
}

extension DecisionContext<Tafawoq> {
    /// A session that has not ended and is not at its end (R8).
    fileprivate func findOpen(
        _ session: Tafawoq.SessionID
    ) throws(Tafawoq.Rejection) -> Tafawoq.SessionRow {
        let row = try findOwn(session)
        if row.isEnded || at >= row.expiresAt { throw .sessionEnded }
        return row
    }

    /// Ends a session that is open.
    func end(
        _ session: Tafawoq.SessionID, of student: Tafawoq.StudentID,
        _ reason: Tafawoq.Session.EndReason
    ) {
        record(
            Tafawoq.Session.Ended(
                session: session,
                student: student,
                reason: reason), on: session)
    }
}
