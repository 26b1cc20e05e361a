import Dispatch
import EventLog
import Core
import Synchronization

/// Looks for what is appended, once for all who wait for it, and says how far the journal has come.
///
/// It hands on no events: each follower reads its own, in slices, as fast as it takes them (ADR 0036). While nobody waits
/// nothing looks; commits of this engine are reported at once, those of others are seen within some 30 ms.
final class TailReader: Sendable {
    /// Why a follower wakes.
    enum Wake: Sendable {
        /// The journal has come further.
        case news
        /// The engine was closed, or the follower's task cancelled.
        case over
        case failed(EngineError)
    }

    private struct Waiter {
        /// What the follower has seen.
        let seen: Position
        let continuation: CheckedContinuation<Wake, Never>
    }

    private struct State {
        var head = Position.zero
        var waiting: [UInt64: Waiter] = [:]
        var lastNumber: UInt64 = 0
        /// A thread looks.
        var isLooking = false
        var isClosed = false

        mutating func takeAll() -> [Waiter] {
            defer { waiting = [:] }
            return Array(waiting.values)
        }
    }

    private static let longestPause = 32

    private let journal: Journal
    private let state = Mutex(State())
    private let thread = DispatchQueue(label: "sijill.tail")
    private let isClosing = DispatchSemaphore(value: 0)

    init(_ journal: Journal) {
        self.journal = journal
    }

    /// How many followers wait: for tests.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Waits until the journal has come further than `seen`.
    func news(after seen: Position) async -> Wake {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (wake, looks) = state.withLock { state -> (Wake?, Bool) in
                    // A cancellation from here on finds the waiter.
                    if state.isClosed || Task.isCancelled { return (.over, false) }
                    if state.head > seen { return (.news, false) }
                    state.waiting[number] = Waiter(seen: seen, continuation: continuation)
                    defer { state.isLooking = true }
                    return (nil, !state.isLooking)
                }
                if let wake { continuation.resume(returning: wake) }
                if looks { thread.async { self.look() } }
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiting.removeValue(forKey: number) }
            waiter?.continuation.resume(returning: .over)
        }
    }

    /// The journal has come so far.
    func reached(_ head: Position) {
        let woken = state.withLock { state -> [Waiter] in
            guard head > state.head else { return [] }
            state.head = head
            let woken = state.waiting.filter { $0.value.seen < head }
            for number in woken.keys { state.waiting[number] = nil }
            return Array(woken.values)
        }
        for waiter in woken { waiter.continuation.resume(returning: .news) }
    }

    /// Ends all followers, now and later.
    func close() {
        let ended = state.withLock { state in
            state.isClosed = true
            return state.takeAll()
        }
        for waiter in ended { waiter.continuation.resume(returning: .over) }
        isClosing.signal()
    }

    /// Looks again and again, as long as somebody waits.
    private func look() {
        var pause = 1
        while true {
            do throws(JournalError) {
                reached(try journal.head().position)
            } catch {
                let failed = state.withLock { state in
                    state.isLooking = false
                    return state.takeAll()
                }
                let error = EngineError(error)
                for waiter in failed { waiter.continuation.resume(returning: .failed(error)) }
                return
            }
            let goesOn = state.withLock { state in
                state.isLooking = !state.waiting.isEmpty && !state.isClosed
                return state.isLooking
            }
            if !goesOn { return }
            _ = isClosing.wait(timeout: .now() + .milliseconds(pause))
            pause = min(pause * 2, Self.longestPause)
            // Behind the end nobody looks at the journal any more.
            if state.withLock({ $0.isClosed }) { return }
        }
    }
}
