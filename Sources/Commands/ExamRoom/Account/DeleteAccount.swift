package import Commands
package import Core
package import ExamRoomEvents
package import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Takes an account out of the room and destroys the person's key (R6, 13.5).
    package struct DeleteAccount: Command {
        package static let type = "examroom.account.delete"
        var account = AccountID.none
        var reason: String?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("account", &account)
            coder.optional("reason", &reason)
        }

        package func who(in room: Room) -> Who { .admin }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            let room = scene.state
            guard let row = room.accounts[account], row.isActive else { throw .notFound }
            let admins = room.roster[.only]?.admins ?? []
            if row.role == .admin, admins.count == 1 { throw .lastAdmin }
            scene.record(
                Account.Deleted(
                    account: account, role: row.role,
                    attempts: room.students[StudentID(account)]?.counting ?? 0, reason: reason),
                on: scene.accountStream(account))
            if !row.isErased { scene.erase(account) }
        }
    }
}

extension Scene<ExamRoom.Room> {
    /// Records that the person's key is destroyed, at most once a person (R6).
    func erase(_ account: ExamRoom.AccountID) {
        record(
            AccountErased(product: ExamRoom.product, id: account.symbol, names: names),
            on: AccountErased.stream(product: ExamRoom.product, id: names.text(account)),
            about: ("account", account.symbol))
    }
}
