import Engine
import Hummingbird

/// Looking for a page of events: for who may see few of them, through the whole journal.
extension Routes {
    /// So much is looked through before it is asked again whether it is still wanted.
    private static let scanBytes = 512 << 10

    /// The wanted events, and one more than `limit` where there are more; within ``pastDeadline``, and as long as the client
    /// is there.
    func scan(
        _ call: Call, _ filter: EventFilter, _ wish: EventWish, limit: Int
    ) async throws -> [Event] {
        let engine = try call.journal.engine(for: call.identity)
        let events = try engine.events(filter, sliceBytes: Self.scanBytes)
        let departure = await Departure.of(call.channel)
        let deadline = pastDeadline
        return try await call.journal.scans.admit {
            let scan = Task<[Event], any Error> {
                var found: [Event] = []
                for try await event in events where wish.admits(event) {
                    found.append(event)
                    if found.count > limit { break }
                }
                return found
            }
            let isLate = Flag()
            let timer = Task {
                do { try await Task.sleep(for: deadline) } catch { return }
                isLate.set()
                scan.cancel()
            }
            defer { timer.cancel() }
            let ticket = departure.watch { scan.cancel() }
            defer { departure.forget(ticket) }
            let found = try await withTaskCancellationHandler {
                try await scan.value
            } onCancel: {
                scan.cancel()
            }
            // One that is cancelled ends as if there were no more.
            guard scan.isCancelled else { return found }
            if isLate.isSet {
                throw Problem.unavailable(
                    "too-long",
                    "the answer takes longer than \(deadline.components.seconds) s: ask for less",
                    retryAfter: 5)
            }
            if departure.isOver {
                throw Problem.badRequest("the connection was closed before this was answered")
            }
            throw CancellationError()
        }
    }
}
