import Commands
import Core
import Folding
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// Signs in on a device.
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

        /// R3: the owner of the e-mail address.
        func concerned(in state: State) -> StudentID? {
            Tafawoq.email(email).flatMap { state.owner(ofEmail: $0) }
        }

        func decide(in context: Context) throws(Rejection) {
            if context.state.sessions.contains(session) { throw .alreadyExists }
            guard let device = context.givenDevice else { throw .deviceRequired }
            guard let student = concerned(in: context.state),
                let row = context.state.students[student]
            else { throw .wrongCredentials }
            // R7: whatever the digest.
            if row.wrongCredentials >= context.policy.signInLockAfter, let last = row.lastWrongAt,
                context.at < last + Int64(context.policy.signInLockSeconds)
            {
                throw .accountLocked
            }
            guard let digest = row.passwordDigest, digest.isExactly(passwordDigest) else {
                throw .wrongCredentials
            }
            guard row.isVerified else { throw .emailUnverified }
            // R8: a device has at most one open session, whoever owns it.
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
                Session.Opened.with {
                    $0.session = session
                    $0.student = student
                    $0.device = device
                    $0.expiresAt = context.at + Int64(context.policy.sessionSeconds)
                    $0.appVersion = appVersion
                    $0.deviceType = deviceType
                }, session: session)
        }
    }

    /// A command about a session that is open.
    protocol SessionCommand: Command {
        var session: SessionID { get set }
    }

    struct RefreshSession: SessionCommand {
        static let type = "tafawoq.session.refresh"
        var session = SessionID.none

        func decide(in context: Context) throws(Rejection) {
            let row = try context.openSession(session)
            context.record(
                Session.Refreshed.with {
                    $0.session = session
                    $0.student = row.student
                    $0.expiresAt = context.at + Int64(context.policy.sessionSeconds)
                }, session: session)
        }
    }

    /// Signs out.
    struct CloseSession: SessionCommand {
        static let type = "tafawoq.session.close"
        var session = SessionID.none

        func decide(in context: Context) throws(Rejection) {
            let row = try context.openSession(session)
            context.end(session, of: row.student, .signedOut)
        }
    }
}

extension Tafawoq.SessionCommand {
    func senders(in state: Tafawoq.State) -> Senders { .any(.student, .service) }

    mutating func fields<C: Coder>(_ coder: inout C) { coder.field("session", &session) }

    func concerned(in state: Tafawoq.State) -> Tafawoq.StudentID? {
        state.sessions[session]?.student
    }
}

extension DecisionContext<Tafawoq> {
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
