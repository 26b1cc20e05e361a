import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Takes an account out of the room and destroys the person's key (R6, 13.5).
    struct DeleteAccount: Command {
        static let type = "examroom.account.delete"
        var account = AccountID.none
        var reason: String?

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("account", &account)
            coder.optional("reason", &reason)
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            let state = context.state
            guard let row = state.accounts[account], row.isActive else { throw .notFound }
            let admins = state.roster[.only]?.admins ?? []
            if row.role == .admin, admins.count == 1 { throw .lastAdmin }
            context.record(
                Account.Deleted(
                    account: account, role: row.role,
                    attempts: state.students[StudentID(account)]?.counting ?? 0, reason: reason),
                on: context.accountStream(account))
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
