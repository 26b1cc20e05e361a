package import Commands
import Core
package import ExamRoomEvents
package import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Who may send a command (page, Who).
    package enum Who {
        /// An active admin, or `system`.
        case admin
        /// An admin as above, or a service: who moves things in from elsewhere.
        case adminOrService
        /// An active student whom the data names; nil while the thing they would own does not exist.
        case student(StudentID?)
        /// The active account that the data names.
        case owner(AccountID)
        case ownerOrAdmin(AccountID)
        /// An active account; the given one, if the thing it would own exists.
        case member(AccountID?)
        /// Whoever says to be the account that the data names: signing in.
        case claimant(AccountID)
        /// An active account, a service or `system`; a student only if whoever else acts in the data
        /// is themselves.
        case memberOrService(carrying: [String] = [])
    }

    /// A command of this product: who may send it, and the rule behind it.
    package protocol Command: Decision where Product == ExamRoom {
        func who(in room: Room) -> Who
        /// R4: needs an open session while the policy says so.
        static var needsSession: Bool { get }
        /// R3: may be used with a temporary credential.
        static var allowsTemporaryCredential: Bool { get }
        /// The codes of the row in their order, then the facts.
        func apply(in scene: Scene<Room>) throws(Rejection)
        /// The same for a command that another device accepted, with the rules for merging (R39);
        /// checks everything before it records anything.
        func merge(_ merge: Merge, in scene: Scene<Room>) throws(Rejection)
    }
}

extension ExamRoom.Command {
    package static var needsSession: Bool { true }
    package static var allowsTemporaryCredential: Bool { false }

    /// R39: commands without rules of their own for merging follow those of a live command.
    package func merge(
        _ merge: ExamRoom.Merge, in scene: Scene<ExamRoom.Room>
    ) throws(ExamRoom.Rejection) {
        try apply(in: scene)
    }

    /// `forbidden`, then R4, then R3, then the row (page, Order of checks).
    package func decide(in scene: Scene<ExamRoom.Room>) throws(ExamRoom.Rejection) {
        let room = scene.state
        guard scene.admits(who(in: room)) else { throw .forbidden }
        if let member = scene.member {
            if Self.needsSession, room.policy.requireSession, !scene.hasSession(of: member) {
                throw .sessionRequired
            }
            if !Self.allowsTemporaryCredential, room.mustChangeCredential(member) {
                throw .credentialChangeRequired
            }
        }
        try apply(in: scene)
    }
}

extension ExamRoom.Room {
    /// R3: the credential is temporary and the policy wants it changed.
    package func mustChangeCredential(_ account: ExamRoom.AccountID) -> Bool {
        policy.temporaryMustChange && (accounts[account]?.isTemporary ?? false)
    }
}

extension Scene<ExamRoom.Room> {
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

    func admits(_ who: ExamRoom.Who) -> Bool {
        switch who {
        case .admin: isAdmin
        case .adminOrService: isAdmin || actor.kind == .service
        case .student(let owner):
            actor.kind == .student && member != nil && (owner.map(actor.isAccount) ?? true)
        case .owner(let account): member == account
        case .ownerOrAdmin(let account): isAdmin || member == account
        case .member(let account): member != nil && (account.map { $0 == member } ?? true)
        case .memberOrService(let actors):
            isSystem || actor.kind == .service
                || member != nil
                    && (actor.kind != .student
                        || actors.allSatisfy { $0.isExactly(names.text(actor.symbol)) })
        case .claimant(let account): actor.isAccount(account)
        }
    }

    /// R4: an open session of the account, started on this command's device (absent equals absent).
    func hasSession(of account: ExamRoom.AccountID) -> Bool {
        (state.accounts[account]?.openSessions ?? []).contains {
            state.sessions[$0]?.device.symbol == device
        }
    }
}
