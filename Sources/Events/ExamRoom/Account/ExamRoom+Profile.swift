package import Core

extension ExamRoom.Account {
    /// The fields of a profile that changed; those left out did not.
    package struct ProfileChanges: Record {
        package var name: String?
        package var email: String??
        package var timeZone: String?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.optionalText("name", &name)
            coder.optional("email", &email)
            coder.expect(
                "email", EmailForm.expectation, (email ?? nil).map { EmailForm.accepts($0) } ?? true
            )
            coder.optionalText("timeZone", &timeZone)
        }

        /// The names of the given fields, sorted.
        package var names: [String] { givenNames }
    }

    /// Name, address or time zone changed; each is a register (R40).
    package struct Revised: Payload {
        package static let type = "examroom.profile.revised"
        package static let streams = ["account"]
        package static let sentence = "A profile was revised."
        package static let rules = [40]
        package internal(set) var account = ExamRoom.AccountID.none
        package internal(set) var changes: ProfileChanges?
        package internal(set) var names: [String] = []

        package init() {}

        package init(account: ExamRoom.AccountID, changes: ProfileChanges) {
            self.account = account
            self.changes = changes
            names = changes.names
        }

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("account", &account)
            coder.personal("changes", &changes)
            coder.field("fields", &names)
        }
    }
}
