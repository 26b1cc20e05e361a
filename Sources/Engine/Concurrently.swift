import Dispatch
import Synchronization

/// Runs `other` on a thread of its own while `body` runs on this one; answers when both have ended.
func concurrently<Other: Sendable, Body>(
    _ other: @escaping @Sendable () throws -> Other, _ body: () throws -> Body
) throws -> (other: Other, body: Body) {
    let (others, body) = try concurrently([other], body)
    return (others[0], body)
}

/// Runs each of `others` on a thread of its own while `body` runs on this one; answers when all have ended, the others in
/// their order. Throws what the first of them threw, else what `body` threw.
func concurrently<Other: Sendable, Body>(
    _ others: [@Sendable () throws -> Other], _ body: () throws -> Body
) throws -> (others: [Other], body: Body) {
    let outcomes = others.map { other in
        let outcome = OtherOutcome<Other>()
        // A serial queue has a thread of its own at once (ReadAhead).
        DispatchQueue(label: "sijill.meanwhile", qos: .userInitiated).async {
            let result = Result(catching: other)
            outcome.result.withLock { $0 = result }
            outcome.isThere.signal()
        }
        return outcome
    }
    let own = Result(catching: body)
    for outcome in outcomes { outcome.isThere.wait() }
    let results = try outcomes.map { outcome in
        guard let result = outcome.result.withLock({ $0 }) else { throw CancellationError() }
        return try result.get()
    }
    return (results, try own.get())
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
