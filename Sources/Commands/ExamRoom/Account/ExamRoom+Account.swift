import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Registers a student or an admin (13.1).
    struct RegisterAccount: Command {
        static let type = "examroom.account.register"
        var account = AccountID.none
        var role = Account.Role.student
        var name = ""
        var email: String?
        var timeZone: String?
        var credential = Account.Credential()
        var temporary: Bool?

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("account", &account)
            coder.field("role", &role)
            coder.text("name", &name)
            coder.optionalEmail("email", &email)
            coder.optionalText("timeZone", &timeZone)
            coder.field("credential", &credential)
            coder.optional("temporary", &temporary)
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            try checkContent(in: context.state)
            // An id is never used twice (R1).
            try context.checkIsFree(account, unless: context.state.accounts.contains(account))
            record(.admin, in: context)
        }

        func checkContent(in state: State) throws(Rejection) {
            if name.isBlank { throw .nameMissing }
            if let timeZone, TimeZones.zone(named: timeZone) == nil { throw .timeZoneUnknown }
            try credential.check(against: state.policy)
        }

        func record(_ source: Account.Source, in context: Context) {
            context.record(
                Account.Registered(
                    account: account, role: role, name: name, email: email, timeZone: timeZone,
                    credential: credential, temporary: temporary ?? false, source: source),
                on: account)
        }
    }

    /// Deletes an account and destroys the person's key (R6, 13.5).
    struct DeleteAccount: Command {
        static let type = "examroom.account.delete"
        var account = AccountID.none
        var reason: String?

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            let state = context.state
            let row = try context.find(account)
            let admins = state.roster[.only]?.admins ?? []
            if row.role == .admin, admins.count == 1 { throw .lastAdmin }
            context.record(
                Account.Deleted(
                    account: account, role: row.role,
                    attempts: state.students[StudentID(account)]?.counting ?? 0, reason: reason),
                on: account)
            if !row.isErased { context.erase(account) }
        }
    }
}

extension DecisionContext<ExamRoom> {
    /// Records that the person's key is destroyed, at most once a person (R6).
    func erase(_ account: ExamRoom.AccountID) {
        record(
            AccountErased(product: ExamRoom.product, id: account.symbol, names: names),
            on: AccountErased.stream(product: ExamRoom.product, id: names.text(account)),
            about: ("account", account.symbol))
    }
}
