import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow.Learner {
    /// The share that the student joined, of the sessions that ended with an RSVP in force or a join; nil when
    /// there are none (R27).
    func attendance(since openedAt: Instant) -> Percent? {
        var all = 0
        var joined = 0
        for session in row.sessions {
            guard let attended = state.attendances[.init(session, id)],
                attended.isGoing || attended.hasJoined,
                state.sessions.read(
                    session,
                    {
                        !$0.isCancelled && $0.endsAt <= now && $0.startsAt >= openedAt
                    }) == true
            else { continue }
            all += 1
            if attended.hasJoined { joined += 1 }
        }
        return all == 0 ? nil : Percent(joined, of: all)
    }
}
