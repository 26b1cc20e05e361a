import Synchronization

/// How long somebody is signed in to the console: what is under way in their name asks, too.
final class SessionLife: Sendable {
    private struct State {
        var used = ContinuousClock.now
        var hasEnded = false

        func isOver(at now: ContinuousClock.Instant) -> Bool {
            hasEnded || used.duration(to: now) >= SessionLife.idle
        }
    }

    private static let idle = Duration.seconds(8 * 3_600)

    private let state = Mutex(State())

    /// Whether they have signed out, or nothing was asked for too long.
    var isOver: Bool { state.withLock { $0.isOver(at: .now) } }

    /// When something was asked last.
    var used: ContinuousClock.Instant { state.withLock { $0.used } }

    /// Something is asked; false where it is over.
    func use() -> Bool {
        let now = ContinuousClock.now
        return state.withLock { state in
            guard !state.isOver(at: now) else { return false }
            state.used = now
            return true
        }
    }

    func end() { state.withLock { $0.hasEnded = true } }
}
