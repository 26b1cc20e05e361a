import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Chooses preferences; only what differs from what is in effect is recorded.
    struct ChoosePreference: Command {
        static let type = "examroom.preference.choose"
        var account = AccountID.none
        var changes = Account.Preferences()

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
                on: account)
        }
    }
}
