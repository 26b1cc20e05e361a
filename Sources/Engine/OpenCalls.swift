import Synchronization

/// The calls that are under way: closing waits for them, and lets no other in.
final class OpenCalls: Sendable {
    private struct State {
        var running = 0
        var isClosed = false
        var closing: [CheckedContinuation<Void, Never>] = []

        mutating func takeDone() -> [CheckedContinuation<Void, Never>] {
            guard isClosed, running == 0 else { return [] }
            defer { closing = [] }
            return closing
        }
    }

    private let state = Mutex(State())

    var isClosed: Bool { state.withLock { $0.isClosed } }

    func enter() throws(EngineError) {
        let isOpen = state.withLock { state in
            if !state.isClosed { state.running += 1 }
            return !state.isClosed
        }
        if !isOpen { throw EngineError(.closed) }
    }

    func leave() {
        let done = state.withLock { state in
            state.running -= 1
            return state.takeDone()
        }
        for each in done { each.resume() }
    }

    /// Answers when no call is under way; later ones are refused from here on.
    func close() async {
        await withCheckedContinuation { continuation in
            let done = state.withLock { state in
                state.isClosed = true
                state.closing.append(continuation)
                return state.takeDone()
            }
            for each in done { each.resume() }
        }
    }
}
