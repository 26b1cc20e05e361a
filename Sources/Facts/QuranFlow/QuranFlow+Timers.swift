import Core
import Folding
package import QuranFlowEvents

extension QuranFlow {
    /// The names of the timers (page, Timers), written and read in one place.
    package enum TimerName: Hashable {
        case placementDue
        case weekUnlock(week: Int)
        case deadline(week: Int, hours: Int)
        case eocOpen
        case eocDeadline(hours: Int)
        case enrollmentClose
        case feedbackDue
        case resultsDue
        case sessionReminder
        case enrollmentOpen
        case advancedOpen
        case appointmentReminder

        package var text: String {
            switch self {
            case .placementDue: "placement-due"
            case .weekUnlock(let week): "week-unlock:\(Self.padded(week, 2))"
            case .deadline(let week, let hours):
                "deadline:\(Self.padded(week, 2)):\(Self.padded(hours, 3))"
            case .eocOpen: "eoc-open"
            case .eocDeadline(let hours): "eoc-deadline:\(Self.padded(hours, 3))"
            case .enrollmentClose: "enrollment-close"
            case .feedbackDue: "feedback-due"
            case .resultsDue: "results-due"
            case .sessionReminder: "session-reminder"
            case .enrollmentOpen: "enrollment-open"
            case .advancedOpen: "advanced-open"
            case .appointmentReminder: "appointment-reminder"
            }
        }

        package init?(_ text: String) {
            let parts = text.split(separator: ":")
            switch parts.first {
            case "week-unlock":
                guard parts.count == 2, let week = Int(parts[1]) else { return nil }
                self = .weekUnlock(week: week)
            case "deadline":
                guard parts.count == 3, let week = Int(parts[1]), let hours = Int(parts[2]) else {
                    return nil
                }
                self = .deadline(week: week, hours: hours)
            case "eoc-deadline":
                guard parts.count == 2, let hours = Int(parts[1]) else { return nil }
                self = .eocDeadline(hours: hours)
            default:
                guard let name = Self.plain.first(where: { $0.text == text }) else { return nil }
                self = name
            }
        }

        private static let plain: [Self] = [
            .placementDue, .eocOpen, .enrollmentClose, .feedbackDue, .resultsDue, .sessionReminder,
            .enrollmentOpen, .advancedOpen, .appointmentReminder,
        ]

        private static func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
    }
}

extension Timers {
    func set(_ name: QuranFlow.TimerName, on stream: Symbol, due: Instant, cause: Position) {
        set([Entry(name.text, due: due, cause: cause)], on: stream)
    }

    func cancel(_ name: QuranFlow.TimerName, on stream: Symbol) {
        cancel(name.text, on: stream)
    }
}
