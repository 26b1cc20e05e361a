import Dispatch
import Synchronization

/// A few threads for what would keep a task's thread from others: work is shared out among them in turn.
final class WorkQueues: Sendable {
    private let queues: [DispatchQueue]
    private let next = Atomic<Int>(0)

    init(count: Int, label: String) {
        // A serial queue has a thread of its own at once (ReadAhead).
        queues = (0..<count).map { _ in DispatchQueue(label: label) }
    }

    func run<R: Sendable>(
        _ body: @escaping @Sendable () throws -> R
    ) async -> Result<R, EngineError> {
        let turn = next.wrappingAdd(1, ordering: .relaxed).oldValue
        let queue = queues[Int(UInt(bitPattern: turn) % UInt(queues.count))]
        return await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(
                    returning: Result { () throws(EngineError) in try engineErrors(body) })
            }
        }
    }
}
