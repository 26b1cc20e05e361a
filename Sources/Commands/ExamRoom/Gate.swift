import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// A command of this product: who may send it, and the rule behind it.
    protocol Command: ProductCommand where Product == ExamRoom {
        /// Whether the acting student or admin needs an active account; signing in asks that itself.
        static var needsAccount: Bool { get }
        /// R4: needs an open session while the policy says so.
        static var needsSession: Bool { get }
        /// R3: may be used with a temporary credential.
        static var allowsTemporaryCredential: Bool { get }
        /// The same for a command that another device accepted, with the rules for merging (R39);
        /// checks everything before it records anything.
        func merge(_ merge: Merge, in context: Context) throws(Rejection)
    }
}

extension ExamRoom.Command {
    static var needsAccount: Bool { true }
    static var needsSession: Bool { true }
    static var allowsTemporaryCredential: Bool { false }

    /// R39: commands without rules of their own for merging follow those of a live command.
    func merge(_ merge: ExamRoom.Merge, in context: ExamRoom.Context) throws(ExamRoom.Rejection) {
        try decide(in: context)
    }

    /// `forbidden`, then R4, then R3 (page, Order of checks).
    func authorize(in context: ExamRoom.Context) throws(ExamRoom.Rejection) {
        try checkSender(in: context)
        guard let member = context.member else { return }
        let state = context.state
        if Self.needsSession, state.policy.requireSession, !context.hasSession(of: member) {
            throw .sessionRequired
        }
        if !Self.allowsTemporaryCredential, state.mustChangeCredential(member) {
            throw .credentialChangeRequired
        }
    }

    /// One of the senders, with an active account if it is a student or an admin.
    func checkSender(in context: ExamRoom.Context) throws(ExamRoom.Rejection) {
        guard senders(in: context.state).admit(context.actor),
            context.actorRole == nil || context.member != nil || !Self.needsAccount
        else { throw .forbidden }
    }
}

extension Senders {
    /// Whose account it is; any account while there is none to name.
    static func owner(_ account: ExamRoom.AccountID?) -> Senders {
        .one(.student, account).or(.one(.admin, account))
    }

    /// An account, a service or `system`; a student only if whoever else acts in the data is themselves.
    static func accountOrService(carrying actors: [Actor] = []) -> Senders {
        let others = Set(actors)
        let staff = Senders.admin.or(.service)
        guard let other = others.first else { return staff.or(.student) }
        guard others.count == 1, other.kind == .student else { return staff }
        return staff.or(.student(ExamRoom.StudentID(other.id)))
    }
}

extension ExamRoom.State {
    /// R3: the credential is temporary and the policy wants it changed.
    func mustChangeCredential(_ account: ExamRoom.AccountID) -> Bool {
        policy.temporaryMustChange && (accounts[account]?.isTemporary ?? false)
    }
}

extension DecisionContext<ExamRoom> {
    var isSystem: Bool { actor.kind == .system }

    /// The active account of the acting student or admin; nil for all other actors.
    var member: ExamRoom.AccountID? {
        guard let role = actorRole, let account = state.accounts[actorAccount],
            account.isActive, account.role == role
        else { return nil }
        return actorAccount
    }

    var actorAccount: ExamRoom.AccountID { ExamRoom.AccountID(actor.id) }

    var actorRole: ExamRoom.Account.Role? {
        switch actor.kind {
        case .student: .student
        case .admin: .admin
        case .coach, .service, .system: nil
        }
    }

    var isAdmin: Bool { isSystem || actor.kind == .admin && member != nil }

    /// R4: an open session of the account, started on this command's device (absent equals absent).
    func hasSession(of account: ExamRoom.AccountID) -> Bool {
        (state.accounts[account]?.openSessions ?? []).contains {
            state.sessions[$0]?.device.symbol == device
        }
    }
}
