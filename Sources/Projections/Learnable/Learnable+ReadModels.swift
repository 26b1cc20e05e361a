import Core
import Folding
package import LearnableEvents
package import LearnableFacts
package import Projections

extension Learnable {
    /// Every read model, in the order of the page.
    package static let readModels: [ReadModel<State>] = [
        homeView, libraryView, draftView, generationView, contentsView, lectureView, chatView,
        dailyQuizView, quizView, poolView, questionView, scheduleView, achievementsView,
        calendarView, masteryView, evaluationView, settingsView, accountView, accessView, shopView,
        offerView, earningsView, notificationsView, exportView, policyView,
    ]

    /// Which numbers and switches are in force, and since when? (shared page, Policies)
    static let policyView = ReadModel<State>.policy(
        "Which numbers and switches are in force?", basis: .on(Grounds.policy))
}
