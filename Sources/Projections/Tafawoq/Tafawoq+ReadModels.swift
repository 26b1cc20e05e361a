import Core
import Folding
package import Projections
package import TafawoqEvents
package import TafawoqFacts

extension Tafawoq {
    /// What can be asked about Tafawoq, in the order of the page.
    package static let readModels: [ReadModel<State>] = [
        profileView, sessionsView, accessView, subscriptionView,
        examSheetView, examResultView, examReviewView, practiceReviewView, examHistoryView,
        practiceOptionsView, practiceSheetView, practiceResultView, practiceHistoryView,
        dashboardView, trendsView, practiceHoursView, reportView, milestonesView,
        notificationsView, settingsView, policyView,
        generationQueueView, generationHealthView, paymentHealthView, paymentCasesView,
        flagsView, alertsView, logView, journeyView, satisfactionView, feedbackView,
        performanceView, legalView,
    ]
}
