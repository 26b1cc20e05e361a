import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

extension ExamRoom {
    /// What has this person chosen? What was not chosen follows from the policy.
    static let settingsView = ReadModel<State>(
        "examroom.settings", "What has this person chosen?", key: "account",
        keys: { $0.names.texts($0.activeAccounts) }, basis: .on(Grounds.account, Grounds.policy)
    ) { state, request, output in
        guard let (account, row) = state.activeAccount(request.key) else { return false }
        let chosen = row.preferences
        let policy = state.policy
        output.object { output in
            output.member("account", account)
            output.member("biometric", chosen.biometric ?? false)
            output.member("coldDataDays", policy.coldDataDays)
            switch row.role {
            case .admin: output.object("examDefaults") { writeExamDefaults(policy, to: &$0) }
            case .student: output.member("examDefaults", String?.none)
            }
            output.member("leaderboard", chosen.leaderboard ?? .shown)
            output.member("notifications", chosen.notifications ?? true)
            output.member("sync", chosen.sync ?? policy.defaultSync)
            output.member("theme", chosen.theme ?? policy.defaultTheme)
        }
        return true
    }

    private static func writeExamDefaults(_ policy: Policy, to output: inout JSONOutput) {
        output.member("durationMinutes", policy.defaultDurationMinutes)
        output.member("feedback", policy.defaultFeedback)
        output.member("maxAttempts", policy.defaultMaxAttempts)
        output.member("passPercent", policy.defaultPassPercent)
        output.member("shuffleOptions", policy.defaultShuffleOptions)
        output.member("shuffleQuestions", policy.defaultShuffleQuestions)
    }
}
