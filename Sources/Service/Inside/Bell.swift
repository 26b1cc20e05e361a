import Synchronization

/// Wakes who waits for something; nothing that happens between looking and waiting is missed.
final class Bell<Key: Hashable & Sendable>: Sendable {
    private struct Waiter {
        let keys: Set<Key>
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var waiting: [UInt64: Waiter] = [:]
        var last: UInt64 = 0
        var isOver = false
    }

    private let state = Mutex(State())

    /// Whether nobody waits any more.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Wakes who waits for one of the keys.
    func ring(_ keys: Set<Key>) {
        let woken = state.withLock { state in
            let found = state.waiting.filter { !$0.value.keys.isDisjoint(with: keys) }
            for id in found.keys { state.waiting[id] = nil }
            return found.values.map(\.continuation)
        }
        for each in woken { each.resume() }
    }

    /// Wakes everybody, now and later.
    func end() {
        let woken = state.withLock { state in
            state.isOver = true
            defer { state.waiting = [:] }
            return state.waiting.values.map(\.continuation)
        }
        for each in woken { each.resume() }
    }

    /// Waits until one of the keys is rung, the time or the task is over; not at all where it is due already.
    ///
    /// - Parameter isDue: whether what is waited for has happened: whoever rings makes it true first.
    func wait(for keys: Set<Key>, within longest: Duration, unless isDue: () -> Bool) async {
        let end = ContinuousClock.now + longest
        let id = state.withLock { state in
            state.last += 1
            return state.last
        }
        let alarm = Task {
            do { try await Task.sleep(until: end) } catch { return }
            wake(id)
        }
        defer { alarm.cancel() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.isOver || Task.isCancelled || end <= .now || isDue() { return true }
                    state.waiting[id] = Waiter(keys: keys, continuation: continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            wake(id)
        }
    }

    private func wake(_ id: UInt64) {
        state.withLock { $0.waiting.removeValue(forKey: id) }?.continuation.resume()
    }
}
