import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Makes an account for a student or an admin (13.1).
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
            coder.field("name", &name)
            coder.optional("email", &email)
            coder.optional("timeZone", &timeZone)
            coder.field("credential", &credential)
            coder.optional("temporary", &temporary)
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            try checkContent(in: context.state)
            if context.state.accounts.contains(account) { throw .alreadyExists }  // R1
            record(.admin, in: context)
        }

        func checkContent(in state: State) throws(Rejection) {
            if name.isBlank { throw .nameMissing }
            if let timeZone, TimeZones.zone(named: timeZone) == nil { throw .timeZoneUnknown }
            if !state.accepts(credential) { throw .schemeUnsupported }
        }

        func record(_ source: Account.Source, in context: ExamRoom.Context) {
            context.record(
                Account.Registered(
                    account: account, role: role, name: name, email: email, timeZone: timeZone,
                    credential: credential, temporary: temporary ?? false, source: source),
                on: context.accountStream(account))
        }
    }
}

extension ExamRoom.State {
    func accepts(_ credential: ExamRoom.Account.Credential) -> Bool {
        policy.credentialSchemes.contains { $0.isExactly(credential.scheme) }
    }
}
