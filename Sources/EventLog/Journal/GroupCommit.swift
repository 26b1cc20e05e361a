import Dispatch
import Events
import Glibc
import Synchronization

/// Lets the appends of many threads share transactions.
///
/// Whoever comes first leads: it takes the writer lock and appends what has gathered until then, its own
/// included; who comes meanwhile gathers for the next one. An append without company waits for nobody.
final class GroupCommit: Sendable {
    /// Batches of one transaction at most.
    private static let most = 64

    private let state = Mutex(State())

    private struct State {
        /// In the order in which they came; the leader's own is the first.
        var waiting: [Request] = []
        var isLed = false
        /// How many the last transaction had.
        var last = 0
    }

    /// A batch whose thread waits.
    private final class Request: Sendable {
        let batch: Batch
        let answer = Mutex<Result<Position, JournalError>?>(nil)
        /// It is answered, or it is to lead.
        let wakes = DispatchSemaphore(value: 0)

        init(_ batch: Batch) {
            self.batch = batch
        }
    }

    /// How many are not answered yet.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Appends a batch, alone or together with others. `commit` is called by one thread at a time; it
    /// asks for the batches once it holds the lock, and answers what became of each. Where it throws, the
    /// batch of its thread fails and the others wait for the next leader.
    func append(
        _ batch: Batch,
        _ commit: (
            _ batches: () -> [Batch]
        ) throws(JournalError) -> [Result<Position, JournalError>]
    ) throws(JournalError) -> Position {
        let request = Request(batch)
        let leads = state.withLock { state in
            state.waiting.append(request)
            defer { state.isLed = true }
            return !state.isLed
        }
        if !leads {
            request.wakes.wait()
            if let answer = request.answer.withLock({ $0 }) { return try answer.get() }
        }
        var taken = [request]
        defer { handOn(taken) }
        let outcomes = try commit {
            letOthersCome()
            taken = state.withLock { state in
                state.last = min(state.waiting.count, Self.most)
                return Array(state.waiting.prefix(Self.most))
            }
            return taken.map(\.batch)
        }
        for (request, outcome) in zip(taken, outcomes) {
            request.answer.withLock { $0 = outcome }
        }
        return try outcomes[0].get()
    }

    /// Threads that were answered together come back together: without a moment for them every other
    /// transaction would be for one of them alone. Where the last one had no company, nobody waits.
    private func letOthersCome() {
        var (count, last) = state.withLock { ($0.waiting.count, $0.last) }
        while count < last {
            sched_yield()
            let now = waitingCount
            if now == count { return }
            count = now
        }
    }

    /// Wakes those that were answered, and the next leader. Whoever was taken and has no answer yet waits on.
    private func handOn(_ taken: [Request]) {
        let answered = taken.dropFirst().filter { request in
            request.answer.withLock { $0 != nil }
        }
        let next = state.withLock { state in
            state.waiting.removeFirst()
            state.waiting.removeAll { waiting in answered.contains { $0 === waiting } }
            state.isLed = !state.waiting.isEmpty
            return state.waiting.first
        }
        for request in answered { request.wakes.signal() }
        next?.wakes.signal()
    }
}
