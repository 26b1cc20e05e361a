package import Core

extension ExamRoom {
    /// A person who can act: a student or an admin. Stream `examroom/account/ACCOUNT`.
    package enum Account: Thing {
        package static let noun = "account"

        package enum Role: String, Choice {
            case admin, student
        }

        /// Where an account came from.
        package enum Source: String, Choice {
            case admin, migration
        }

        /// An account was made, by an admin or by a migration (13.1, R36).
        package struct Registered: Payload {
            package static let type = "examroom.account.registered"
            package static let streams = ["account"]
            package static let sentence = "An account was registered."
            package static let significance = Significance.administrative
            package private(set) var account = AccountID.none
            package private(set) var role = Role.student
            package private(set) var name: String?
            package private(set) var email: String?
            /// Null if not given: the policy's zone then holds.
            package private(set) var timeZone: String?
            package private(set) var credential: Credential?
            package private(set) var temporary = false
            package private(set) var source = Source.admin

            package init() {}

            package init(
                account: AccountID, role: Role, name: String, email: String?, timeZone: String?,
                credential: Credential, temporary: Bool, source: Source
            ) {
                self.account = account
                self.role = role
                self.name = name
                self.email = email
                self.timeZone = timeZone
                self.credential = credential
                self.temporary = temporary
                self.source = source
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("account", &account)
                coder.field("role", &role)
                coder.personal("name", &name)
                coder.personal("email", &email)
                coder.field("timeZone", &timeZone)
                coder.personal("credential", &credential)
                coder.field("temporary", &temporary)
                coder.field("source", &source)
            }
        }

        /// The account is inactive from here on; `account.erased` follows (R6).
        package struct Deleted: Payload {
            package static let type = "examroom.account.deleted"
            package static let streams = ["account"]
            package static let sentence = "An account was deleted."
            package static let significance = Significance.administrative
            package private(set) var account = AccountID.none
            package private(set) var role = Role.student
            /// Counting ones at that moment, open or completed.
            package private(set) var attempts = 0
            package private(set) var reason: String?

            package init() {}

            package init(account: AccountID, role: Role, attempts: Int, reason: String?) {
                self.account = account
                self.role = role
                self.attempts = attempts
                self.reason = reason
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("account", &account)
                coder.field("role", &role)
                coder.field("attempts", &attempts)
                coder.personal("reason", &reason)
            }
        }
    }
}
