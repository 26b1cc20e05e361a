import Dispatch
import Glibc
import Synchronization

/// Group commit: the work of many threads is done together, so that commits share a transaction and its flushes.
///
/// The first thread to join leads: it serves everything that is waiting by then, its own item included; items that
/// arrive in the meantime wait for the next leader. A single thread never waits (ADR 0029).
package final class GroupCommit<Item: Sendable, Answer: Sendable>: Sendable {
    /// The largest number of items served together.
    private let limit: Int
    private let state = Mutex(State())

    private struct State {
        /// In order of arrival; the leader's own is the first.
        var waiting: [Request] = []
        var hasLeader = false
        /// How many were served together the last time.
        var last = 0
    }

    /// An item whose thread waits.
    fileprivate final class Request: Sendable {
        let item: Item
        let answer = Mutex<Answer?>(nil)
        /// Signalled when it is answered, or when its thread is to lead; nil if that leads at once.
        let wakes: DispatchSemaphore?
        let since = Monotonic.milliseconds()

        init(_ item: Item, waits: Bool) {
            self.item = item
            wakes = waits ? DispatchSemaphore(value: 0) : nil
        }
    }

    /// What a thread does next.
    package enum Turn: ~Copyable {
        /// Another thread served its item.
        case answered(Answer)
        /// It serves the group: its own item and those that wait.
        case leads(Group)
    }

    package init(atMost limit: Int = 1 << 10) {
        self.limit = limit
    }

    /// The number of items without an answer.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Waits until the item is answered, or until its thread is the one to serve a group. One thread leads at a time.
    package func join(_ item: Item) -> Turn {
        let request = state.withLock { state in
            let request = Request(item, waits: state.hasLeader)
            state.waiting.append(request)
            state.hasLeader = true
            return request
        }
        if let wakes = request.wakes {
            wakes.wait()
            if let answer = request.answer.withLock({ $0 }) { return .answered(answer) }
        }
        return .leads(Group(self, request))
    }

    /// What a leader serves. One that is dropped without an answer wakes the next leader.
    package struct Group: ~Copyable {
        private let commit: GroupCommit
        private var requests: [Request]
        private var isAnswered = false

        fileprivate init(_ commit: GroupCommit, _ own: Request) {
            self.commit = commit
            requests = [own]
        }

        /// How long the leader has waited: it may wait so much less for others.
        package var waitedMilliseconds: Int { Monotonic.milliseconds() - requests[0].since }

        /// The items to serve, the leader's own first. Called once, when the leader can begin.
        package mutating func collect() -> [Item] {
            requests = commit.collect()
            // No key path: one of a generic class is made anew each time.
            return requests.map { $0.item }
        }

        /// Answers the items in their order, and gives the leader's own answer; nil if there is none. Items without an
        /// answer wait for the next leader.
        package consuming func answer(_ answers: [Answer]) -> Answer? {
            for (request, answer) in zip(requests, answers) {
                request.answer.withLock { $0 = answer }
            }
            commit.finish(requests[1..<max(1, min(requests.count, answers.count))])
            isAnswered = true
            return answers.first
        }

        deinit { if !isAnswered { commit.finish([]) } }
    }

    /// Threads that were answered together come back together: without a moment for them every other
    /// leader would serve itself alone. If the last one was alone, nobody waits.
    private func collect() -> [Request] {
        var (count, last) = state.withLock { ($0.waiting.count, $0.last) }
        while count < last {
            sched_yield()
            let now = waitingCount
            if now == count { break }
            count = now
        }
        return state.withLock { state in
            state.last = min(state.waiting.count, limit)
            return Array(state.waiting.prefix(limit))
        }
    }

    /// Wakes those that were answered, and the next leader.
    private func finish(_ answered: ArraySlice<Request>) {
        let next = state.withLock { state in
            // The leader's own and those it served are the first that wait.
            state.waiting.removeFirst(1 + answered.count)
            state.hasLeader = !state.waiting.isEmpty
            return state.waiting.first
        }
        for request in answered { request.wakes?.signal() }
        next?.wakes?.signal()
    }
}
