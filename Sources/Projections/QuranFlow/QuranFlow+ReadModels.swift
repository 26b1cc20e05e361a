import Core
import Folding
package import Projections
package import QuranFlowEvents
package import QuranFlowFacts

extension QuranFlow {
    /// What can be asked about QuranFlow, in the order of the page.
    package static let readModels: [ReadModel<State>] = [
        todayView, learnView, weekView, submissionCheckView, eocView, scheduleView, sessionView,
        sessionRecordingsView, submissionsView, notificationsView, onboardingView, profileView,
        settingsView, learningHistoryView, paymentsView, helpView, appointmentsView,
        appointmentSlotsView, workQueueView, unassignedView, placementQueueView, cohortView,
        curriculumView, resourcesView, helpRequestsView, policyView,
    ]

    /// Which numbers and switches are in force?
    static let policyView = ReadModel<State>.policy(
        "Which numbers and switches are in force?", basis: .on(Grounds.policy))
}
