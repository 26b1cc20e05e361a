import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Changes a profile; only what differs is recorded.
    struct ReviseProfile: Command {
        static let type = "examroom.profile.revise"
        var account = AccountID.none
        var given = Account.ProfileChanges()

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("account", &account)
            given.fields(&coder)
        }

        func senders(in state: State) -> Senders { .owner(account).or(.admin) }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(account)
            try check()
            var changes = given
            if changes.name.isExactly(row.name) { changes.name = nil }
            if let email = changes.email, email.isExactly(row.email) { changes.email = .none }
            if changes.timeZone.isExactly(row.timeZone) { changes.timeZone = nil }
            if changes.names.isEmpty { throw .nothingToChange }
            context.record(Account.Revised(account: account, changes: changes), on: account)
        }

        func check() throws(Rejection) {
            if given.name?.isBlank == true { throw .nameMissing }
            if let zone = given.timeZone, TimeZones.zone(named: zone) == nil {
                throw .timeZoneUnknown
            }
        }
    }
}
