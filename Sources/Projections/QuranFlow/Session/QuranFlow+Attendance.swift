import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow.Learner {
    /// The sessions that count for attendance: those that ended, not cancelled, with an RSVP in force or a join,
    /// of which the start lies where it is asked for (R27).
    private func attended(
        where isMeant: (Instant) -> Bool
    ) -> [(session: FoundSession, hasJoined: Bool)] {
        row.sessions.compactMap { session in
            guard let attended = state.attendances[.init(session, id)],
                attended.isGoing || attended.hasJoined, let row = state.sessions[session],
                !row.isCancelled, row.endsAt <= now, isMeant(row.startsAt)
            else { return nil }
            return ((session, row), attended.hasJoined)
        }
    }

    /// The share of them that the student joined since an instant; nil when there are none (R27).
    func attendance(since openedAt: Instant) -> Percent? {
        let sessions = attended { $0 >= openedAt }
        return sessions.isEmpty
            ? nil : Percent(sessions.count { $0.hasJoined }, of: sessions.count)
    }

    /// The same in a time, session by session.
    fileprivate func attendance(
        in time: Range<Instant>, since openedAt: Instant
    ) -> [(session: FoundSession, hasJoined: Bool)] {
        let sessions = attended { time.contains($0) && $0 >= openedAt }
        return state.sorted(sessions, by: { $0.session.row.startsAt }, id: { $0.session.id })
    }
}

extension QuranFlow.EnrolledLearner {
    /// Which of a week's live sessions the student attended (R27).
    func writeAttendance(_ week: Int, to output: inout JSONOutput) {
        let sessions = learner.attendance(
            in: row.weekStarts[week - 1]..<row.weekStarts[week], since: row.openedAt)
        let joined = sessions.count { $0.hasJoined }
        output.object("attendance") { output in
            output.array("items", sessions) { output, entry in
                let session = entry.session.row
                output.object { output in
                    output.member("joined", entry.hasJoined)
                    output.member("kind", session.kind)
                    output.member("kindLabel", session.kind.label)
                    output.member("session", entry.session.id)
                    output.time("startsAt", session.startsAt, learner.formatter)
                    output.member("title", session.title)
                }
            }
            output.member("joined", joined)
            output.member(
                "percent", sessions.isEmpty ? nil : Percent(joined, of: sessions.count))
        }
    }
}
