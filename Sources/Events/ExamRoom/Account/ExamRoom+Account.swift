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
            package static let rules = [36]
            package static let significance = Significance.administrative
            package internal(set) var account = AccountID.none
            package internal(set) var role = Role.student
            package internal(set) var name: Personal<String> = nil
            package internal(set) var email: Personal<String> = nil
            /// Null if not given: the policy's zone then holds.
            package internal(set) var timeZone: String?
            package internal(set) var credential: Personal<Credential> = nil
            package internal(set) var temporary = false
            package internal(set) var source = Source.admin

            package init() {}
        }

        /// The account is inactive from here on; `account.erased` follows (R6).
        package struct Deleted: Payload {
            package static let type = "examroom.account.deleted"
            package static let streams = ["account"]
            package static let sentence = "An account was deleted."
            package static let rules = [6]
            package static let significance = Significance.administrative
            package internal(set) var account = AccountID.none
            package internal(set) var role = Role.student
            /// Counting ones at that moment, open or completed.
            package internal(set) var attempts = 0
            package internal(set) var reason: Personal<String> = nil

            package init() {}
        }
    }
}
