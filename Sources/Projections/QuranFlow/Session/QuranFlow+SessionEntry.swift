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
