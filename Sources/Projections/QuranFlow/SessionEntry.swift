import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow.Session.Kind {
    /// R35.
    var label: String {
        switch self {
        case .levelClass: "Level Class"
        case .readingCircle: "QRC"
        case .officeHours: "Office Hours"
        case .housewarming: "Housewarming"
        }
    }

    /// Of a group on a dense day (R28).
    var groupLabel: String {
        switch self {
        case .levelClass: "Level Classes"
        case .readingCircle: "QRCs"
        case .officeHours: "Office Hours"
        case .housewarming: "Housewarmings"
        }
    }

    var explanation: String {
        switch self {
        case .levelClass:
            "A one-hour weekly class on this week's topic, with questions and answers."
        case .readingCircle: "Drop-in live practice with a Quran Coach, open to all levels."
        case .officeHours: "Open time with a Quran Coach for your questions."
        case .housewarming: "A session before the semester to meet coaches and classmates."
        }
    }
}

extension QuranFlow.Session.Audience {
    var label: String? {
        switch self {
        case .female: "Sisters"
        case .male: "Brothers"
        case .all: nil
        }
    }
}

/// R25: what a session's, or an appointment's, button for joining says.
struct Joining {
    let state: QuranFlow.SessionState
    let opensAt: Instant
    private let startsAt: Instant
    private let now: Instant

    init(
        _ state: QuranFlow.SessionState, startsAt: Instant, _ policy: QuranFlow.Policy,
        at now: Instant
    ) {
        self.state = state
        self.startsAt = startsAt
        self.now = now
        opensAt = startsAt - Int64(policy.joinWindowMinutes) * 60
    }

    /// The wait in whole minutes, rounded up; nil unless the session is upcoming.
    var wait: (hours: Int, minutes: Int)? {
        guard state == .upcoming else { return nil }
        let minutes = Self.minutes(from: now, to: opensAt)
        return (minutes / 60, minutes % 60)
    }

    var text: String {
        switch state {
        case .upcoming:
            let wait = wait ?? (0, 0)
            return "Join available in \(count(wait.hours, "hour")) \(count(wait.minutes, "minute"))"
        case .startingSoon: return "Starting in \(Self.minutes(from: now, to: startsAt)) min"
        case .live: return "Live Now"
        case .ended: return "Ended"
        case .cancelled: return "Cancelled"
        }
    }

    private static func minutes(from start: Instant, to end: Instant) -> Int {
        let milliseconds = max(0, end.milliseconds(since: start))
        return Int(milliseconds.addingClamping(59_999) / 60_000)
    }
}

/// A session with its id.
typealias FoundSession = (id: QuranFlow.SessionID, row: QuranFlow.SessionRow)

extension QuranFlow.Learner {
    /// Writes a session entry (page, Read models), and what a model adds to it.
    func write(
        _ session: FoundSession, to output: inout JSONOutput,
        adding more: (inout JSONOutput) -> Void = { _ in }
    ) {
        let row = session.row
        let status = row.state(at: now, policy)
        let joining = Joining(status, startsAt: row.startsAt, policy, at: now)
        output.object { output in
            output.member("attendees", row.going)
            output.member("coach", row.coach)
            output.member("coachName", state.name(row.coach))
            output.time("endsAt", row.endsAt, teller)
            output.member("gender", row.gender)
            output.member("genderLabel", row.gender.label)
            output.member("going", state.isGoing(id, to: session.id))
            output.time("joinOpensAt", joining.opensAt, teller)
            if let wait = joining.wait {
                output.object("joinOpensIn") { output in
                    output.member("hours", wait.hours)
                    output.member("minutes", wait.minutes)
                }
            } else {
                output.null("joinOpensIn")
            }
            output.member("joinText", joining.text)
            output.member("joinUrl", status.isJoinable ? row.joinUrl : nil)
            output.member("joinable", status.isJoinable)
            output.member("kind", row.kind)
            output.member("kindLabel", row.kind.label)
            output.member("level", row.level)
            output.member("recording", row.recording)
            output.member("session", session.id)
            output.time("startsAt", row.startsAt, teller)
            output.member("state", status)
            output.member("title", row.title)
            output.member("week", row.week)
            more(&output)
        }
    }

    /// R28: by start, then id.
    func inOrder(_ sessions: [FoundSession]) -> [FoundSession] {
        state.sorted(sessions, by: { $0.row.startsAt }, id: { $0.id })
    }

    /// Sessions for the student that are neither cancelled nor ended, in order. No session is longer than
    /// eight hours, so none that began before can still run.
    func openSessions(before end: Instant? = nil) -> [FoundSession] {
        let eligibility = state.eligibility(of: id)
        return inOrder(
            state.sessions(from: now - 480 * 60, before: end).filter {
                !$0.row.isCancelled && $0.row.endsAt > now && eligibility.covers($0.row)
            })
    }

    // MARK: Today

    enum Section: String, Choice {
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

    /// R33.
    func writeTodaysSessions(to output: inout JSONOutput) {
        let (section, sessions) = todaysSessions
        output.object("sessions") { output in
            output.array("items", sessions.prefix(policy.todaySessionsShown)) { write($1, to: &$0) }
            output.member("section", section)
            output.member("title", section.title)
            output.member("total", sessions.count)
        }
    }

    private var todaysSessions: (Section, [FoundSession]) {
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
        var end = now + 7 * 86_400
        if let running, !running.isOver(running.weeks, at: now) {
            end = running.weekStarts[running.currentWeek(at: now)]
        }
        let tomorrow = teller.today.adding(days: 1)
        let horizon = max(end, teller.start(of: tomorrow.adding(days: 1)))
        let open = openSessions(before: horizon)
        let today = open.filter {
            teller.date(of: $0.row.startsAt) == teller.today || $0.row.startsAt <= now
        }
        if !today.isEmpty { return (.today, today) }
        let next = open.filter { teller.date(of: $0.row.startsAt) == tomorrow }
        if !next.isEmpty { return (.tomorrow, next) }
        let week = open.filter { $0.row.startsAt < end }
        return week.isEmpty ? (.none, []) : (.week, week)
    }
}
