package import Commands
package import Core
package import ExamRoomEvents
package import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Changes what is known of a person; only what differs is recorded.
    package struct ReviseProfile: Command {
        package static let type = "examroom.profile.revise"
        var account = AccountID.none
        var given = Account.ProfileChanges()

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("account", &account)
            given.fields(&coder)
        }

        package func who(in room: Room) -> Who { .ownerOrAdmin(account) }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            guard let row = scene.state.accounts[account], row.isActive else { throw .notFound }
            try check()
            var changes = given
            if changes.name == row.name { changes.name = nil }
            if let email = changes.email, email == row.email { changes.email = .none }
            if changes.timeZone == row.timeZone { changes.timeZone = nil }
            if changes.names.isEmpty { throw .nothingToChange }
            scene.record(
                Account.Revised(account: account, changes: changes),
                on: scene.accountStream(account))
        }

        func check() throws(Rejection) {
            if given.name?.isBlank == true { throw .nameMissing }
            if let zone = given.timeZone, TimeZones.zone(named: zone) == nil {
                throw .timeZoneUnknown
            }
        }
    }

    /// Chooses how the app looks and what it tells; only what differs from what is in effect is recorded.
    package struct ChoosePreference: Command {
        package static let type = "examroom.preference.choose"
        var account = AccountID.none
        var changes = Account.Preferences()

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("account", &account)
            coder.field("changes", &changes)
        }

        package func problem(_ names: Names) -> String? {
            changes.isEmpty ? "expected \"changes\" with at least one preference" : nil
        }

        package func who(in room: Room) -> Who { .owner(account) }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            let inEffect = scene.state.preferences(of: account)
            var different = changes
            if changes.theme == inEffect.theme { different.theme = nil }
            if changes.sync == inEffect.sync { different.sync = nil }
            if changes.biometric == inEffect.biometric { different.biometric = nil }
            if changes.notifications == inEffect.notifications { different.notifications = nil }
            if changes.leaderboard == inEffect.leaderboard { different.leaderboard = nil }
            if different.isEmpty { throw .nothingToChange }
            scene.record(
                Account.PreferenceChosen(account: account, changes: different),
                on: scene.accountStream(account))
        }
    }
}
