import Core
package import ExamRoomEvents
package import ExamRoomFacts
import Folding
package import Projections

extension ExamRoom {
    /// What can be asked about an ExamRoom, in the order of the page.
    package static let readModels: [ReadModel<State>] = [
        accountView, studentsView, signInView, sessionView, settingsView, inboxView, policyView,
        examsView, imagesView, examView, previewView, availableView, attemptView,
        resultView, resultsView, historyView, overviewView, examAnalyticsView, studentAnalyticsView,
        achievementsView, leaderboardView, gamificationView, extensionsView, accommodationsView,
        auditView, auditArchivesView, exportView, migrationView, conflictsView, syncView,
        changesView, storageView,
    ]

    /// Which numbers and switches are in force, and since when? (shared page, Policies)
    static let policyView = ReadModel<State>.policy(
        "Which numbers and switches are in force?", basis: .on(Grounds.policy))
}
