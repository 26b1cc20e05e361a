import Dispatch
import Glibc
import Synchronization

/// Lets the work of many threads be done together: commits share their transaction and its flushes.
///
/// Whoever comes first leads: it serves all that have gathered until then, its own included; who comes
/// meanwhile gathers for the next leader. What comes without company waits for nobody (ADR 0029).
package final class Gathering<Item: Sendable, Answer: Sendable>: Sendable {
    /// Items that are served together at most.
    private let most: Int
    private let state = Mutex(State())

    private struct State {
        /// In the order in which they came; the leader's own is the first.
        var waiting: [Request] = []
        var isLed = false
        /// How many were served together the last time.
        var last = 0
    }

    /// An item whose thread waits.
    private final class Request: Sendable {
        let item: Item
        let answer = Mutex<Answer?>(nil)
        /// It is answered, or it is to lead.
        let wakes = DispatchSemaphore(value: 0)
        let since = Monotonic.milliseconds()

        init(_ item: Item) {
            self.item = item
        }
    }

    package init(atMost most: Int = 1 << 10) {
        self.most = most
    }

    /// How many are not answered yet.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// The answer to an item, served alone or together with others.
    ///
    /// `serve` is called by one thread at a time, and told for how many milliseconds its caller has waited: so much less
    /// may it wait for others. It asks for the items once it can begin, and answers them in their order. If it answers
    /// fewer, the others wait for the next leader; nil if it answers none.
    package func answer(
        _ item: Item, _ serve: (_ waited: Int, _ items: () -> [Item]) -> [Answer]
    ) -> Answer? {
        let request = Request(item)
        let leads = state.withLock { state in
            state.waiting.append(request)
            defer { state.isLed = true }
            return !state.isLed
        }
        if !leads {
            request.wakes.wait()
            if let answer = request.answer.withLock({ $0 }) { return answer }
        }
        var taken = [request]
        let answers = serve(Monotonic.milliseconds() - request.since) {
            letOthersCome()
            taken = state.withLock { state in
                state.last = min(state.waiting.count, most)
                return Array(state.waiting.prefix(most))
            }
            // No key path: one of a generic class is made anew each time.
            return taken.map { $0.item }
        }
        for (request, answer) in zip(taken, answers) { request.answer.withLock { $0 = answer } }
        handOn(taken[1..<max(1, min(taken.count, answers.count))])
        return answers.first
    }

    /// Threads that were answered together come back together: without a moment for them every other
    /// leader would serve itself alone. Where the last one had no company, nobody waits.
    private func letOthersCome() {
        var (count, last) = state.withLock { ($0.waiting.count, $0.last) }
        while count < last {
            sched_yield()
            let now = waitingCount
            if now == count { return }
            count = now
        }
    }

    /// Wakes those that were answered, and the next leader.
    private func handOn(_ answered: ArraySlice<Request>) {
        let next = state.withLock { state in
            // The leader's own and those it served are the first that wait.
            state.waiting.removeFirst(1 + answered.count)
            state.isLed = !state.waiting.isEmpty
            return state.waiting.first
        }
        for request in answered { request.wakes.signal() }
        next?.wakes.signal()
    }
}
