import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow.Learner {
    /// Which sessions are shown (R33).
    enum SessionSection: String, Choice {
        case today, tomorrow, week
        case preSemester = "pre-semester"
        case none

        var title: String {
            switch self {
            case .today: "Today's Sessions"
            case .tomorrow: "Tomorrow's Sessions"
            case .week: "This Week's Sessions"
            case .preSemester: "Pre-Semester Sessions"
            case .none: "No more sessions this week. See next week's schedule."
            }
        }
    }

    /// The next sessions for the student: today's, else tomorrow's, else this week's (R33).
    func writeTodaysSessions(to output: inout JSONOutput) {
        let (section, sessions) = todaysSessions
        output.object("sessions") { output in
            output.array("items", sessions.prefix(policy.todaySessionsShown)) { write($1, to: &$0) }
            output.member("section", section)
            output.member("title", section.title)
            output.member("total", sessions.count)
        }
    }

    /// The section with its sessions; before the first week housewarmings only (R33).
    private var todaysSessions: (SessionSection, [FoundSession]) {
        if phase.isBeforePlacement || phase == .preSemester {
            let eligibility = state.eligibility(of: id)
            let housewarmings = state.catalogue.housewarmings.compactMap { id in
                state.sessions[id].flatMap { row -> FoundSession? in
                    !row.isCancelled && row.endsAt > now && eligibility.covers(row)
                        ? (id, row) : nil
                }
            }
            return housewarmings.isEmpty
                ? (.none, []) : (.preSemester, inOrder(housewarmings))
        }
        var end = now + Days(7)
        if let running, !running.isOver(running.weeks, at: now) {
            end = running.weekStarts[running.currentWeek(at: now)]
        }
        let tomorrow = formatter.today.adding(days: 1)
        let horizon = max(end, formatter.start(of: tomorrow.adding(days: 1)))
        let open = openSessions(before: horizon)
        let today = open.filter {
            formatter.date(of: $0.row.startsAt) == formatter.today || $0.row.startsAt <= now
        }
        if !today.isEmpty { return (.today, today) }
        let next = open.filter { formatter.date(of: $0.row.startsAt) == tomorrow }
        if !next.isEmpty { return (.tomorrow, next) }
        let week = open.filter { $0.row.startsAt < end }
        return week.isEmpty ? (.none, []) : (.week, week)
    }

    /// Sessions for the student that are neither cancelled nor ended, in order. No session is longer than
    /// eight hours, so none that began before can still run.
    func openSessions(before end: Instant? = nil) -> [FoundSession] {
        let eligibility = state.eligibility(of: id)
        return inOrder(
            state.sessions(from: now - Hours(8), before: end).filter {
                !$0.row.isCancelled && $0.row.endsAt > now && eligibility.covers($0.row)
            })
    }
}
