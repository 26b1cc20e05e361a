import Dispatch
import Core
import Synchronization

/// One pass over the same events for some visitors, each on a thread of its own: what lies on the disk is read, inflated and
/// opened once for all of them (ADR 0075). All of them are waited for before it begins.
package final class SharedScan: Sendable {
    private struct State {
        /// What each visitor who came wants opened; nil for nothing.
        var openings: [OpeningAhead?] = []
        var ahead: ReadAhead?
        var failure: (any Error)?
    }

    private let visitors: Int
    private let state = Mutex(State())
    private let hasBegun = DispatchSemaphore(value: 0)

    package init(visitors: Int) {
        self.visitors = visitors
    }

    /// Whoever cannot come, or not go on, says why: the others throw it, and do not wait.
    package func fail(_ error: any Error) {
        let ahead = state.withLock { state in
            state.failure = state.failure ?? error
            return state.ahead
        }
        ahead?.stop(error)
        for _ in 0..<visitors { hasBegun.signal() }
    }

    /// Answers what to run and as which visitor, when all have come; the last one makes it, from what they want opened and how
    /// many they are.
    func join(
        _ opening: OpeningAhead?, _ make: ([OpeningAhead], Int) -> ReadAhead
    ) throws -> (ahead: ReadAhead, visitor: Int) {
        let openings = state.withLock { state in
            state.openings.append(opening)
            return state.openings
        }
        if openings.count == visitors {
            let made = make(openings.compactMap(\.self), visitors)
            let isWanted = state.withLock { state in
                state.ahead = made
                return state.failure == nil
            }
            if isWanted { made.start() }
            for _ in 1..<visitors { hasBegun.signal() }
        } else {
            hasBegun.wait()
        }
        let (ahead, failure) = state.withLock { ($0.ahead, $0.failure) }
        guard let ahead, failure == nil else { throw failure ?? CancellationError() }
        return (ahead, openings.count - 1)
    }
}
