import Core
import Folding
package import TafawoqEvents

extension Tafawoq {
    /// The names of the timers (page, Timers).
    package enum TimerName {
        package static let generationOverdue = "generation-overdue"
        package static let examTimeUp = "exam-time-up"
        package static let resumeWindow = "resume-window"
        package static let sessionExpiry = "session-expiry"
        package static let periodEnd = "period-end"
        package static let renewalRetry = "renewal-retry"
        package static let accessEnd = "access-end"
        package static let examReminder = "exam-reminder"
        package static let studyReminder = "study-reminder"
        package static let inactivity = "inactivity"
    }
}
