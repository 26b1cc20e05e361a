import Dispatch
import Synchronization

/// Runs `other` on a thread of its own while `body` runs on this one; answers when both have ended.
func concurrently<Other: Sendable, Body>(
    _ other: @escaping @Sendable () throws -> Other, _ body: () throws -> Body
) throws -> (other: Other, body: Body) {
    let outcome = OtherOutcome<Other>()
    // A serial queue has a thread of its own at once (ReadAhead).
    DispatchQueue(label: "sijill.meanwhile", qos: .userInitiated).async {
        let result = Result(catching: other)
        outcome.result.withLock { $0 = result }
        outcome.isThere.signal()
    }
    let own = Result(catching: body)
    outcome.isThere.wait()
    guard let result = outcome.result.withLock({ $0 }) else { throw CancellationError() }
    return (try result.get(), try own.get())
}

private final class OtherOutcome<Other: Sendable>: Sendable {
    let result = Mutex<Result<Other, any Error>?>(nil)
    let isThere = DispatchSemaphore(value: 0)
}

/// What another thread alone uses until it is done.
struct UncheckedTransfer<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
