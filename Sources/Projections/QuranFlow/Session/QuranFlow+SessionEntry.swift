import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow.Session.Kind {
    /// A kind of session as it is printed (R35).
    var label: String {
        switch self {
        case .levelClass: "Level Class"
        case .readingCircle: "QRC"
        case .officeHours: "Office Hours"
        case .housewarming: "Housewarming"
        }
    }

    /// The heading of a kind's sessions on a dense day (R28).
    var groupLabel: String {
        switch self {
        case .levelClass: "Level Classes"
        case .readingCircle: "QRCs"
        case .officeHours: "Office Hours"
        case .housewarming: "Housewarmings"
        }
    }

    /// What a kind of session is.
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
    /// The gender that a session is for (R35).
    var label: String? {
        switch self {
        case .female: "Sisters"
        case .male: "Brothers"
        case .all: nil
        }
    }
}

/// The text of the button for joining a session, or an appointment, says (R25).
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
            output.time("endsAt", row.endsAt, formatter)
            output.member("gender", row.gender)
            output.member("genderLabel", row.gender.label)
            output.member("going", state.isGoing(id, to: session.id))
            output.time("joinOpensAt", joining.opensAt, formatter)
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
            output.time("startsAt", row.startsAt, formatter)
            output.member("state", status)
            output.member("title", row.title)
            output.member("week", row.week)
            more(&output)
        }
    }

    /// By start, then id (R28).
    func inOrder(_ sessions: [FoundSession]) -> [FoundSession] {
        state.sorted(sessions, by: { $0.row.startsAt }, id: { $0.id })
    }
}
