import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Changes what is known of a person; only what differs is recorded.
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
            guard let row = context.state.accounts[account], row.isActive else { throw .notFound }
            try check()
            var changes = given
            if changes.name == row.name { changes.name = nil }
            if let email = changes.email, email == row.email { changes.email = .none }
            if changes.timeZone == row.timeZone { changes.timeZone = nil }
            if changes.names.isEmpty { throw .nothingToChange }
            context.record(
                Account.Revised(account: account, changes: changes),
                on: context.accountStream(account))
        }

        func check() throws(Rejection) {
            if given.name?.isBlank == true { throw .nameMissing }
            if let zone = given.timeZone, TimeZones.zone(named: zone) == nil {
                throw .timeZoneUnknown
            }
        }
    }

    /// Chooses how the app looks and what it tells; only what differs from what is in effect is recorded.
    struct ChoosePreference: Command {
        static let type = "examroom.preference.choose"
        var account = AccountID.none
        var changes = Account.Preferences()

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("account", &account)
            coder.field("changes", &changes)
        }

        func problem(_ names: Names) -> String? {
            changes.isEmpty ? "expected \"changes\" with at least one preference" : nil
        }

        func senders(in state: State) -> Senders { .owner(account) }

        func decide(in context: Context) throws(Rejection) {
            let inEffect = context.state.preferences(of: account)
            var different = changes
            if changes.theme == inEffect.theme { different.theme = nil }
            if changes.sync == inEffect.sync { different.sync = nil }
            if changes.biometric == inEffect.biometric { different.biometric = nil }
            if changes.notifications == inEffect.notifications { different.notifications = nil }
            if changes.leaderboard == inEffect.leaderboard { different.leaderboard = nil }
            if different.isEmpty { throw .nothingToChange }
            context.record(
                Account.PreferenceChosen(account: account, changes: different),
                on: context.accountStream(account))
        }
    }
}
