package import Commands
package import Core
package import ExamRoomEvents
package import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Makes an account for a student or an admin (13.1).
    package struct RegisterAccount: Command {
        package static let type = "examroom.account.register"
        var account = AccountID.none
        var role = Account.Role.student
        var name = ""
        var email: String?
        var timeZone: String?
        var credential = Account.Credential()
        var temporary: Bool?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("account", &account)
            coder.field("role", &role)
            coder.field("name", &name)
            coder.optional("email", &email)
            coder.optional("timeZone", &timeZone)
            coder.field("credential", &credential)
            coder.optional("temporary", &temporary)
        }

        package func who(in room: Room) -> Who { .admin }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            try checkContent(in: scene.state)
            if scene.state.accounts.contains(account) { throw .alreadyExists }  // R1
            record(.admin, in: scene)
        }

        func checkContent(in room: Room) throws(Rejection) {
            if name.isBlank { throw .nameMissing }
            if let timeZone, TimeZones.zone(named: timeZone) == nil { throw .timeZoneUnknown }
            if !room.accepts(credential) { throw .schemeUnsupported }
        }

        func record(_ source: Account.Source, in scene: Scene<Room>) {
            scene.record(
                Account.Registered(
                    account: account, role: role, name: name, email: email, timeZone: timeZone,
                    credential: credential, temporary: temporary ?? false, source: source),
                on: scene.accountStream(account))
        }
    }
}

extension ExamRoom.Room {
    func accepts(_ credential: ExamRoom.Account.Credential) -> Bool {
        policy.credentialSchemes.contains { $0.isExactly(credential.scheme) }
    }
}
