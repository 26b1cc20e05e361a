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
        /// Whether it needs an open session while the policy asks for one (R4).
        static var needsSession: Bool { get }
        /// Whether it may be sent with a temporary credential (R3).
        static var allowsTemporaryCredential: Bool { get }
        /// Decides a command that another device accepted, by the rules for merging (R39). It checks
        /// everything before it records anything.
        func merge(_ merge: Merge, in context: Context) throws(Rejection)
    }
}

extension ExamRoom.Command {
    static var needsAccount: Bool { true }
    static var needsSession: Bool { true }
    static var allowsTemporaryCredential: Bool { false }

    /// Commands without merging rules of their own follow those of a live command (R39).
    func merge(_ merge: ExamRoom.Merge, in context: ExamRoom.Context) throws(ExamRoom.Rejection) {
        try decide(in: context)
    }

    /// `forbidden`, then `session-required` (R4), then `credential-change-required` (R3).
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
        let senders = senders(in: context.state)
        guard context.admits(senders),
            context.actorRole == nil || context.member != nil || !Self.needsAccount
        else { throw context.forbidden(Self.type, for: senders) }
    }
}

extension ExamRoom {
    /// A command whose data names an exam and nothing else; admins send it.
    protocol ExamCommand: Command {
        var exam: ExamID { get set }
    }

    /// A command whose data names a question of an exam and nothing else; admins send it.
    protocol QuestionCommand: Command {
        var exam: ExamID { get set }
        var question: QuestionID { get set }
    }

    /// A command whose data names a student's seat at an exam and nothing else; admins send it.
    protocol SeatCommand: Command {
        var exam: ExamID { get set }
        var student: StudentID { get set }
    }

    /// A command whose data names an attempt and nothing else; its student sends it.
    protocol AttemptCommand: Command {
        var attempt: AttemptID { get set }
    }
}

extension ExamRoom.ExamCommand {
    mutating func fields<C: Coder>(_ coder: inout C) {
        coder.field("exam", &exam)
    }

    func senders(in state: ExamRoom.State) -> Senders { .admin }
}

extension ExamRoom.QuestionCommand {
    mutating func fields<C: Coder>(_ coder: inout C) {
        coder.field("exam", &exam)
        coder.field("question", &question)
    }

    func senders(in state: ExamRoom.State) -> Senders { .admin }
}

extension ExamRoom.SeatCommand {
    mutating func fields<C: Coder>(_ coder: inout C) {
        coder.field("exam", &exam)
        coder.field("student", &student)
    }

    func senders(in state: ExamRoom.State) -> Senders { .admin }
}

extension ExamRoom.AttemptCommand {
    mutating func fields<C: Coder>(_ coder: inout C) {
        coder.field("attempt", &attempt)
    }

    func senders(in state: ExamRoom.State) -> Senders { .student(state.owner(of: attempt)) }
}

extension Senders {
    /// The owner of an account; anybody with an account while there is none to name.
    static func owner(_ account: ExamRoom.AccountID?) -> Senders {
        .one(.student, account).or(.one(.admin, account))
    }

    /// An account, a service or `system`; a student only if every actor in the data is that student.
    static func accountOrService(carrying actors: [Actor] = []) -> Senders {
        let others = Set(actors)
        let staff = Senders.admin.or(.service)
        guard let other = others.first else { return staff.or(.student) }
        guard others.count == 1, other.kind == .student else { return staff }
        return staff.or(.student(ExamRoom.StudentID(other.id)))
    }
}

extension ExamRoom.State {
    /// The credential is temporary and the policy wants it changed (R3).
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

    /// The account has an open session that was started on this command's device; absent equals absent (R4).
    func hasSession(of account: ExamRoom.AccountID) -> Bool {
        (state.accounts[account]?.openSessions ?? []).contains {
            state.sessions[$0]?.device.symbol == device
        }
    }
}
