package import Commands
import Core
package import Folding
package import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// What a timer does is in its noun's file; an erased person's timers are gone (R2).
    package static func fire(_ timer: DueTimer, in context: QuranFlow.Context) {
        guard let name = TimerName(timer.name) else { return }
        if name == .advancedOpen { return context.announceAdvanced() }
        let stream = timer.stream.text(in: context.names)
        guard let slash = stream.lastIndex(of: "/"),
            let id = context.names.known(String(stream[stream.index(after: slash)...]))
        else { return }
        switch name {
        case .placementDue: context.placementFellDue(.init(id))
        case .weekUnlock(let week): context.unlock(week, of: .init(id))
        case .deadline(let week, let hours): context.remindOfDeadline(.init(id), week, hours)
        case .eocOpen: context.unlockEOC(.init(id))
        case .eocDeadline(let hours): context.remindOfEOC(.init(id), hours)
        case .enrollmentClose: context.closeEnrollment(.init(id))
        case .feedbackDue: context.feedbackFellDue(.init(id))
        case .resultsDue: context.resultsFellDue(.init(id))
        case .sessionReminder: context.remindOfSession(.init(id))
        case .enrollmentOpen: context.announceEnrollment(.init(id))
        case .appointmentReminder: context.remindOfAppointment(.init(id))
        case .advancedOpen: break
        }
    }
}
