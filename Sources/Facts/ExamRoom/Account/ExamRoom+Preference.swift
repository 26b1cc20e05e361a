import Core
package import ExamRoomEvents
import Folding

extension ExamRoom.State {
    static func preferenceRoutes(_ routes: inout Routes<ExamRoom.State>) {
        routes.on(ExamRoom.Account.PreferenceChosen.self) { $0.chosen($1, $2) }
    }

    private func chosen(_ event: ExamRoom.Account.PreferenceChosen, _ metadata: EventMetadata) {
        accounts.updateExisting(event.account) { row in
            let first = row.first
            let taken = event.changes.givenNames.filter {
                row.holders.take($0, by: metadata, first: first, names)
            }
            row.preferences.choose(event.changes.keeping(taken.contains))
        }
        changeStudent(.init(event.account)) { _ in }
    }

    /// The student's notifications are wanted unless they chose otherwise.
    package func wantsNotifications(_ account: ExamRoom.AccountID) -> Bool {
        accounts[account]?.preferences.notifications ?? true
    }

    /// What is in effect for a person: what they chose, else what the policy and the page say.
    package func preferences(of account: ExamRoom.AccountID) -> ExamRoom.Account.Preferences {
        var preferences = ExamRoom.Account.Preferences()
        preferences.theme = policy.defaultTheme
        preferences.sync = policy.defaultSync
        preferences.biometric = false
        preferences.notifications = true
        preferences.leaderboard = .shown
        if let chosen = accounts[account]?.preferences { preferences.choose(chosen) }
        return preferences
    }
}

extension ExamRoom.Account.Preferences {
    /// Takes over what the changes give.
    package mutating func choose(_ changes: Self) {
        theme = changes.theme ?? theme
        sync = changes.sync ?? sync
        biometric = changes.biometric ?? biometric
        notifications = changes.notifications ?? notifications
        leaderboard = changes.leaderboard ?? leaderboard
    }
}
