import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

/// When a session or an appointment can be joined, and what its button says (R25).
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
        opensAt = startsAt - policy.joinWindowMinutes
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
