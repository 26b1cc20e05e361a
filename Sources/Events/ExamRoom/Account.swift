package import Core

extension ExamRoom {
    /// Somebody who can act: a student or an admin. Stream `examroom/account/ACCOUNT`.
    package enum Account: Thing {
        package static let noun = "account"

        package enum Role: String, Choice {
            case admin, student
        }

        package enum Source: String, Choice {
            case admin, migration
        }

        /// What the caller made of a password; the engine compares digests and never sees more (R5).
        package struct Credential: Record {
            package private(set) var scheme = ""
            package private(set) var salt = ""
            package private(set) var digest = ""

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("scheme", &scheme)
                coder.field("salt", &salt)
                coder.field("digest", &digest)
            }
        }

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

        /// The fields of a profile that changed; those left out did not.
        package struct ProfileChanges: Record {
            package var name: String?
            package var email: String??
            package var timeZone: String?

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.optional("name", &name)
                coder.optional("email", &email)
                coder.optional("timeZone", &timeZone)
            }

            /// The names of the given fields, sorted.
            package var names: [String] { givenNames }
        }

        package struct Revised: Payload {
            package static let type = "examroom.profile.revised"
            package static let streams = ["account"]
            package static let sentence = "A profile was revised."
            package private(set) var account = AccountID.none
            package private(set) var changes: ProfileChanges?
            package private(set) var names: [String] = []

            package init() {}

            package init(account: AccountID, changes: ProfileChanges) {
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

        package struct CredentialReplaced: Payload {
            package static let type = "examroom.credential.replaced"
            package static let streams = ["account"]
            package static let sentence = "An admin replaced a credential."
            package static let significance = Significance.administrative
            package private(set) var account = AccountID.none
            package private(set) var credential: Credential?
            package private(set) var temporary = true

            package init() {}

            package init(account: AccountID, credential: Credential) {
                self.account = account
                self.credential = credential
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("account", &account)
                coder.personal("credential", &credential)
                coder.field("temporary", &temporary)
            }
        }

        package struct CredentialChanged: Payload {
            package static let type = "examroom.credential.changed"
            package static let streams = ["account"]
            package static let sentence = "The owner changed a credential."
            package private(set) var account = AccountID.none
            package private(set) var credential: Credential?

            package init() {}

            package init(account: AccountID, credential: Credential) {
                self.account = account
                self.credential = credential
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("account", &account)
                coder.personal("credential", &credential)
            }
        }

        package enum Theme: String, Choice {
            case light, dark
        }

        package enum SyncPreference: String, Choice {
            case wifi
            case wifiOrCellular = "wifi-cellular"
            case manual
        }

        package enum Visibility: String, Choice {
            case shown, hidden
        }

        /// What a person chose; nil is "not chosen".
        package struct Preferences: Record {
            package var theme: Theme?
            package var sync: SyncPreference?
            package var biometric: Bool?
            package var notifications: Bool?
            package var leaderboard: Visibility?

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.optional("theme", &theme)
                coder.optional("sync", &sync)
                coder.optional("biometric", &biometric)
                coder.optional("notifications", &notifications)
                coder.optional("leaderboard", &leaderboard)
            }

            package var isEmpty: Bool { self == Self() }
        }

        package struct PreferenceChosen: Payload {
            package static let type = "examroom.preference.chosen"
            package static let streams = ["account"]
            package static let sentence = "Preferences were chosen."
            package private(set) var account = AccountID.none
            package private(set) var changes = Preferences()

            package init() {}

            package init(account: AccountID, changes: Preferences) {
                self.account = account
                self.changes = changes
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("account", &account)
                coder.field("changes", &changes)
            }
        }

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
