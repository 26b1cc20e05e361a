import Dispatch
import Synchronization

/// Threads for calls that keep one: never those of the event loops, nor those of tasks.
final class BlockingWork: Sendable {
    private let queues: [DispatchQueue]
    private let next = Atomic<Int>(0)
    private let waiting = Atomic<Int>(0)
    private let most: Int

    init(_ label: String, threads: Int, atMost most: Int) {
        queues = (0..<threads).map { _ in DispatchQueue(label: "sijill.\(label)") }
        self.most = most
    }

    /// Runs `body` on one of the threads.
    ///
    /// After `deadline` the caller is answered that it takes too long. What has not begun by then never does; what has,
    /// goes on until it is done, since nothing can stop it.
    func run<R: Sendable>(within deadline: Duration, _ body: @escaping @Sendable () throws -> R)
        async throws -> R
    {
        let count = waiting.wrappingAdd(1, ordering: .relaxed).newValue
        guard count <= most else {
            waiting.wrappingSubtract(1, ordering: .relaxed)
            throw Problem.unavailable(
                "too-busy", "\(most) long questions wait already: come again later", retryAfter: 5)
        }
        let turn = next.wrappingAdd(1, ordering: .relaxed).oldValue
        let queue = queues[Int(UInt(bitPattern: turn) % UInt(queues.count))]
        return try await withCheckedThrowingContinuation { continuation in
            let answer = Once(continuation)
            queue.async {
                defer { self.waiting.wrappingSubtract(1, ordering: .relaxed) }
                guard !answer.isGiven else { return }
                answer.give(Result { try body() })
            }
            DispatchQueue.global().asyncAfter(
                deadline: .now() + .seconds(Int(deadline.components.seconds))
            ) {
                answer.give(
                    .failure(
                        Problem.unavailable(
                            "too-long",
                            "the answer takes longer than \(deadline.components.seconds) s: ask for less",
                            retryAfter: 5)))
            }
        }
    }

    /// An answer that counts the first time.
    private final class Once<R: Sendable>: Sendable {
        private let continuation: Mutex<CheckedContinuation<R, any Error>?>

        init(_ continuation: CheckedContinuation<R, any Error>) {
            self.continuation = Mutex(continuation)
        }

        var isGiven: Bool { continuation.withLock { $0 == nil } }

        func give(_ result: Result<R, any Error>) {
            let waiting = continuation.withLock { continuation in
                defer { continuation = nil }
                return continuation
            }
            waiting?.resume(with: result)
        }
    }
}
